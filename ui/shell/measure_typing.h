// How long a letter takes from the keyboard to the picture. Threads: the window's thread.
#pragma once

#include <optional>
#include <string>

#include "ui/shell/shell.h"

namespace mneme::ui {

// Types letters into the question one by one, each at another moment of the window's turns, and takes them out again.
// Between them the window goes on as it always does. Nothing where letters cannot be sent (typist.h).
std::optional<TypingLatency> measure_typing(Shell& shell, std::string name, int letters);

// Of times in milliseconds; all zero of none.
FrameTimes times_of(std::vector<double> times);

}  // namespace mneme::ui
