// Where Tab goes: through everything that can be pressed or written into, in the order it is drawn, across all panels.
// Dear ImGui's own Tab stays within one child window, and before 1.89 knows only its own text fields. Lists are one
// stop, within which arrows move. While a popup is open, Tab stays in it; so it does in what floats above the pages.
// Threads: the window's thread.
#pragma once

#include <vector>

#include <imgui.h>

struct ImGuiWindow;

namespace mneme::ui {

class FocusOrder {
 public:
  enum class Kind {
    kAlone,
    kField,  // takes the keyboard to be written into
    kRow     // of a list: with its neighbours one stop
  };
  // Before anything is drawn, and after everything is. `held`: Tab belongs to somebody else in this frame. False when
  // nothing is to be moved, true when the next frame must be drawn at once.
  void begin_frame();
  bool end_frame(bool held);

  // An item about to be drawn, or just drawn, in the current window; `preferred`: of a list, where to begin. True when
  // it is a field that takes the keyboard now.
  bool add(ImGuiID id, ImVec2 min, ImVec2 max, Kind kind, bool preferred = false);

  // Where everything stood that this frame has drawn, for tests: `room` is what its window leaves it.
  struct Place {
    const ImGuiWindow* window = nullptr;
    ImVec2 min, max;
    ImVec2 room_min, room_max;
  };
  const std::vector<Place>& places() const { return places_; }

  // What has been drawn so far lies behind what follows, and is not reached.
  void cover() { stops_.clear(); }

 private:
  struct Stop {
    ImGuiID id = 0;
    ImGuiWindow* window = nullptr;
    Kind kind = Kind::kAlone;
    bool preferred = false;
    bool has_focus = false;  // it, or a row of it
  };
  void leave_out_covered();

  std::vector<Stop> stops_;
  std::vector<Place> places_;
  ImGuiID wanted_ = 0;  // where Tab went in the frame before; 0: nowhere
};

// Of the current Dear ImGui context.
FocusOrder& current_focus_order();

// The last item is a stop; nothing when it is disabled.
void add_focus_stop(FocusOrder::Kind kind = FocusOrder::Kind::kAlone, bool preferred = false);

}  // namespace mneme::ui
