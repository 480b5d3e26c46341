// Plain text: paragraphs between blank lines, list items, underlined or all-capital headings, chapter lines.
#include <string>
#include <string_view>

#include "rag/readers/format_list.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongLine = 200;  // such a line is a paragraph of its own
constexpr size_t kLongestHeading = 70;

bool starts_list_item(std::string_view line) {
  if (line.size() < 3) return false;
  if ((line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ') return true;
  if (line.starts_with("\xe2\x80\xa2")) return true;  // a bullet
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

// Level of a heading that stands alone between blank lines; 0: it is none.
int lone_heading_level(const Line& line) {
  const std::string_view text = line.trimmed();
  if (text.size() > kLongestHeading || text.ends_with('.') || text.ends_with(',')) return 0;
  if (names_a_chapter(text)) return 1;
  return all_capitals(text) ? 2 : 0;
}

int underline_level(std::string_view underline, std::string_view title) {
  underline = trim(underline);
  if (underline.size() < 3 || underline.size() + 2 < trim(title).size()) return 0;
  if (all_of_char(underline, '=')) return 1;
  return all_of_char(underline, '-') || all_of_char(underline, '~') ? 2 : 0;
}

}  // namespace

void parse_plain(rag::Document& document) {
  BlockWriter blocks(document);
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
      if (const int level = lone_heading_level(line)) {
        blocks.single(rag::BlockKind::kHeading, line, level);
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
