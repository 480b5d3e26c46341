#include "rag/text/markup/task_mark.h"

#include <algorithm>

#include "base/ascii.h"

namespace mneme::rag {

namespace {

struct Box {
  std::string_view written;
  bool done;
};
constexpr Box kBoxes[] = {{"[ ] ", false},   {"[x] ", true},   {"[X] ", true},
                          {"\u2610", false}, {"\u2611", true}, {"\u2612", true}};

constexpr size_t kPriorityBytes = 4;  // "(A) "

// "(C) 2009", "(C) by": whose it is.
bool tells_owner(std::string_view line) {
  const std::string_view behind = line.substr(kPriorityBytes);
  const bool year = !behind.empty() && is_digit(behind[0]) && behind.find('-') != 4;
  return line.starts_with("(C)") && (behind.starts_with("by ") || behind.starts_with("Copyright") || year);
}

bool has_priority(std::string_view line) {
  return line.size() > kPriorityBytes && line[0] == '(' && line[1] >= 'A' && line[1] <= 'Z' &&
         line.substr(2, 2) == ") " && !tells_owner(line);
}

// Behind the x stands when.
bool is_done_by_date(std::string_view line) {
  return line.size() > 12 && line.starts_with("x ") && is_digit(line[2]) && line[6] == '-' && line[9] == '-';
}

}  // namespace

TaskMark task_mark(std::string_view line) {
  for (const Box& box : kBoxes) {
    if (!line.starts_with(box.written) || line.size() == box.written.size()) continue;
    return {std::min(line.find_first_not_of(' ', box.written.size()), line.size()), box.done};
  }
  if (has_priority(line)) return {kPriorityBytes, false};
  return is_done_by_date(line) ? TaskMark{2, true} : TaskMark{};
}

}  // namespace mneme::rag
