// What people do to the window: every event asks for frames; keys and characters wait for theirs; files are dropped.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <backends/imgui_impl_glfw.h>

#include "ui/shell/input_method.h"
#include "ui/shell/shell.h"
#include "ui/widgets/keys.h"

namespace mneme::ui {
namespace {

constexpr float kLeastDelta_s = 1e-5f;  // Dear ImGui takes no frame that lasts nothing

Shell& shell_of(GLFWwindow* window) {
  return *static_cast<Shell*>(glfwGetWindowUserPointer(window));
}

InputEvent::Kind kind_of(int action) {
  return action == GLFW_PRESS ? InputEvent::Kind::kPress : InputEvent::Kind::kRelease;
}

// Characters beyond 16 bits in two halves, as UTF-16 writes them; the editor puts them together (text_editor.cpp).
void type_character(unsigned character) {
  ImGuiIO& io = ImGui::GetIO();
  if (character < 0x10000) return io.AddInputCharacter(character);
  io.AddInputCharacter(0xd800 + ((character - 0x10000) >> 10));
  io.AddInputCharacter(0xdc00 + ((character - 0x10000) & 0x3ff));
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
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double) { shell_of(window).stir(); });
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int, int, int, int) { shell_of(window).stir(); });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned) { shell_of(window).stir(); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) {
    shell_of(window).look_at_size();
    shell_of(window).expose();
  });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { shell_of(window).expose(); });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* window, float, float) {
    shell_of(window).look_at_size();
    shell_of(window).expose();
  });
}

// In place of Dear ImGui's own callbacks, which those of focus and keys end in.
void Shell::set_up_input() {
  set_up_pointer();
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int focused) {
    ImGui_ImplGlfw_WindowFocusCallback(window, focused);
    shell_of(window).stir();
    if (focused != 0) shell_of(window).look_at_theme();
  });
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int mods) {
    Shell& shell = shell_of(window);
    shell.stir();
    if (action == GLFW_REPEAT) return;  // Dear ImGui repeats keys itself
    for (const InputEvent& event : shell.taken_keys_.told({kind_of(action), key, scancode, mods},
                                                          input_method::time_of_key(), input_method::has_taken_key()))
      shell.input_.push(event);
  });
  listen_to_input_method();
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
    shell_of(window).stir();
    shell_of(window).input_.push({InputEvent::Kind::kCharacter, static_cast<int>(character), 0, 0});
  });
}

void Shell::set_up_pointer() {
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) {
    shell_of(window).pointer_.moved(x, y);
    shell_of(window).stir();
  });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int entered) {
    if (entered == 0) shell_of(window).pointer_.left();
    shell_of(window).stir();
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int) {
    shell_of(window).pointer_.button(button, action == GLFW_PRESS);
    shell_of(window).stir();
  });
}

void Shell::listen_to_input_method() {
  input_method::listen({[this] {
                          drawer_->window().composing.composition = input_method::composition();
                          stir();
                        },
                        [this](int scancode, TakenKeys::Time time) {
                          for (const InputEvent& event : taken_keys_.given_back(scancode, time)) input_.push(event);
                          stir();
                        }});
}

// Where it is to show what there is to choose from.
void Shell::tell_input_method() {
  const ImVec2 caret = drawer_->window().composing.caret;
  if (caret.x < 0.0f || caret.y < 0.0f) return;
  input_method::tell_caret(static_cast<int>(std::lround(caret.x)), static_cast<int>(std::lround(caret.y)));
}

// What Dear ImGui is to know before a frame, from what the system has said: nothing is asked of it, as its backend's
// own function would.
void Shell::feed_surroundings() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(extent_.width), static_cast<float>(extent_.height));
  if (extent_.width > 0 && extent_.height > 0) {
    io.DisplayFramebufferScale = ImVec2(static_cast<float>(extent_.pixels_wide) / static_cast<float>(extent_.width),
                                        static_cast<float>(extent_.pixels_high) / static_cast<float>(extent_.height));
  }
  const Clock::time_point now = Clock::now();
  io.DeltaTime = std::max(kLeastDelta_s, std::chrono::duration<float>(now - std::exchange(fed_at_, now)).count());
  if (!pointer_.feed(io)) frames_left_ = std::max(frames_left_, 2);
}

void Shell::feed_input() {
  for (const InputEvent& event : input_.take(ImGui::GetIO().WantTextInput)) {
    if (event.kind == InputEvent::Kind::kCharacter) {
      type_character(static_cast<unsigned>(event.code));
    } else {
      const int action = event.kind == InputEvent::Kind::kPress ? GLFW_PRESS : GLFW_RELEASE;
      ImGui_ImplGlfw_KeyCallback(window_, event.code, event.scancode, action, event.mods);
    }
  }
  // As they were held then; Dear ImGui's backend takes them as they are now.
  const int mods = input_.modifiers();
  hold_modifiers({(mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0, (mods & GLFW_MOD_ALT) != 0,
                  (mods & GLFW_MOD_SUPER) != 0});
  if (!input_.empty()) frames_left_ = std::max(frames_left_, 2);
}

}  // namespace mneme::ui
