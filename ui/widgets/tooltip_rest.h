// Tooltips come when the mouse has rested on something: on its way across a list it would meet one at every row.
// Threads: the window's thread.
#pragma once

#include <imgui.h>

namespace mneme::ui {

class TooltipRest {
 public:
  static constexpr double kRest_s = 0.4;

  // Before anything is drawn.
  void begin_frame() { waits_ = false; }
  // A tooltip is wanted for what the mouse is on, in this frame; whether it has been there for long enough.
  bool is_over();
  // One is wanted that is to be drawn later, by a frame that nothing else asks for.
  bool waits() const { return waits_; }

 private:
  ImGuiID on_ = 0;
  int frame_ = -1;  // that asked last
  double since_ = 0.0;
  bool waits_ = false;
};

// Of the current Dear ImGui context.
TooltipRest& current_tooltip_rest();

}  // namespace mneme::ui
