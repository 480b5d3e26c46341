#include "ui/widgets/menu.h"

#include <imgui.h>

#include "ui/widgets/keys.h"

namespace mneme::ui {
namespace {

template <typename Begin>
bool begin_spaced(const Begin& begin) {
  const float size = ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(size * 0.6f, size * 0.75f));
  const bool open = begin();
  if (!open) ImGui::PopStyleVar();
  return open;
}

}  // namespace

bool begin_menu(const char* id) {
  if (ImGui::IsItemFocused() && menu_key_pressed()) ImGui::OpenPopup(id);
  return begin_spaced([id] { return ImGui::BeginPopupContextItem(id); });
}

bool begin_window_menu(const char* id) {
  return begin_spaced([id] { return ImGui::BeginPopupContextWindow(id); });
}

void end_menu() {
  ImGui::EndPopup();
  ImGui::PopStyleVar();
}

}  // namespace mneme::ui
