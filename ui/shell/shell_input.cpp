// What people do to the window: every event asks for frames; keys and characters wait for theirs; files are dropped.
#include <GLFW/glfw3.h>

#include <algorithm>

#include <backends/imgui_impl_glfw.h>

#include "ui/shell/shell.h"

namespace mneme::ui {
namespace {

Shell& shell_of(GLFWwindow* window) {
  return *static_cast<Shell*>(glfwGetWindowUserPointer(window));
}

}  // namespace

// Whatever people do to the window asks for frames. Set before Dear ImGui's callbacks, which call these first.
void Shell::notice_input() {
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    WindowState& state = shell_of(window).drawer_->window();
    for (int i = 0; i < count; ++i) state.dropped_paths.emplace_back(paths[i]);
    state.page = Page::kLibrary;
    shell_of(window).stir();
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double, double) { shell_of(window).stir(); });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int) { shell_of(window).stir(); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int, int, int) { shell_of(window).stir(); });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double) { shell_of(window).stir(); });
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int, int, int, int) { shell_of(window).stir(); });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned) { shell_of(window).stir(); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) { shell_of(window).expose(); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { shell_of(window).expose(); });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* window, float, float) { shell_of(window).expose(); });
}

// In place of Dear ImGui's own callbacks, which these end in.
void Shell::set_up_input() {
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int focused) {
    ImGui_ImplGlfw_WindowFocusCallback(window, focused);
    shell_of(window).stir();
    if (focused != 0) shell_of(window).look_at_theme();
  });
#if IMGUI_VERSION_NUM < 18700
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int mods) {
    shell_of(window).stir();
    if (action == GLFW_REPEAT) return;  // Dear ImGui repeats keys itself
    const auto kind = action == GLFW_PRESS ? InputEvent::Kind::kPress : InputEvent::Kind::kRelease;
    shell_of(window).input_.push({kind, key, scancode, mods});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
    shell_of(window).stir();
    shell_of(window).input_.push({InputEvent::Kind::kCharacter, static_cast<int>(character), 0, 0});
  });
#endif
}

void Shell::feed_input() {
  for (const InputEvent& event : input_.take()) {
    if (event.kind == InputEvent::Kind::kCharacter) {
      ImGui_ImplGlfw_CharCallback(window_, static_cast<unsigned>(event.code));
    } else {
      const int action = event.kind == InputEvent::Kind::kPress ? GLFW_PRESS : GLFW_RELEASE;
      ImGui_ImplGlfw_KeyCallback(window_, event.code, event.scancode, action, event.mods);
    }
  }
  if (!input_.empty()) frames_left_ = std::max(frames_left_, 2);
}

}  // namespace mneme::ui
