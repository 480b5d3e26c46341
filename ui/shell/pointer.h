// The mouse: where it is and which of its buttons are down, from the events that the window system sends, and the shape
// it is to have. Dear ImGui's own backend for GLFW asks for position and sizes in every frame, and each question waits
// until the X server has had a processor to answer it. Threads: the window's thread.
#pragma once

#include <array>
#include <deque>

#include <imgui.h>

struct GLFWwindow;
struct GLFWcursor;

namespace mneme::ui {

class Pointer {
 public:
  // Events, in the window's own units; between frames of the current context.
  void moved(double x, double y);
  void left();
  void button(int index, bool down);

  // What has come since the frame before. At most one button changes in a frame, and it does so where the mouse was
  // then: a click that was over before the frame began, or two of them, are seen as they were. False: there is more,
  // for the next frame.
  bool feed(ImGuiIO& io);

 private:
  struct Event {
    ImVec2 position;
    int button = -1;  // -1: it moved
    bool down = false;
  };
  void say(const Event& event);

  std::deque<Event> waiting_;
  ImVec2 position_{};
  std::array<bool, ImGuiMouseButton_COUNT> down_{};
};

// The pointer's shape over what is being done.
class PointerShape {
 public:
  // After a frame was built: as Dear ImGui wants it. The system is told when it changes.
  void show(GLFWwindow* window);

 private:
  std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> shapes_{};  // made when first wanted; GLFW frees them at its end
  ImGuiMouseCursor shown_ = ImGuiMouseCursor_Arrow;
};

}  // namespace mneme::ui
