// Keys, letters and the mouse, as panel tests use them: told to Dear ImGui by its events, which it has from 1.87 on,
// and before that in its tables.
#pragma once

#include <string>

#include <imgui.h>

namespace mneme::ui {

// A key, by what this version of Dear ImGui calls it.
struct Key {
  int code = 0;
};

#if IMGUI_VERSION_NUM >= 18700

inline void name_keys() {}
inline Key named(ImGuiKey key) {
  return {key};
}
// 'A' to 'Z', '0' to '9'.
inline Key letter(char c) {
  return {c >= 'A' ? ImGuiKey_A + (c - 'A') : ImGuiKey_0 + (c - '0')};
}
inline Key function_key(int n) {
  return {ImGuiKey_F1 + (n - 1)};
}
inline Key menu_key() {
  return {ImGuiKey_Menu};
}
inline void hold(Key key, bool down) {
  ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(key.code), down);
}
inline void hold_ctrl(bool down) {
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down);
}
inline void hold_shift(bool down) {
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, down);
}
inline void hold_alt(bool down) {
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Alt, down);
}
inline void move_mouse(ImVec2 to) {
  ImGui::GetIO().AddMousePosEvent(to.x, to.y);
}
inline void hold_button(int button, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(button, down);
}

#else

// Where the tests' keys stand in the table of those that are down: letters as GLFW has them, named ones behind.
constexpr int kFirstNamedKey = 400;

// Once a context is there.
inline void name_keys() {
  for (int i = 0; i < ImGuiKey_COUNT; ++i) ImGui::GetIO().KeyMap[i] = kFirstNamedKey + i;
}
inline Key named(ImGuiKey key) {
  return {kFirstNamedKey + key};
}
// 'A' to 'Z', '0' to '9'.
inline Key letter(char c) {
  return {c};
}
inline Key function_key(int n) {
  return {289 + n};  // GLFW_KEY_F1 is 290
}
inline Key menu_key() {
  return {348};  // GLFW_KEY_MENU
}
inline void hold(Key key, bool down) {
  ImGui::GetIO().KeysDown[key.code] = down;
}
inline void hold_ctrl(bool down) {
  ImGui::GetIO().KeyCtrl = down;
}
inline void hold_shift(bool down) {
  ImGui::GetIO().KeyShift = down;
}
inline void hold_alt(bool down) {
  ImGui::GetIO().KeyAlt = down;
}
inline void move_mouse(ImVec2 to) {
  ImGui::GetIO().MousePos = to;
}
inline void hold_button(int button, bool down) {
  ImGui::GetIO().MouseDown[button] = down;
}

#endif

inline void write(const std::string& text) {
  ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
}

}  // namespace mneme::ui
