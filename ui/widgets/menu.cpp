#include "ui/widgets/menu.h"

#include <string>

#include <imgui.h>

#include "ui/language/figures.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/labels.h"

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

bool menu_item(const char* name, const char* keys, bool selected, bool enabled) {
  const std::string shortcut = keys == nullptr ? std::string() : drawable(keys_text(keys), ImGui::GetFont());
  return ImGui::MenuItem(named_item(name).c_str(), keys == nullptr ? nullptr : shortcut.c_str(), selected, enabled);
}

}  // namespace mneme::ui
