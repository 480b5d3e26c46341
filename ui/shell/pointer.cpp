#include "ui/shell/pointer.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cfloat>

namespace mneme::ui {
namespace {

// GLFW 3.3 has no others.
int standard_shape(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput: return GLFW_IBEAM_CURSOR;
    case ImGuiMouseCursor_ResizeNS: return GLFW_VRESIZE_CURSOR;
    case ImGuiMouseCursor_ResizeEW: return GLFW_HRESIZE_CURSOR;
    case ImGuiMouseCursor_Hand: return GLFW_HAND_CURSOR;
    default: return GLFW_ARROW_CURSOR;
  }
}

}  // namespace

void Pointer::moved(double x, double y) {
  position_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
  inside_ = true;
}

// While a button is held, what it drags follows the mouse outside too; where it is let go there, the system says again
// that the mouse has left.
void Pointer::left() {
  inside_ = std::any_of(buttons_.begin(), buttons_.end(), [](const Button& b) { return b.down; });
}

void Pointer::button(int index, bool down) {
  if (index < 0 || static_cast<size_t>(index) >= buttons_.size()) return;
  Button& button = buttons_[static_cast<size_t>(index)];
  button.down = down;
  button.pressed = button.pressed || down;
}

void Pointer::feed([[maybe_unused]] ImGuiIO& io) {
#if IMGUI_VERSION_NUM < 18700
  io.MousePos = inside_ ? position_ : ImVec2(-FLT_MAX, -FLT_MAX);
  for (size_t i = 0; i < buttons_.size(); ++i) {
    io.MouseDown[i] = buttons_[i].down || buttons_[i].pressed;
    buttons_[i].pressed = false;
  }
#endif
}

void PointerShape::show(GLFWwindow* window) {
  const ImGuiMouseCursor wanted = std::max<ImGuiMouseCursor>(ImGui::GetMouseCursor(), ImGuiMouseCursor_Arrow);
  if (wanted == shown_) return;
  GLFWcursor*& shape = shapes_[static_cast<size_t>(wanted)];
  if (shape == nullptr) shape = glfwCreateStandardCursor(standard_shape(wanted));
  glfwSetCursor(window, shape);  // null: the arrow
  shown_ = wanted;
}

}  // namespace mneme::ui
