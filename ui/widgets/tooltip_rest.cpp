#include "ui/widgets/tooltip_rest.h"

#include <utility>

#include <imgui_internal.h>

#include "ui/text/context_data.h"

namespace mneme::ui {

TooltipRest& current_tooltip_rest() {
  return *static_cast<const ContextData*>(ImGui::GetIO().UserData)->tooltip_rest;
}

bool TooltipRest::is_over() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  // Text is no item of its own.
  const ImGuiID on = g.HoveredId != 0 || g.HoveredWindow == nullptr ? g.HoveredId : g.HoveredWindow->ID;
  const bool stays = std::exchange(on_, on) == on && frame_ >= g.FrameCount - 1;
  frame_ = g.FrameCount;
  if (!stays) since_ = g.Time;
  const bool over = g.Time - since_ >= kRest_s;
  waits_ |= !over;
  return over;
}

}  // namespace mneme::ui
