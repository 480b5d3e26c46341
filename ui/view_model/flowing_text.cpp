#include "ui/view_model/flowing_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "ui/view_model/text_columns.h"

namespace mneme::ui {
namespace {

constexpr size_t kLeastLine = 40;     // characters; shorter ones are verses, lists, columns
constexpr size_t kLongestLine = 132;  // nobody breaks lines there: they end where their writer wanted it
constexpr size_t kSlack = 2;          // editors break a little early
constexpr char32_t kScriptsWithoutSpaces = 0x2e80;

struct Line {
  size_t begin = 0;
  size_t end = 0;  // of its line's end, or of the text
  size_t n_characters = 0;
};

Line line_at(std::string_view text, size_t begin) {
  Line line{begin, std::min(text.find('\n', begin), text.size()), 0};
  for (size_t at = begin; at < line.end; ++line.n_characters) utf8::next(text, at);
  return line;
}

bool is_blank(std::string_view text, const Line& line) {
  return text.substr(line.begin, line.end - line.begin).find_first_not_of(" \t\r") == std::string_view::npos;
}

bool is_letter(char32_t c) {
  return c < 0x80 ? std::isalpha(static_cast<int>(c)) != 0 : c >= 0xc0;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Rules of headings and tables have none.
bool has_letter(std::string_view text, const Line& line) {
  for (size_t at = line.begin; at < line.end;) {
    if (is_letter(utf8::next(text, at))) return true;
  }
  return false;
}

// "3. ", "3) ": an item of a list.
bool begins_item(std::string_view line) {
  const size_t digits = static_cast<size_t>(std::find_if_not(line.begin(), line.end(), is_digit) - line.begin());
  const bool marked = digits > 0 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')');
  return marked && line[digits + 1] == ' ';
}

// Whether what a line begins with may stand in the middle of a sentence that the line before has begun. Where both
// begin with a digit, they are a log or a table.
bool may_go_on(std::string_view text, const Line& before, const Line& line) {
  if (is_digit(text[line.begin]))
    return !is_digit(text[before.begin]) && !begins_item(text.substr(line.begin, line.end - line.begin));
  size_t at = line.begin;
  const char32_t first = utf8::next(text, at);
  return is_letter(first) && first < kScriptsWithoutSpaces;
}

size_t first_word(std::string_view text, const Line& line) {
  const std::string_view all = text.substr(line.begin, line.end - line.begin);
  const std::string_view word = all.substr(0, all.find(' '));
  size_t characters = 0;
  for (size_t at = 0; at < word.size(); ++characters) utf8::next(word, at);
  return characters;
}

// One paragraph's lines.
void join(std::string& text, const std::vector<Line>& lines) {
  size_t width = 0;
  int in_columns = 0;
  for (const Line& line : lines) {
    width = std::max(width, line.n_characters);
    in_columns += has_columns(std::string_view(text).substr(line.begin, line.end - line.begin)) ? 1 : 0;
  }
  if (width > kLongestLine || in_columns >= kLinesOfTable) return;
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    const Line& line = lines[i];
    const Line& next = lines[i + 1];
    const bool full = line.n_characters + 1 + first_word(text, next) + kSlack > width;
    const bool prose = has_letter(text, line) && has_letter(text, next) && may_go_on(text, line, next);
    if (line.n_characters >= kLeastLine && full && prose) text[line.end] = ' ';
  }
}

}  // namespace

bool has_flowing_lines(std::string_view format) {
  constexpr std::array<std::string_view, 4> kFormats = {"text", "pdf", "rst", "asciidoc"};
  return std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end();
}

std::string flowing(std::string text) {
  std::vector<Line> paragraph;
  for (size_t begin = 0; begin < text.size();) {
    const Line line = line_at(text, begin);
    begin = line.end + 1;
    if (!is_blank(text, line)) {
      paragraph.push_back(line);
      continue;
    }
    join(text, paragraph);
    paragraph.clear();
  }
  join(text, paragraph);
  return text;
}

std::string flowing_markdown(std::string text) {
  const std::string flowed = flowing(std::move(text));
  std::string markdown;
  for (size_t begin = 0; begin < flowed.size();) {
    const Line line = line_at(flowed, begin);
    markdown.append(flowed, begin, line.end - begin);
    if (line.end == flowed.size()) break;
    begin = line.end + 1;
    const bool goes_on = begin < flowed.size() && !is_blank(flowed, line) && !is_blank(flowed, line_at(flowed, begin));
    markdown += goes_on ? "  \n" : "\n";
  }
  return markdown;
}

}  // namespace mneme::ui
