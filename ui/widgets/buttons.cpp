#include "ui/widgets/buttons.h"

#include <algorithm>

#include <imgui_internal.h>

#include "ui/language/tr.h"
#include "ui/text/fonts.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/key_focus.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/labels.h"

namespace mneme::ui {

bool icon_button(Icon icon, const char* name, const Theme& theme, float scale, bool enabled) {
  const float size = 32.0f * scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::BeginDisabled(!enabled);
  const bool clicked = pressable(english_of(name), ImVec2(size, size));
  ImGui::EndDisabled();
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hovered && enabled) list.AddRectFilled(at, ImVec2(at.x + size, at.y + size), theme.hover, 8.0f * scale);
  draw_icon(list, icon, ImVec2(at.x + size * 0.5f, at.y + size * 0.5f), 16.0f * scale,
            enabled ? theme.text : theme.border);
  focus_ring(theme, scale);
  add_focus_stop();
  if (hovered) tooltip(name);
  return clicked && enabled;
}

namespace {

// Around a button, whose own colour may be that of the ring; of one at a panel's border too.
void ring_around_button(ImU32 colour) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImRect button(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (!ImGui::IsItemFocused() || !ring_shown(g) || !g.CurrentWindow->ClipRect.Contains(button)) return;
  const float rounding = ImGui::GetStyle().FrameRounding;  // 8 at scale 1
  const float thickness = std::max(1.0f, rounding * 0.25f);
  ImRect ring = button;
  ring.Expand(rounding * 0.375f);
  ImRect seen = ring;
  seen.Expand(thickness);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(seen.Min, seen.Max);
  list.AddRect(ring.Min, ring.Max, colour, rounding * 1.375f, 0, thickness);
  list.PopClipRect();
}

}  // namespace

bool plain_button(const char* label) {
  const ImU32 ring = ImGui::GetColorU32(ImGuiCol_NavHighlight);
  ImGui::PushStyleColor(ImGuiCol_NavHighlight, IM_COL32(0, 0, 0, 0));  // Dear ImGui's is as thin at every size
  const bool clicked = ImGui::Button(named_item(label).c_str());
  ImGui::PopStyleColor();
  ring_around_button(ring);
  add_focus_stop();
  return clicked;
}

bool primary_button(const char* label, const Theme& theme) {
  ImGui::PushStyleColor(ImGuiCol_Button, theme.accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme.accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, theme.accent);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.accent_text);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  const bool clicked = plain_button(label);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(4);
  return clicked;
}

bool small_button(const char* label, ImU32 colour, float scale) {
  ImGui::PushFont(current_fonts().fonts().small);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(8.0f * scale, 4.0f * scale));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  const bool clicked = plain_button(label);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(2);
  ImGui::PopFont();
  return clicked;
}

bool disclosure(const char* id, const std::string& all, bool open, ImU32 colour, const Theme& theme, float scale) {
  ImFont* font = current_fonts().fonts().small;
  const float tip = 14.0f * scale;  // of the arrow, with the space before the text
  const float end = 8.0f * scale;
  const float height = font_size(font) + 8.0f * scale;
  const std::string shown = cut_to_width(all, font, ImGui::GetContentRegionAvail().x - tip - end);
  const std::string text = drawable(shown, font);
  const float width = tip + text_width(text, font) + end;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = pressable(id, ImVec2(width, height));
  if (shown.size() != all.size() && ImGui::IsItemHovered()) tooltip(all);
  add_focus_stop();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), theme.hover, 6.0f * scale);
  focus_ring(theme, scale);
  const ImVec2 middle(at.x + 6.0f * scale, at.y + height * 0.5f);
  const float r = 3.5f * scale;
  const ImVec2 down[] = {
      {middle.x - r, middle.y - r * 0.5f}, {middle.x, middle.y + r * 0.6f}, {middle.x + r, middle.y - r * 0.5f}};
  const ImVec2 right[] = {
      {middle.x - r * 0.5f, middle.y - r}, {middle.x + r * 0.6f, middle.y}, {middle.x - r * 0.5f, middle.y + r}};
  list.AddPolyline(open ? down : right, 3, colour, 0, std::max(1.0f, 1.5f * scale));
  list.AddText(font, font_size(font), ImVec2(at.x + tip, at.y + 4.0f * scale), colour, text.c_str());
  return clicked;
}

void same_line_if_room(float width) {
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right) ImGui::SameLine();
}

float width_of_buttons(std::initializer_list<const char*> names) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float width = 0.0f;
  for (const char* name : names) {
    if (width > 0.0f) width += style.ItemSpacing.x;
    width += text_width(drawable(name, ImGui::GetFont()), ImGui::GetFont()) + 2.0f * style.FramePadding.x;
  }
  return width;
}

void same_line_if_room(const char* button) {
  same_line_if_room(width_of_buttons({button}));
}

void align_right(std::initializer_list<const char*> buttons) {
  ImGui::SameLine(std::max(0.0f, ImGui::GetWindowContentRegionMax().x - width_of_buttons(buttons)));
}

void focus_ring(const Theme& theme, float scale) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!ImGui::IsItemFocused() || !ring_shown(g)) return;
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 max = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRect(min, max, theme.accent, 8.0f * scale, 0, std::max(1.0f, 2.0f * scale));
}

}  // namespace mneme::ui
