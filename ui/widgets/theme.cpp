#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace mneme::ui {
namespace {

// 0xRRGGBB and an opacity to Dear ImGui's packed colour.
constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
  return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, alpha);
}

ImVec4 vec(ImU32 colour) {
  return ImGui::ColorConvertU32ToFloat4(colour);
}

// Dear ImGui's colours by the theme's.
constexpr std::pair<ImGuiCol, ImU32 Theme::*> kColours[] = {{ImGuiCol_Text, &Theme::text},
                                                            {ImGuiCol_TextDisabled, &Theme::muted},
                                                            {ImGuiCol_WindowBg, &Theme::background},
                                                            {ImGuiCol_PopupBg, &Theme::raised},
                                                            {ImGuiCol_Border, &Theme::outline},
                                                            {ImGuiCol_FrameBg, &Theme::raised},
                                                            {ImGuiCol_FrameBgHovered, &Theme::hover},
                                                            {ImGuiCol_FrameBgActive, &Theme::hover},
                                                            {ImGuiCol_ScrollbarGrab, &Theme::outline},
                                                            {ImGuiCol_ScrollbarGrabHovered, &Theme::muted},
                                                            {ImGuiCol_ScrollbarGrabActive, &Theme::muted},
                                                            {ImGuiCol_CheckMark, &Theme::accent},
                                                            {ImGuiCol_SliderGrab, &Theme::accent},
                                                            {ImGuiCol_SliderGrabActive, &Theme::accent},
                                                            {ImGuiCol_Button, &Theme::raised},
                                                            {ImGuiCol_ButtonHovered, &Theme::hover},
                                                            {ImGuiCol_ButtonActive, &Theme::hover},
                                                            {ImGuiCol_Header, &Theme::accent_soft},
                                                            {ImGuiCol_HeaderHovered, &Theme::hover},
                                                            {ImGuiCol_HeaderActive, &Theme::accent_soft},
                                                            {ImGuiCol_Separator, &Theme::border},
                                                            {ImGuiCol_SeparatorHovered, &Theme::accent},
                                                            {ImGuiCol_SeparatorActive, &Theme::accent},
                                                            {ImGuiCol_TableHeaderBg, &Theme::background},
                                                            {ImGuiCol_TableBorderStrong, &Theme::border},
                                                            {ImGuiCol_TableBorderLight, &Theme::border},
                                                            {ImGuiCol_TextSelectedBg, &Theme::selection},
                                                            {ImGuiCol_NavHighlight, &Theme::accent},
                                                            {ImGuiCol_PlotHistogram, &Theme::accent}};
constexpr ImGuiCol kUnseen[] = {ImGuiCol_ChildBg, ImGuiCol_ScrollbarBg, ImGuiCol_TableRowBg, ImGuiCol_TableRowBgAlt};

}  // namespace

Theme light_theme() {
  Theme t;
  t.dark = false;
  t.background = rgb(0xffffff);
  t.surface = rgb(0xf5f5f2);
  t.raised = rgb(0xffffff);
  t.border = rgb(0xe0dfd8);
  t.outline = rgb(0x8a8982);
  t.text = rgb(0x22252b);
  t.muted = rgb(0x626771);
  t.accent = rgb(0x1f6f6b);
  t.accent_text = rgb(0xffffff);
  t.accent_soft = rgb(0xdcecea);
  t.hover = rgb(0xeaeae4);
  t.danger = rgb(0xb3261e);
  t.success = rgb(0x2a7549);
  t.passage = rgb(0xfdf5dc);
  t.highlight = rgb(0xffdf80);
  t.selection = rgb(0xb6dcd8);
  const unsigned stages[] = {0x7f899b, 0x4a90b8, 0x2f5d8c, 0xb87c1e, 0x8f6bb8, 0x1f6f6b, 0xa8567a, 0x6d7a33};
  std::transform(std::begin(stages), std::end(stages), t.stages, [](unsigned hex) { return rgb(hex); });
  return t;
}

Theme dark_theme() {
  Theme t;
  t.dark = true;
  t.background = rgb(0x191b1f);
  t.surface = rgb(0x131518);
  t.raised = rgb(0x23262b);
  t.border = rgb(0x33373e);
  t.outline = rgb(0x70767f);
  t.text = rgb(0xe6e7e9);
  t.muted = rgb(0xa0a6b0);
  t.accent = rgb(0x4fb3aa);
  t.accent_text = rgb(0x0d1b1a);
  t.accent_soft = rgb(0x203e3b);
  t.hover = rgb(0x2a2e34);
  t.danger = rgb(0xf2857c);
  t.success = rgb(0x76c893);
  t.passage = rgb(0x2b2818);
  t.highlight = rgb(0x6e5a14);
  t.selection = rgb(0x2d5a56);
  const unsigned stages[] = {0x8a94a6, 0x5fa8d3, 0x3f78b5, 0xe0a84e, 0xb08fd8, 0x4fb3aa, 0xd985a8, 0xb3c06a};
  std::transform(std::begin(stages), std::end(stages), t.stages, [](unsigned hex) { return rgb(hex); });
  return t;
}

void apply(const Theme& theme, float scale) {
  ImGuiStyle style;
  style.WindowPadding = ImVec2(16, 16);
  style.FramePadding = ImVec2(12, 8);
  style.ItemSpacing = ImVec2(8, 8);
  style.ItemInnerSpacing = ImVec2(8, 4);
  style.CellPadding = ImVec2(8, 6);
  style.ScrollbarSize = 10;
  style.GrabMinSize = 24;
  style.WindowRounding = 0;
  style.ChildRounding = 8;
  style.FrameRounding = 8;
  style.PopupRounding = 10;
  style.GrabRounding = 8;
  style.ScrollbarRounding = 8;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 1;
  style.ScaleAllSizes(scale);  // all but borders
  style.FrameBorderSize = style.PopupBorderSize = std::max(1.0f, std::floor(0.8f * scale));
  for (const auto& [colour, of_theme] : kColours) style.Colors[colour] = vec(theme.*of_theme);
  for (const ImGuiCol colour : kUnseen) style.Colors[colour] = ImVec4(0, 0, 0, 0);
  style.Colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.35f);
  ImGui::GetStyle() = style;
}

}  // namespace mneme::ui
