// How long a letter takes from the keyboard to the picture, in milliseconds and in frames. Threads: the window's
// thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/shell/shell.h"

namespace mneme::ui {

// Types letters into the question one by one, each at another moment of the window's turns, and takes them out again.
// Between them the window goes on as it always does; `meanwhile` is called before each letter. Nothing where letters
// cannot be sent (typist.h).
//
// A frame is counted for a letter when it began, that is to say began to read events, after the letter had reached the
// window's connection: it could have shown it. One that began while the letter was still on its way through the X
// server could not, and is counted apart. The time runs from before the letter leaves for the server until the picture
// with it is finished, whatever came between.
std::optional<TypingLatency> measure_typing(Shell& shell, std::string name, int letters,
                                            const std::function<void()>& meanwhile);

// Of times in milliseconds; all zero of none.
FrameTimes times_of(std::vector<double> times);

}  // namespace mneme::ui
