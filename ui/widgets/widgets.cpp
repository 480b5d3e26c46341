#include "ui/widgets/widgets.h"

#include <algorithm>

#include "ui/text/imgui_fonts.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/printable.h"

namespace mneme::ui {

namespace {

// Of a choice, beside what it shows: the arrow, and the space around it.
float beside_shown(float scale) {
  return ImGui::GetStyle().FramePadding.x + 30.0f * scale;
}

}  // namespace

float choice_width(std::span<const std::string> shown, float least, float scale) {
  float width = least;
  for (const std::string& text : shown) {
    const float drawn = text_width(drawable(text, ImGui::GetFont()), ImGui::GetFont());
    width = std::max(width, drawn + beside_shown(scale) + 1.0f);
  }
  return width;
}

bool begin_choice(const char* id, const std::string& shown, float width, const Theme& theme, float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 tip(at.x + width - 18.0f * scale, at.y + ImGui::GetFrameHeight() * 0.5f + 2.5f * scale);
  const float room = width - beside_shown(scale);
  const std::string line = drawable(cut_to_width(one_line(shown), ImGui::GetFont(), room), ImGui::GetFont());
  ImGui::SetNextItemWidth(width);
  // Before it is drawn: once it is open, the current window is its list.
  current_focus_order().add(ImGui::GetID(id), at, ImVec2(at.x + width, at.y + ImGui::GetFrameHeight()),
                            FocusOrder::Kind::kAlone);
  const bool open = ImGui::BeginCombo(id, line.c_str(), ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge);
  const ImVec2 points[] = {ImVec2(tip.x - 5.0f * scale, tip.y - 5.0f * scale), tip,
                           ImVec2(tip.x + 5.0f * scale, tip.y - 5.0f * scale)};
  list.AddPolyline(points, 3, theme.muted, 0, std::max(1.0f, 1.6f * scale));
  return open;
}

void table_column(const char* name, ImGuiTableColumnFlags flags, float width_or_weight) {
  ImGui::TableSetupColumn(named_item(name).c_str(), flags, width_or_weight);
}

bool choice_row(const char* name, bool selected) {
  return ImGui::Selectable(named_item(name).c_str(), selected);
}

bool list_row(const char* id, Icon icon, const std::string& text, bool selected, const Theme& theme, float scale,
              const std::string& aside) {
  const float height = 34.0f * scale;
  const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = pressable(id, ImVec2(width, height));
  add_focus_stop(FocusOrder::Kind::kRow, selected);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!ImGui::IsItemVisible()) return clicked;
  const bool hovered = ImGui::IsItemHovered();
  if (selected || hovered) {
    list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), selected ? theme.accent_soft : theme.hover,
                       8.0f * scale);
  }
  // Told by more than its colour.
  if (selected)
    list.AddRectFilled(ImVec2(at.x, at.y + height * 0.25f), ImVec2(at.x + 3.0f * scale, at.y + height * 0.75f),
                       theme.accent, 1.5f * scale);
  focus_ring(theme, scale);
  draw_icon(list, icon, ImVec2(at.x + 18.0f * scale, at.y + height * 0.5f), 15.0f * scale,
            selected ? theme.accent : theme.muted);
  float room = width - 44.0f * scale;
  const float y = at.y + (height - ImGui::GetFontSize()) * 0.5f;
  const std::string line = one_line(text);
  if (!aside.empty()) {
    // The name comes first: what stands aside is cut where both have no room.
    ImFont* const font = ImGui::GetFont();
    const float name_width = std::min(text_width(drawable(line, font), font), room * 0.6f);
    const std::string cut = drawable(cut_to_width(aside, font, std::max(0.0f, room - name_width - 8.0f * scale)), font);
    const float aside_width = ImGui::CalcTextSize(cut.c_str()).x;
    room -= aside_width + 8.0f * scale;
    list.AddText(ImVec2(at.x + width - aside_width - 10.0f * scale, y), theme.muted, cut.c_str());
  }
  const std::string shown = cut_to_width(line, ImGui::GetFont(), room);
  list.AddText(ImVec2(at.x + 34.0f * scale, y), theme.text, drawable(shown, ImGui::GetFont()).c_str());
  if (hovered && shown.size() != line.size()) tooltip(line);
  return clicked;
}

void progress_bar(float fraction, const Theme& theme, float scale) {
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = 6.0f * scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), theme.border, height * 0.5f);
  const float filled = width * std::clamp(fraction, 0.0f, 1.0f);
  if (fraction > 0.0f) {
    list.AddRectFilled(at, ImVec2(at.x + std::max(filled, height), at.y + height), theme.accent, height * 0.5f);
  }
  ImGui::Dummy(ImVec2(width, height));
}

}  // namespace mneme::ui
