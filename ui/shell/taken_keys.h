// Keys that an input method (IME) may keep for itself. GLFW hands on every key when it comes, also one that the method
// has taken, and says nothing when the method gives it back: Enter, pressed to accept what was composed, would ask the
// question too. Here a key that was taken waits until it is given back; one that never is belonged to the method.
// Threads: the window's thread.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ui/shell/input_queue.h"

namespace mneme::ui {

class TakenKeys {
 public:
  using Time = unsigned long;  // the X server's, of a key event: it stays when the event comes back

  // A key event as GLFW tells it, with the time of what X said last and whether the method has taken that: what is to
  // be seen of it now.
  std::vector<InputEvent> told(const InputEvent& event, Time time, bool taken);
  // The method wants nothing of this press: what waited of it, which is nothing if it did not.
  std::vector<InputEvent> given_back(int scancode, Time time);

 private:
  struct Held {
    InputEvent press;
    Time time = 0;
    std::optional<InputEvent> release;
  };
  std::map<int, Held> held_;  // by scancode
};

}  // namespace mneme::ui
