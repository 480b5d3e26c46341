#include "ui/widgets/splitter.h"

#include <algorithm>

#include <imgui_internal.h>

#include "ui/widgets/focus_order.h"
#include "ui/widgets/key_focus.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/widgets.h"

namespace mneme::ui {
namespace {

constexpr float kStep = 16.0f;  // of an arrow, at scale 1

// Arrows, Home and End move it while the keyboard is on it, instead of going on to what stands beside it.
void take_keys(float& panel_width, float side, const SplitterRange& range) {
  const float right =
      (key_pressed(ImGuiKey_RightArrow) ? kStep : 0.0f) - (key_pressed(ImGuiKey_LeftArrow) ? kStep : 0.0f);
  panel_width += side * right;
  if (key_pressed(ImGuiKey_Home)) panel_width = range.low;
  if (key_pressed(ImGuiKey_End)) panel_width = range.high;
  const bool up_or_down = key_pressed(ImGuiKey_UpArrow) || key_pressed(ImGuiKey_DownArrow);
  if (!up_or_down) ImGui::NavMoveRequestCancel();
}

}  // namespace

void splitter(const char* id, float& panel_width, float side, const SplitterRange& range, float thickness,
              const Theme& theme, float scale) {
  ImGui::SameLine(0, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  pressable(id, ImVec2(thickness, -1));
  add_focus_stop();
  focus_ring(theme, scale);
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool by_mouse = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (by_mouse) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const ImVec2 min = ImGui::GetItemRectMin();
    const ImVec2 max = ImGui::GetItemRectMax();
    const float x = (min.x + max.x) * 0.5f;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, min.y), ImVec2(x, max.y), theme.accent, 2.0f * scale);
  }
  if (ImGui::IsItemActive()) panel_width += side * ImGui::GetIO().MouseDelta.x / scale;
  if (ImGui::IsItemFocused() && ring_shown(g)) take_keys(panel_width, side, range);
  const bool pressed = g.NavActivateId == ImGui::GetItemID();
  if (pressed || (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)))
    panel_width = range.usual;
  panel_width = std::clamp(panel_width, range.low, range.high);
  ImGui::SameLine(0, 0);
  ImGui::PopStyleVar();
}

}  // namespace mneme::ui
