#include "rag/text/markup/rules.h"

#include <algorithm>

namespace mneme::rag {

namespace {

// "=====  =======": above, within and below a simple table of reStructuredText.
bool is_table_rule(std::string_view line) {
  return line.find("= ") != line.npos && line.starts_with("==") && line.find_first_not_of("= ") == line.npos;
}

// A row of such a table, its cells apart, as a paragraph of its own.
std::string table_row(std::string_view line) {
  std::string row;
  while (!line.empty()) {
    const std::string_view cell = line.substr(0, std::min(line.find("  "), line.size()));
    if (!cell.empty()) row += (row.empty() ? "" : "  ·  ") + std::string(cell);
    line.remove_prefix(cell.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
  return row + "\n\n";
}

// The next line with its end, taken off the text, which is not empty.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  text.remove_prefix(line.size());
  return line;
}

std::string_view without_end(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
}

// Of one kind of mark throughout.
bool is_title_rule(std::string_view line) {
  return line.size() >= 3 && std::string_view("=-~^\"'`#*+").find(line[0]) != std::string_view::npos &&
         line.find_first_not_of(line[0]) == std::string_view::npos;
}

}  // namespace

std::string without_rules(std::string_view text) {
  std::string kept;
  bool is_behind_text = false;
  bool is_in_table = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::string_view words = without_end(line);
    const bool is_rule = words.size() >= 3 && words.find_first_not_of('=') == std::string_view::npos;
    is_in_table = is_table_rule(words) || (is_in_table && !words.empty());
    if (is_in_table) {
      if (!is_table_rule(words)) kept += table_row(words);
    } else if (!is_rule || is_behind_text) {
      kept += line;
    }
    is_behind_text = !words.empty() && !is_rule;
  }
  return kept;
}

std::string without_title_rules(std::string_view text) {
  const std::string titled = without_rules(text);
  std::string kept;
  bool is_behind_text = false;
  for (std::string_view rest = titled; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::string_view words = without_end(line);
    if (!is_behind_text || !is_title_rule(words)) kept += line;
    is_behind_text = !words.empty() && !is_title_rule(words);
  }
  return kept;
}

}  // namespace mneme::rag
