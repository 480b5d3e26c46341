// Plain text: paragraphs between blank lines, list items, underlined, all-capital or numbered headings, chapter lines.
#include <string>
#include <string_view>

#include "rag/readers/format_list.h"
#include "rag/readers/text_lines.h"
#include "rag/text/documents/section_numbers.h"
#include "rag/text/markup/task_mark.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongLine = 200;  // such a line is a paragraph of its own
constexpr size_t kLongestHeading = 70;

bool starts_list_item(std::string_view line) {
  if (line.size() < 3) return false;
  if ((line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ') return true;
  if (line.starts_with("\xe2\x80\xa2")) return true;  // a bullet
  if (rag::task_mark(line).n_bytes > 0) return true;
  size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  return digits > 0 && digits <= 3 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
         line[digits + 1] == ' ';
}

bool all_capitals(std::string_view line) {
  size_t letters = 0;
  for (const char c : line) {
    if (c >= 'a' && c <= 'z') return false;
    letters += c >= 'A' && c <= 'Z';
  }
  return letters >= 4 && letters * 2 >= line.size();
}

bool names_a_chapter(std::string_view line) {
  const std::string lower = lower_ascii(line.substr(0, 12));
  for (const std::string_view word : {"chapter ", "part ", "book ", "appendix ", "kapitel "}) {
    if (lower.starts_with(word)) return true;
  }
  // 第 ... 章/回/节
  if (!line.starts_with("\xe7\xac\xac")) return false;
  const std::string_view head = line.substr(0, 24);
  return head.find("\xe7\xab\xa0") != head.npos || head.find("\xe5\x9b\x9e") != head.npos ||
         head.find("\xe8\x8a\x82") != head.npos;
}

bool may_be_heading(std::string_view text) {
  return text.size() <= kLongestHeading && !text.ends_with('.') && !text.ends_with(',');
}

// Level of a heading that stands alone between blank lines; 0: it is none.
int lone_heading_level(const Line& line) {
  const std::string_view text = line.trimmed();
  if (!may_be_heading(text)) return 0;
  if (names_a_chapter(text)) return 1;
  return all_capitals(text) ? 2 : 0;
}

// Whether sections are numbered: two lone lines say so with more numbers than one, which no list does.
bool numbers_sections(const rag::Document& document) {
  LineCursor lines(document.text);
  Line line;
  Line following;
  bool after_blank = true;
  int found = 0;
  while (found < 2 && lines.next(line)) {
    const std::string_view text = line.trimmed();
    if (after_blank && may_be_heading(text) && rag::section_number(text).levels > 1 &&
        (!lines.peek(following) || following.blank())) {
      ++found;
    }
    after_blank = line.blank();
  }
  return found == 2;
}

// Headings of a text that numbers its sections.
class NumberedSections {
 public:
  explicit NumberedSections(const rag::Document& document) : any_(numbers_sections(document)) {}

  // Level of a lone line as such a heading; 0: it is none. `lines` stands behind it.
  int level(const Line& line, LineCursor lines) {
    const std::string_view text = line.trimmed();
    if (!any_ || !may_be_heading(text)) return 0;
    const rag::SectionNumber number = rag::section_number(text);
    if (number.levels == 0 || (number.levels == 1 && !goes_on(number.first, lines))) return 0;
    chapter_ = number.first;
    return number.levels;
  }

 private:
  // "1. Boil water" is the item of a list: it does not count on from the section before, or another item comes next.
  bool goes_on(int chapter, LineCursor lines) const {
    if (chapter_ >= 0 && chapter != chapter_ + 1) return false;
    Line next;
    while (lines.next(next)) {
      if (!next.blank()) return !(is_digit(next.trimmed().front()) && starts_list_item(next.trimmed()));
    }
    return false;
  }

  const bool any_;
  int chapter_ = -1;  // the last; -1: none yet
};

int underline_level(std::string_view underline, std::string_view title) {
  underline = trim(underline);
  if (underline.size() < 3 || underline.size() + 2 < trim(title).size()) return 0;
  if (all_of_char(underline, '=')) return 1;
  return all_of_char(underline, '-') || all_of_char(underline, '~') ? 2 : 0;
}

}  // namespace

void parse_plain(rag::Document& document) {
  BlockWriter blocks(document);
  NumberedSections sections(document);
  LineCursor lines(document.text);
  Line line;
  Line following;
  while (lines.next(line)) {
    if (line.blank()) {
      blocks.close();
      continue;
    }
    const bool last_of_paragraph = !lines.peek(following) || following.blank();
    if (!blocks.open() && !last_of_paragraph && line.text.size() <= kLongestHeading) {
      if (const int level = underline_level(following.text, line.text)) {
        blocks.begin(rag::BlockKind::kHeading, line, level);
        lines.next(line);
        blocks.extend(line);
        blocks.close();
        continue;
      }
    }
    if (!blocks.open() && last_of_paragraph) {
      const int level = sections.level(line, lines);
      if (const int found = level != 0 ? level : lone_heading_level(line)) {
        blocks.single(rag::BlockKind::kHeading, line, found);
        continue;
      }
    }
    if (starts_list_item(line.trimmed())) {
      blocks.begin(rag::BlockKind::kListItem, line);
    } else if (blocks.open() && line.text.size() < kLongLine) {
      blocks.extend(line);
    } else {
      blocks.begin(rag::BlockKind::kParagraph, line);
      if (line.text.size() >= kLongLine) blocks.close();
    }
  }
}

}  // namespace mneme::readers
