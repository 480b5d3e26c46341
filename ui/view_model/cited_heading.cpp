#include "ui/view_model/cited_heading.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace mneme::ui {
namespace {

constexpr std::string_view kAbove = " > ";
constexpr size_t kMostMarks = 6;  // of a heading, says CommonMark

struct Heading {
  size_t level = 0;
  std::string text;
};

std::string_view without_margins(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "## Install ##" or "## Install {#setup}".
std::optional<Heading> heading_of(std::string_view line) {
  const size_t marks = std::min(line.find_first_not_of('#'), line.size());
  if (marks == 0 || marks > kMostMarks || marks == line.size() || (line[marks] != ' ' && line[marks] != '\t'))
    return {};
  std::string_view text = without_margins(line.substr(marks));
  if (const size_t anchor = text.rfind(" {#"); text.ends_with('}') && anchor != text.npos)
    text = text.substr(0, anchor);
  const size_t last = text.find_last_not_of('#');
  if (last != text.npos && last + 1 < text.size() && text[last] == ' ') text = without_margins(text.substr(0, last));
  return Heading{marks, std::string(text)};
}

std::vector<Heading> headings_of(std::string_view path) {
  std::vector<Heading> headings;
  while (!path.empty()) {
    const size_t end = std::min(path.find(kAbove), path.size());
    headings.push_back({headings.size() + 1, std::string(path.substr(0, end))});
    path.remove_prefix(std::min(end + kAbove.size(), path.size()));
  }
  return headings;
}

// The heading holds from here on, in place of those as deep or deeper.
void put(std::vector<Heading>& headings, Heading heading, bool first_line) {
  if (first_line && !headings.empty() && headings.back().text == heading.text) headings.pop_back();
  while (!headings.empty() && headings.back().level >= heading.level) headings.pop_back();
  headings.push_back(std::move(heading));
}

}  // namespace

std::string heading_above(std::string_view path, std::string_view passage, size_t byte) {
  std::vector<Heading> headings = headings_of(path);
  bool in_code = false;
  for (size_t begin = 0; begin <= byte && begin < passage.size();) {
    const size_t end = std::min(passage.find('\n', begin), passage.size());
    const std::string_view line = passage.substr(begin, end - begin);
    if (without_margins(line).starts_with("```") || without_margins(line).starts_with("~~~")) in_code = !in_code;
    if (std::optional<Heading> heading = in_code ? std::nullopt : heading_of(line))
      put(headings, *std::move(heading), begin == 0);
    begin = end + 1;
  }
  std::string above;
  for (const Heading& heading : headings) above += (above.empty() ? "" : std::string(kAbove)) + heading.text;
  return above;
}

}  // namespace mneme::ui
