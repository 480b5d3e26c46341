// Keys as Dear ImGui names them, before and after its input queue (1.87): Debian 12 ships 1.86, Ubuntu 24.04 1.90.
// Threads: the window's thread.
#pragma once

#include <imgui.h>

namespace mneme::ui {

inline bool key_pressed(ImGuiKey key, bool repeat = true) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(key, repeat);
#else
  return ImGui::IsKeyPressed(ImGui::GetIO().KeyMap[key], repeat);
#endif
}

inline bool enter_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  return key_pressed(ImGuiKey_Enter, false) || key_pressed(ImGuiKey_KeypadEnter, false);
#else
  return key_pressed(ImGuiKey_Enter, false) || key_pressed(ImGuiKey_KeyPadEnter, false);
#endif
}

// A letter ('A'..'Z') by its place on the keyboard's layout; GLFW's key codes are ASCII capitals.
inline bool letter_pressed(char letter, bool repeat = true) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'A')), repeat);
#else
  return ImGui::IsKeyPressed(static_cast<int>(letter), repeat);
#endif
}

}  // namespace mneme::ui
