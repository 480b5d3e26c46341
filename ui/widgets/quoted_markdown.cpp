#include "ui/widgets/quoted_markdown.h"

#include <algorithm>

namespace mneme::ui {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kMarks = "\\*_`<&~$";     // where they stand, they may begin something
constexpr std::string_view kMarksOfLines = "#>+=|";  // at the beginning of a line

void add_quoted_line(std::string_view line, std::string& out) {
  const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  for (size_t i = 0; i < line.size(); ++i) {
    const bool mark = kMarks.find(line[i]) != std::string_view::npos;
    const bool begins = i == first && kMarksOfLines.find(line[i]) != std::string_view::npos;
    if (mark || begins) out.push_back('\\');
    out.push_back(line[i]);
  }
}

}  // namespace

std::string as_quoted(std::string_view text) {
  std::string out;
  bool code = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool fence = line.starts_with(kFence);
    if (code || fence) {
      out += line;
    } else {
      add_quoted_line(line, out);
    }
    if (fence) code = !code;
    if (end < text.size()) out.push_back('\n');
    at = end + 1;
  }
  return out;
}

}  // namespace mneme::ui
