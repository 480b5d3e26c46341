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

void put(ImGuiIO& io, ImVec2 position) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(position.x, position.y);
#else
  io.MousePos = position;
#endif
}

void press(ImGuiIO& io, int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMouseButtonEvent(button, down);
#else
  io.MouseDown[button] = down;
#endif
}

}  // namespace

void Pointer::say(const Event& event) {
  if (event.button < 0 && !waiting_.empty() && waiting_.back().button < 0)
    waiting_.pop_back();  // only where it came to
  waiting_.push_back(event);
}

void Pointer::moved(double x, double y) {
  position_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
  say({position_});
}

// While a button is held, what it drags follows the mouse outside too; where it is let go there, the system says again
// that the mouse has left.
void Pointer::left() {
  if (std::none_of(down_.begin(), down_.end(), [](bool down) { return down; })) say({ImVec2(-FLT_MAX, -FLT_MAX)});
}

void Pointer::button(int index, bool down) {
  if (index < 0 || static_cast<size_t>(index) >= down_.size()) return;
  down_[static_cast<size_t>(index)] = down;
  say({position_, index, down});
}

bool Pointer::feed(ImGuiIO& io) {
  while (!waiting_.empty()) {
    const Event event = waiting_.front();
    waiting_.pop_front();
    if (event.button < 0) {
      put(io, event.position);
      continue;
    }
    press(io, event.button, event.down);
    break;  // what came behind it is another frame's
  }
  return waiting_.empty();
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
