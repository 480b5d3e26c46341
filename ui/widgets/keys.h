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

// A digit ('0'..'9') of the main block.
inline bool digit_pressed(char digit) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_0 + (digit - '0')), false);
#else
  return ImGui::IsKeyPressed(static_cast<int>(digit), false);
#endif
}

// Plus and minus of the main block, for larger and smaller.
inline bool plus_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_Equal, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadAdd, false);
#else
  return ImGui::IsKeyPressed('=', false) || ImGui::IsKeyPressed(334, false);  // GLFW_KEY_KP_ADD
#endif
}
inline bool minus_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_Minus, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadSubtract, false);
#else
  return ImGui::IsKeyPressed('-', false) || ImGui::IsKeyPressed(333, false);  // GLFW_KEY_KP_SUBTRACT
#endif
}

// F1 .. F12.
inline bool function_key_pressed(int n) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_F1 + (n - 1)), false);
#else
  return ImGui::IsKeyPressed(289 + n, false);  // GLFW_KEY_F1 is 290
#endif
}

// The menu key, or Shift+F10 as on keyboards without one.
inline bool menu_key_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  const bool menu = ImGui::IsKeyPressed(ImGuiKey_Menu, false);
#else
  const bool menu = ImGui::IsKeyPressed(348, false);  // GLFW_KEY_MENU
#endif
  return menu || (ImGui::GetIO().KeyShift && function_key_pressed(10));
}

struct Modifiers {
  bool ctrl = false, shift = false, alt = false, super = false;
};

// Those that are held, for the next frame; behind all other events of it.
inline void hold_modifiers(const Modifiers& held) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(ImGuiMod_Ctrl, held.ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, held.shift);
  io.AddKeyEvent(ImGuiMod_Alt, held.alt);
  io.AddKeyEvent(ImGuiMod_Super, held.super);
#else
  io.KeyCtrl = held.ctrl;
  io.KeyShift = held.shift;
  io.KeyAlt = held.alt;
  io.KeySuper = held.super;
#endif
}

// A place to be pressed, by keys too. From 1.91.4 on arrows pass by what does not ask for them.
inline bool pressable(const char* id, ImVec2 size) {
#if IMGUI_VERSION_NUM >= 19140
  return ImGui::InvisibleButton(id, size, ImGuiButtonFlags_EnableNav);
#else
  return ImGui::InvisibleButton(id, size);
#endif
}

}  // namespace mneme::ui
