#include "ui/view_model/text_columns.h"

#include <algorithm>

namespace mneme::ui {
namespace {

size_t line_end(std::string_view text, size_t begin) {
  return std::min(text.find('\n', begin), text.size());
}

bool is_empty_line(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

bool has_columns(std::string_view line) {
  constexpr std::string_view kEnds = ".!?:\"')";
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  for (size_t at = line.find_first_not_of(' '); (at = line.find("  ", at)) != line.npos;) {
    if (kEnds.find(line[at - 1]) == kEnds.npos) return true;
    at = line.find_first_not_of(' ', at);
  }
  return false;
}

std::vector<TextStretch> stretches_of(std::string_view text) {
  std::vector<TextStretch> stretches;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    int in_columns = 0;
    bool blank = false;
    // A paragraph, with the blank line behind it.
    while (end < text.size() && !blank) {
      const std::string_view line = text.substr(end, line_end(text, end) - end);
      blank = is_empty_line(line);
      in_columns += has_columns(line) ? 1 : 0;
      end = std::min(line_end(text, end) + 1, text.size());
    }
    const bool is_table = in_columns >= kLinesOfTable;
    if (!stretches.empty() && stretches.back().is_table == is_table) {
      std::string_view& last = stretches.back().text;
      last = text.substr(static_cast<size_t>(last.data() - text.data()), last.size() + end - begin);
    } else {
      stretches.push_back({text.substr(begin, end - begin), is_table});
    }
    begin = end;
  }
  return stretches;
}

}  // namespace mneme::ui
