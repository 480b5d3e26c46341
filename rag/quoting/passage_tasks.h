// The tasks that a passage holds, of any format: lines with a box, those of todo.txt, entries of calendars and of
// Org-mode that have a status, "TODO: ...", and lists under "Action items". Threads: pure function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rag/quoting/outline/passage_outline.h"

namespace mneme::rag {

struct PassageTask {
  size_t byte_begin = 0;  // of the passage: the line that says it is one
  size_t byte_end = 0;
  std::string text;   // one line, without its mark
  std::string under;  // the heading that it stands under; "" where that only says that they are tasks
  bool done = false;
};

// In order. None in source code, where "TODO" is for those who work on it.
std::vector<PassageTask> tasks_of(const PassageOutline& outline);

// Of a text whose every line is a task, as a todo.txt has them, with a mark before it or without.
std::vector<PassageTask> tasks_in_lines(std::string_view text);
// "todo.txt", "done.txt", by the file's name with its folders.
bool has_tasks_in_lines(std::string_view path);

}  // namespace mneme::rag
