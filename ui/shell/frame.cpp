#include "ui/shell/frame.h"

#include <string_view>
#include <utility>

#include "ui/language/languages.h"
#include "ui/language/tr.h"

namespace mneme::ui {

FrameDrawer::FrameDrawer() {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the window keeps its own state
  io.UserData = &context_data_;
#if IMGUI_VERSION_NUM >= 18700
  io.ConfigInputTrickleEventQueue = false;  // who tells of keys and the mouse says what belongs to one frame
#endif
}

FrameDrawer::~FrameDrawer() {
  ImGui::DestroyContext();
}

namespace {

// Enter presses what is chosen, as Space does; later versions of Dear ImGui do so by themselves.
void let_enter_press() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  const int enter = io.KeyMap[ImGuiKey_Enter];
  if (enter >= 0 && io.KeysDown[enter]) io.NavInputs[ImGuiNavInput_Activate] = 1.0f;
#endif
}

// What the language writes; where it writes none, what documents were drawn with before.
std::string_view han_region() {
  const WindowLanguage* const language = used_language();
  const std::string_view code = language == nullptr ? std::string_view() : language->code;
  return code == "zh_CN" ? "SC" : code == "ko" ? "KR" : "";
}

}  // namespace

bool FrameDrawer::prepare(float scale, bool dark) {
  let_enter_press();
  fonts_.prefer_han(han_region());
  const bool restyle = scale != scale_ || theme_.dark != dark || theme_.text == 0;
  if (restyle) {
    theme_ = dark ? dark_theme() : light_theme();
    apply(theme_, scale);
  }
  scale_ = scale;
  if (!fonts_.needs_build(scale)) return false;
  fonts_.build(*ImGui::GetIO().Fonts, scale);
  window_.messages.clear();
  window_.document.forget_layout();
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
  focus_order_.begin_frame();
  tooltip_rest_.begin_frame();
  draw_window(context);
  if (tooltip_rest_.waits()) window_.tells_time = true;
  if (focus_order_.end_frame(window_.palette_open)) window_.wants_frame = true;
  if (fonts_.needs_build(scale_)) window_.wants_frame = true;  // there was no room for a glyph
  tell_of_fonts(context);
  ImGui::PopFont();
}

// Once for each package: looking at the same letters again says nothing new.
void FrameDrawer::tell_of_fonts(const PanelContext& context) {
  std::vector<std::string> wanted = fonts_.wanted_packages();
  if (wanted == told_fonts_) return;
  context.post(TellOfFonts{wanted});
  told_fonts_ = std::move(wanted);
}

WindowMemory FrameDrawer::memory(const Snapshot& snapshot) const {
  WindowMemory memory;
  memory.page = window_.page;
  memory.sidebar_width = window_.sidebar_width;
  memory.sources_width = window_.sources_width;
  memory.page_width = window_.page_width;
  memory.chat = snapshot.conversation.chat;
  memory.draft = window_.question.text();
  memory.new_collection = window_.new_collection;
  return memory;
}

void FrameDrawer::restore(const WindowMemory& memory) {
  window_.page = memory.page;
  window_.sidebar_width = memory.sidebar_width;
  window_.sources_width = memory.sources_width;
  window_.page_width = memory.page_width;
  window_.new_collection = memory.new_collection;
  if (!memory.draft.empty()) window_.question.reset(memory.draft);
}

}  // namespace mneme::ui
