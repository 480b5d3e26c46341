// The input method (IME) of the window's X server: what it is composing, which keys it has taken, and where it should
// show its choices. GLFW 3.3 keeps its input context to itself and has it made for methods that show everything in a
// window of their own; so what GLFW asks Xlib for is answered here first (input_method.cpp). Where GLFW is not linked
// with Xlib (3.4 loads it by itself; Wayland), nothing is ever composed here or taken, and all is as GLFW has it.
// Threads: the window's thread.
#pragma once

#include <functional>

#include "ui/shell/taken_keys.h"
#include "ui/widgets/composition.h"

namespace mneme::ui::input_method {

struct Listener {
  std::function<void()> composed;  // something else is being composed now
  std::function<void(int scancode, TakenKeys::Time)> key_given_back;
};
// Called while GLFW polls. There is one window at a time; end() before it goes.
void listen(Listener listener);
void end();

const Composition& composition();

// Of the key that was pressed last: whether the method has it, and its time.
bool has_taken_key();
TakenKeys::Time time_of_key();

// The lower end of the caret within the window, pixels. Told when a method is at work and it has moved: the method
// answers, which takes a fraction of a millisecond.
void tell_caret(int x, int y);

}  // namespace mneme::ui::input_method
