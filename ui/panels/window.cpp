// Where the panels stand: sidebar, page, sources; splitters between them; what floats above.
#include <algorithm>

#include "ui/panels/panel.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kNarrowWindow = 720.0f;  // below this the side panels give way
constexpr float kSplitter = 6.0f;

// A draggable border that changes a panel's width; `sign` says on which side of it the panel lies.
void splitter(const char* id, float& width_at_scale_one, float sign, float low, float high, PanelContext& c) {
  ImGui::SameLine(0, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::InvisibleButton(id, ImVec2(c.px(kSplitter), -1));
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const ImVec2 min = ImGui::GetItemRectMin();
    const ImVec2 max = ImGui::GetItemRectMax();
    const float x = (min.x + max.x) * 0.5f;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, min.y), ImVec2(x, max.y), c.theme.accent, c.px(2));
  }
  if (ImGui::IsItemActive()) {
    width_at_scale_one = std::clamp(width_at_scale_one + sign * ImGui::GetIO().MouseDelta.x / c.scale, low, high);
  }
  ImGui::SameLine(0, 0);
  ImGui::PopStyleVar();
}

void shortcuts(PanelContext& c) {
  const ImGuiIO& io = ImGui::GetIO();
  // Letters arrive as key codes of the backend (GLFW: ASCII capitals).
  const auto pressed = [&](char letter) { return io.KeyCtrl && letter_pressed(letter, false); };
  if (pressed('K')) {
    c.window.palette_open = !c.window.palette_open;
    c.window.palette_text.clear();
    c.window.palette_index = 0;
  }
  if (pressed('N')) {
    c.post(NewChat{});
    c.window.page = Page::kChat;
    c.window.focus_input = true;
  }
  if (pressed('L')) {
    c.window.page = Page::kChat;
    c.window.focus_input = true;
  }
  if (key_pressed(ImGuiKey_Escape, false)) {
    if (c.window.palette_open) {
      c.window.palette_open = false;
    } else if (c.window.browser_open) {
      c.window.browser_open = false;
    } else if (c.snapshot.answering) {
      c.post(StopAnswer{});
    } else if (c.snapshot.document) {
      c.post(CloseDocument{});
    }
  }
}

void draw_page(PanelContext& c) {
  switch (c.window.page) {
    case Page::kChat: draw_conversation(c); break;
    case Page::kLibrary: draw_library(c); break;
    case Page::kModels: draw_models(c); break;
    case Page::kSettings: draw_settings(c); break;
  }
}

void draw_waiting(PanelContext& c) {
  ImGui::SetCursorPos(ImVec2(c.px(48), c.px(48)));
  ImGui::BeginGroup();
  label("mneme", c.fonts.title, c.theme.text);
  if (c.snapshot.fatal.empty()) {
    label("Opening your library…", c.fonts.regular, c.theme.muted);
  } else {
    wrapped("The library cannot be opened: " + c.snapshot.fatal, c.fonts.regular, c.theme.danger,
            ImGui::GetWindowWidth() - c.px(96));
  }
  ImGui::EndGroup();
}

// Layouts not drawn for a while are of messages no longer shown.
void forget_old_layouts(WindowState& window) {
  if (window.frame % 600 != 0) return;
  std::erase_if(window.layouts, [&](const auto& entry) { return entry.second.last_frame + 600 < window.frame; });
}

}  // namespace

const MessageView* selected_answer(const PanelContext& c) {
  const auto& messages = c.snapshot.conversation.messages;
  const int selected = c.window.selected_message;
  if (selected >= 0 && selected < static_cast<int>(messages.size()) &&
      !messages[static_cast<size_t>(selected)]->from_user) {
    return messages[static_cast<size_t>(selected)].get();
  }
  for (size_t i = messages.size(); i-- > 0;) {
    if (!messages[i]->from_user) return messages[i].get();
  }
  return nullptr;
}

void draw_window(PanelContext& c) {
  ++c.window.frame;
  forget_old_layouts(c.window);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::Begin("mneme", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  if (!c.snapshot.ready) {
    draw_waiting(c);
    ImGui::End();
    return;
  }
  shortcuts(c);
  const bool narrow = size.x < c.px(kNarrowWindow);
  if (!narrow) {
    draw_sidebar(c);
    splitter("##sidebar", c.window.sidebar_width, 1.0f, 180.0f, 480.0f, c);
  }
  const bool sources = !narrow && c.window.page == Page::kChat && c.snapshot.settings.show_sources &&
                       (selected_answer(c) != nullptr || c.snapshot.document) && size.x > c.px(980);
  const float reserved = sources ? c.px(c.window.sources_width + kSplitter) : 0.0f;
  ImGui::BeginChild("page", ImVec2(ImGui::GetContentRegionAvail().x - reserved, -1));
  draw_page(c);
  ImGui::EndChild();
  if (sources) {
    splitter("##sources", c.window.sources_width, -1.0f, 260.0f, 720.0f, c);
    draw_sources(c);
  }
  ImGui::End();
  draw_palette(c);
  draw_folder_browser(c);
  draw_notices(c);
}

}  // namespace mneme::ui
