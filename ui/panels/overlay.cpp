#include "ui/panels/overlay.h"

#include <algorithm>

#include "ui/widgets/focus_order.h"

namespace mneme::ui {
namespace {

// The pages step back behind what floats above them.
void dim(PanelContext& c) {
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.dark ? IM_COL32(0, 0, 0, 130) : IM_COL32(40, 42, 48, 70));
  ImGui::Begin("dim", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace

bool begin_overlay(PanelContext& c, const char* id, ImVec2 size) {
  dim(c);
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
  return ImGui::Begin(id, nullptr,
                      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
}

void end_overlay() {
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace mneme::ui
