// The ring around what keys have reached, as Dear ImGui keeps it before and after 1.91.4.
#pragma once

#include <imgui_internal.h>

namespace mneme::ui {

#if IMGUI_VERSION_NUM >= 19140
inline bool ring_shown(const ImGuiContext& g) {
  return g.NavCursorVisible;
}
inline void show_ring(ImGuiContext& g, bool shown) {
  g.NavCursorVisible = shown;
}
// Keys were the last to choose, not the mouse.
inline bool chosen_by_keys(const ImGuiContext& g) {
  return g.NavHighlightItemUnderNav;
}
inline void choose_by_keys(ImGuiContext& g) {
  g.NavHighlightItemUnderNav = true;
}
#else
inline bool ring_shown(const ImGuiContext& g) {
  return !g.NavDisableHighlight;
}
inline void show_ring(ImGuiContext& g, bool shown) {
  g.NavDisableHighlight = !shown;
}
// Keys were the last to choose, not the mouse.
inline bool chosen_by_keys(const ImGuiContext& g) {
  return g.NavDisableMouseHover;
}
inline void choose_by_keys(ImGuiContext& g) {
  g.NavDisableMouseHover = true;
}
#endif

// The item drawn last cannot be used now. Its flags have changed their name in 1.91.5.
template <typename Context>
bool last_item_disabled(const Context& g) {
  if constexpr (requires { g.LastItemData.ItemFlags; }) {
    return (g.LastItemData.ItemFlags & ImGuiItemFlags_Disabled) != 0;
  } else {
    return (g.LastItemData.InFlags & ImGuiItemFlags_Disabled) != 0;
  }
}

// Whether letters are for a field, which is known from the next frame on (io.WantTextInput). From 1.92 on it is asked
// for where input methods are told of it, and whatever else is said is forgotten at the frame's end.
template <typename Context>
void want_text(Context& g, bool wanted) {
  g.WantTextInputNextFrame = wanted ? 1 : 0;
  if constexpr (requires { g.PlatformImeData.WantTextInput; }) {
    g.PlatformImeData.WantTextInput = wanted;
    g.PlatformImeData.ViewportId = g.Viewports[0]->ID;
  }
}

}  // namespace mneme::ui
