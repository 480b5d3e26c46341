// How a line of a list begins that is a task: a box, empty or ticked ("[ ]", "[x]", ☐, ☑, ☒), or what todo.txt has
// ("(A) call", "x 2026-03-13 paid"). Threads: pure function.
#pragma once

#include <cstddef>
#include <string_view>

namespace mneme::rag {

struct TaskMark {
  size_t n_bytes = 0;  // of the line, without what it says; 0: no task begins so
  bool done = false;
};

// line: trimmed, without the bullet or number that it may have before the mark.
TaskMark task_mark(std::string_view line);

}  // namespace mneme::rag
