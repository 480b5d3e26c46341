// AsciiDoc: section titles, delimited blocks, lists and tables, by lines with exact places.
#include <string_view>

#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

int section_level(std::string_view text) {
  size_t level = 0;
  while (level < text.size() && text[level] == '=') ++level;
  return level > 0 && level <= 6 && level < text.size() && text[level] == ' ' ? static_cast<int>(level) : 0;
}

bool list_marker(std::string_view trimmed) {
  size_t mark = trimmed[0] == '*' ? trimmed.find_first_not_of('*') : trimmed.find_first_not_of('.');
  if (trimmed[0] == '-') mark = 1;
  return mark != std::string_view::npos && mark > 0 && mark < 6 && mark < trimmed.size() && trimmed[mark] == ' ';
}

bool delimits_code(std::string_view trimmed) {
  return trimmed.size() >= 4 && (all_of_char(trimmed, '-') || all_of_char(trimmed, '.') || all_of_char(trimmed, '+') ||
                                 all_of_char(trimmed, '/'));
}

void take_delimited(LineCursor& lines, BlockWriter& blocks, const Line& first) {
  blocks.begin(rag::BlockKind::kCode, first);
  Line line;
  while (lines.next(line)) {
    if (!line.blank()) blocks.extend(line);
    if (line.trimmed() == first.trimmed()) break;
  }
  blocks.close();
}

// "// .." and what stands between lines of four slashes and more. Without the second line it is code to the end.
bool take_comment(LineCursor& lines, const Line& first) {
  const std::string_view trimmed = first.trimmed();
  if (!trimmed.starts_with("//")) return false;
  if (trimmed.size() < 4 || !all_of_char(trimmed, '/')) return !trimmed.starts_with("///");
  LineCursor ahead = lines;
  Line line;
  while (ahead.next(line)) {
    if (line.trimmed() != trimmed) continue;
    lines = ahead;
    return true;
  }
  return false;
}

void take_attribute(rag::Document& document, std::string_view trimmed) {
  const size_t colon = trimmed.find(':', 1);
  if (colon == std::string_view::npos) return;
  take_metadata(document, trimmed.substr(1, colon - 1), trimmed.substr(colon + 1));
}

}  // namespace

void parse_asciidoc(rag::Document& document) {
  BlockWriter blocks(document);
  LineCursor lines(document.text);
  bool in_table = false;
  Line line;
  while (lines.next(line)) {
    const std::string_view trimmed = line.trimmed();
    if (trimmed.empty() || take_comment(lines, line)) {
      blocks.close();
    } else if (trimmed == "|===") {
      in_table = !in_table;
      blocks.close();
    } else if (in_table) {
      if (trimmed[0] == '|' || !blocks.open()) {
        blocks.begin(rag::BlockKind::kTableRow, line);
      } else {
        blocks.extend(line);
      }
    } else if (const int level = section_level(line.text)) {
      blocks.single(rag::BlockKind::kHeading, line, level);
      if (document.title.empty()) document.title = plain_inline(trimmed.substr(static_cast<size_t>(level)));
    } else if (delimits_code(trimmed)) {
      take_delimited(lines, blocks, line);
    } else if (list_marker(trimmed)) {
      blocks.begin(rag::BlockKind::kListItem, line);
    } else if (blocks.open()) {
      blocks.extend(line);
    } else {
      if (trimmed[0] == ':') take_attribute(document, trimmed);
      blocks.begin(rag::BlockKind::kParagraph, line);
    }
  }
}

}  // namespace mneme::readers
