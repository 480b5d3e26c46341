#include "ui/panels/overlay.h"

#include <algorithm>

#include <imgui_internal.h>

#include "ui/widgets/focus_order.h"

namespace mneme::ui {
namespace {

// The pages step back behind what floats above them, and take neither clicks nor the mouse's wheel. True when what
// floats has lost the keyboard to a click beside it.
bool dim(PanelContext& c) {
  // From its second frame on a click does not bring it to the front; a window that is made so would lie behind all.
  const bool stays = ImGui::FindWindowByName("dim") != nullptr;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.dark ? IM_COL32(0, 0, 0, 130) : IM_COL32(40, 42, 48, 70));
  ImGui::Begin("dim", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   (stays ? ImGuiWindowFlags_NoBringToFrontOnFocus : 0));
  const bool clicked_beside = ImGui::IsWindowFocused();
  ImGui::End();
  ImGui::PopStyleColor();
  return clicked_beside;
}

}  // namespace

bool begin_overlay(PanelContext& c, const char* id, ImVec2 size) {
  const bool clicked_beside = dim(c);
  if (clicked_beside) ImGui::SetNextWindowFocus();
  current_focus_order().cover();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  size.x = std::max(80.0f, std::min(size.x, display.x - c.px(32)));
  size.y = std::max(60.0f, std::min(size.y, display.y - c.px(64)));
  ImGui::SetNextWindowPos(
      ImVec2((display.x - size.x) * 0.5f, std::min(std::max(c.px(24), display.y * 0.14f), display.y - size.y)));
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, c.px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  ImGui::Begin(id, nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  return clicked_beside;
}

void end_overlay() {
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace mneme::ui
