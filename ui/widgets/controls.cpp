#include "ui/widgets/controls.h"

#include <algorithm>
#include <iterator>

#include <imgui.h>

#include "ui/language/tr.h"
#include "ui/widgets/focus_order.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kKnob = 16.0f;
constexpr float kTrack = 4.0f;

// Dear ImGui's slider does the work unseen; track and knob are drawn in its place.
template <typename Drag>
bool unseen(const Drag& drag, float width, float scale) {
  constexpr ImGuiCol kHidden[] = {ImGuiCol_FrameBg,    ImGuiCol_FrameBgHovered,   ImGuiCol_FrameBgActive,
                                  ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_Text};
  for (const ImGuiCol colour : kHidden) ImGui::PushStyleColor(colour, IM_COL32(0, 0, 0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, kKnob * scale);
  ImGui::SetNextItemWidth(width);
  drag();
  add_focus_stop();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(static_cast<int>(std::size(kHidden)));
  return ImGui::IsItemDeactivatedAfterEdit();
}

// `share`: how far along the value stands, 0 to 1.
void draw_slider(float share, const Theme& theme, float scale) {
  const ImVec2 min = ImGui::GetItemRectMin();
  const ImVec2 max = ImGui::GetItemRectMax();
  const float radius = kKnob * 0.5f * scale;
  const float y = (min.y + max.y) * 0.5f;
  const float left = min.x + radius;
  const float right = std::max(left, max.x - radius);
  const ImVec2 knob(left + std::clamp(share, 0.0f, 1.0f) * (right - left), y);
  const float half = kTrack * 0.5f * scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImVec2(min.x, y - half), ImVec2(max.x, y + half), theme.outline, half);
  list.AddRectFilled(ImVec2(min.x, y - half), ImVec2(knob.x, y + half), theme.accent, half);
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (hot) list.AddCircleFilled(knob, radius + 3.0f * scale, theme.accent_soft);
  list.AddCircleFilled(knob, radius, theme.accent);
  list.AddCircleFilled(knob, radius - 3.0f * scale, theme.raised);
}

template <typename T, typename Drag>
bool draw_with_meaning(const T& value, T low, T high, const std::string& meaning, float width, const Theme& theme,
                       float scale, const Drag& drag) {
  const bool changed = unseen(drag, width, scale);
  draw_slider(static_cast<float>(value - low) / static_cast<float>(high - low), theme, scale);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  label(meaning, ImGui::GetFont(), theme.muted);
  return changed;
}

}  // namespace

bool slider(const char* id, int& value, int low, int high, const char* format, const std::string& meaning, float width,
            const Theme& theme, float scale) {
  return draw_with_meaning(value, low, high, meaning, width, theme, scale,
                           [&] { ImGui::SliderInt(id, &value, low, high, format, ImGuiSliderFlags_NoInput); });
}

bool slider(const char* id, float& value, float low, float high, const char* format, const std::string& meaning,
            float width, const Theme& theme, float scale) {
  return draw_with_meaning(value, low, high, meaning, width, theme, scale,
                           [&] { ImGui::SliderFloat(id, &value, low, high, format, ImGuiSliderFlags_NoInput); });
}

bool choose_one(const char* id, std::span<const Option> options, int& chosen, const Theme& theme, float scale) {
  bool changed = false;
  const float height = ImGui::GetFrameHeight();
  const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float gap = 6.0f * scale;
  ImGui::PushID(id);
  for (size_t i = 0; i < options.size(); ++i) {
    const std::string name = drawable(options[i].name, ImGui::GetFont());
    const ImVec2 text = ImGui::CalcTextSize(name.c_str());
    const float width = text.x + 28.0f * scale;
    if (i > 0 && ImGui::GetItemRectMax().x + gap + width <= end) ImGui::SameLine(0.0f, gap);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool is_chosen = static_cast<int>(i) == chosen;
    if (pressable(english_of(options[i].name), ImVec2(width, height)) && !is_chosen) {
      chosen = static_cast<int>(i);
      changed = true;
    }
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 corner(at.x + width, at.y + height);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, corner, is_chosen ? theme.accent_soft : hovered ? theme.hover : theme.raised, height * 0.5f);
    // Within the rectangle: what stood out of it would be cut off at a panel's border.
    const float line = is_chosen ? 2.0f * scale : 1.0f;
    const float inset = (line - 1.0f) * 0.5f;
    list.AddRect(ImVec2(at.x + inset, at.y + inset), ImVec2(corner.x - inset, corner.y - inset),
                 is_chosen ? theme.accent : theme.outline, height * 0.5f, 0, line);
    list.AddText(ImVec2(at.x + 14.0f * scale, at.y + (height - text.y) * 0.5f), is_chosen ? theme.accent : theme.text,
                 name.c_str());
    focus_ring(theme, scale);
    add_focus_stop(FocusOrder::Kind::kRow, is_chosen);
    if (hovered && options[i].meaning != nullptr) tooltip(options[i].meaning);
  }
  ImGui::PopID();
  return changed;
}

bool toggle(const char* name, bool& on, const Theme& theme, float scale) {
  const float height = ImGui::GetFrameHeight();
  const float track_height = 20.0f * scale;
  const float track_width = 36.0f * scale;
  const std::string shown = drawable(name, ImGui::GetFont());
  const ImVec2 text = ImGui::CalcTextSize(shown.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = track_width + 10.0f * scale;
  const bool clicked = pressable(english_of(name), ImVec2(room + text.x + 4.0f * scale, height));
  add_focus_stop();
  if (clicked) on = !on;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = at.y + (height - track_height) * 0.5f;
  const float radius = track_height * 0.5f;
  const ImU32 ground = on ? theme.accent : ImGui::IsItemHovered() ? theme.muted : theme.outline;
  list.AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + track_width, top + track_height), ground, radius);
  const float knob = at.x + (on ? track_width - radius : radius);
  list.AddCircleFilled(ImVec2(knob, top + radius), radius - 3.0f * scale, theme.raised);
  list.AddText(ImVec2(at.x + room, at.y + (height - text.y) * 0.5f), theme.text, shown.c_str());
  focus_ring(theme, scale);
  return clicked;
}

}  // namespace mneme::ui
