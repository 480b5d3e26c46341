#include "ui/shell/frame.h"

namespace mneme::ui {

FrameDrawer::FrameDrawer() {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the window keeps its own state
  io.UserData = &fonts_;
}

FrameDrawer::~FrameDrawer() {
  ImGui::DestroyContext();
}

bool FrameDrawer::prepare(float scale, bool dark) {
  const bool restyle = scale != scale_ || theme_.dark != dark || theme_.text == 0;
  if (restyle) {
    theme_ = dark ? dark_theme() : light_theme();
    apply(theme_, scale);
  }
  scale_ = scale;
  if (!fonts_.needs_build(scale)) return false;
  fonts_.build(*ImGui::GetIO().Fonts, scale);
  window_.messages.clear();
  window_.document = {};
  return true;
}

void FrameDrawer::draw(const Snapshot& snapshot, const WindowHooks& hooks) {
  // Arrows belong to the text while one is edited; else they go from one thing to the next.
  ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || window_.palette_open) {
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  } else {
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  }
  ImGui::PushFont(fonts_.fonts().regular);
  PanelContext context{snapshot, theme_, fonts_.fonts(), scale_, window_, hooks};
  draw_window(context);
  if (fonts_.needs_build(scale_)) window_.wants_frame = true;  // there was no room for a glyph
  ImGui::PopFont();
}

WindowMemory FrameDrawer::memory(const Snapshot& snapshot) const {
  WindowMemory memory;
  memory.page = window_.page;
  memory.sidebar_width = window_.sidebar_width;
  memory.sources_width = window_.sources_width;
  memory.chat = snapshot.conversation.chat;
  memory.draft = window_.question.text();
  memory.new_collection = window_.new_collection;
  return memory;
}

void FrameDrawer::restore(const WindowMemory& memory) {
  window_.page = memory.page;
  window_.sidebar_width = memory.sidebar_width;
  window_.sources_width = memory.sources_width;
  window_.new_collection = memory.new_collection;
  if (!memory.draft.empty()) window_.question.set_text(memory.draft);
}

}  // namespace mneme::ui
