#include "ui/shell/partial_present.h"

#include <GLFW/glfw3.h>

namespace mneme::ui {
namespace {

// GLX's own functions are found as OpenGL's are; its headers would bring all of Xlib.
template <typename Function>
Function find_function(const char* name) {
  return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

}  // namespace

void PartialPresent::find() {
  if (glfwExtensionSupported("GLX_MESA_copy_sub_buffer") != GLFW_TRUE) return;
  const auto current_display = find_function<void* (*)()>("glXGetCurrentDisplay");
  const auto current_drawable = find_function<unsigned long (*)()>("glXGetCurrentDrawable");
  const auto copy = find_function<Copy>("glXCopySubBufferMESA");
  if (current_display == nullptr || current_drawable == nullptr || copy == nullptr) return;
  display_ = current_display();
  drawable_ = current_drawable();
  if (display_ != nullptr && drawable_ != 0) copy_ = copy;
}

void PartialPresent::show(int x, int y, int width, int height) const {
  copy_(display_, drawable_, x, y, width, height);
}

}  // namespace mneme::ui
