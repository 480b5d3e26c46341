#include "ui/widgets/quoted_markdown.h"

#include <algorithm>
#include <vector>

namespace mneme::ui {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kMarks = "\\*_`<&~$";     // where they stand, they may begin something
constexpr std::string_view kMarksOfLines = "#>+=|";  // at the beginning of a line
constexpr std::string_view kBlanks = " \t";

// Bytes of "- ", "12. " or "3) " before the item of a list; 0: the line is none.
size_t marker_bytes(std::string_view line) {
  if (line.starts_with("- ")) return 2;
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0 || digits + 1 >= line.size() || line[digits + 1] != ' ') return 0;
  return line[digits] == '.' || line[digits] == ')' ? digits + 2 : 0;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(kBlanks) == std::string_view::npos;
}

struct Line {
  std::string_view text;
  bool code = false;  // between fences, or one of them
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  bool code = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool fence = line.starts_with(kFence);
    lines.push_back({line, code || fence});
    if (fence) code = !code;
    at = end + 1;
  }
  return lines;
}

bool is_item(const Line& line) {
  return !line.code && marker_bytes(line.text) > 0;
}

// Whether another item stands right before or behind: one alone is a sentence taken out of a list.
bool stands_in_list(const std::vector<Line>& lines, size_t at) {
  const auto begins_or_goes_on = [](const Line& line) {
    return is_item(line) || is_blank(line.text) || line.text.starts_with(' ');
  };
  for (size_t i = at; i-- > 0 && begins_or_goes_on(lines[i]);) {
    if (is_item(lines[i])) return true;
  }
  for (size_t i = at + 1; i < lines.size() && begins_or_goes_on(lines[i]); ++i) {
    if (is_item(lines[i])) return true;
  }
  return false;
}

void add_quoted_line(std::string_view line, std::string& out) {
  const size_t first = std::min(line.find_first_not_of(kBlanks), line.size());
  for (size_t i = 0; i < line.size(); ++i) {
    const bool mark = kMarks.find(line[i]) != std::string_view::npos;
    const bool begins = i == first && kMarksOfLines.find(line[i]) != std::string_view::npos;
    if (mark || begins) out.push_back('\\');
    out.push_back(line[i]);
  }
}

// Without its bullet; a number stays, as text.
void add_lone_item(std::string_view line, std::string& out) {
  const size_t marker = marker_bytes(line);
  if (line.starts_with("- ")) return add_quoted_line(line.substr(marker), out);
  out += line.substr(0, marker - 2);
  out.push_back('\\');
  add_quoted_line(line.substr(marker - 2), out);
}

}  // namespace

std::string as_quoted(std::string_view text) {
  const std::vector<Line> lines = lines_of(text);
  std::string out;
  bool in_list = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto& [line, code] = lines[i];
    const bool item = is_item(lines[i]);
    const bool listed = item && stands_in_list(lines, i);
    // What follows a list is a quotation of its own, not part of the last item.
    if (in_list && !listed && !is_blank(line) && !line.starts_with(' ')) {
      out.push_back('\n');
      in_list = false;
    }
    if (code) {
      out += line;
    } else if (item && !listed) {
      add_lone_item(line, out);
    } else {
      add_quoted_line(line, out);
    }
    in_list = listed || (in_list && !is_blank(line));
    if (i + 1 < lines.size() || text.ends_with('\n')) out.push_back('\n');
  }
  return out;
}

}  // namespace mneme::ui
