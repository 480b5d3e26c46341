// Pages of Zim: headings between rows of "=", lists, boxes to tick, blocks of code; below a head of fields. Mark-up
// within lines stays.
#include <string>
#include <string_view>

#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/notes/note_readers.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kKind = "Content-Type: text/x-zim-wiki";

// "====== Title ======": the more signs, the higher, from six to two; 0: no heading.
int heading_level_of(std::string_view line) {
  const size_t signs = std::min(line.find_first_not_of('='), line.size());
  const size_t text_ends = line.find_last_not_of('=');
  if (signs < 2 || text_ends == line.npos || line[signs] != ' ' || line[text_ends] != ' ') return 0;
  if (line.size() - text_ends < 3) return 0;
  return 7 - static_cast<int>(std::min<size_t>(signs, 6));
}

std::string_view heading_text(std::string_view line) {
  const size_t begin = line.find_first_not_of("= ");
  const size_t end = line.find_last_not_of("= ");
  return begin == line.npos ? std::string_view() : line.substr(begin, end + 1 - begin);
}

// "* item", "[*] done", "1. first", "a. first"
bool is_item(std::string_view line) {
  if (line.starts_with("* ") || (line.size() > 3 && line[0] == '[' && line[2] == ']' && line[3] == ' ')) return true;
  const size_t mark = line.find_first_not_of("0123456789");
  const bool letter = line.size() > 2 && is_letter(line[0]) && line[1] == '.' && line[2] == ' ';
  return letter || (mark != line.npos && mark > 0 && mark < 4 && line.substr(mark).starts_with(". "));
}

// The fields above the first empty line.
void take_head(rag::Document& document, LineCursor& lines) {
  Line line;
  while (lines.next(line) && !line.blank()) {
    const std::string_view text = line.text;
    const size_t colon = text.find(": ");
    if (colon != text.npos && text.substr(0, colon) == "Creation-Date")
      document.date = iso_date(text.substr(colon + 2));
  }
}

}  // namespace

bool looks_like_zim(std::string_view beginning) {
  return beginning.substr(bom_length(beginning)).starts_with(kKind);
}

void parse_zim(rag::Document& document) {
  BlockWriter blocks(document);
  LineCursor lines(document.text);
  take_head(document, lines);
  Line line;
  bool in_code = false;
  while (lines.next(line)) {
    const std::string_view text = line.trimmed();
    if (text == "'''") {
      blocks.close();
      in_code = !in_code;
    } else if (line.blank()) {
      if (!in_code) blocks.close();
    } else if (const int level = in_code ? 0 : heading_level_of(text); level > 0) {
      blocks.close();
      blocks.single(rag::BlockKind::kHeading, line, level);
      if (document.title.empty()) document.title = plain_inline(heading_text(text));
    } else if (blocks.open() && (in_code || !is_item(text))) {
      blocks.extend(line);
    } else {
      blocks.close();
      blocks.begin(in_code         ? rag::BlockKind::kCode
                   : is_item(text) ? rag::BlockKind::kListItem
                                   : rag::BlockKind::kParagraph,
                   line);
    }
  }
}

Status read_zim(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  rag::Document document;
  document.format = "text";
  document.text = std::move(decoded->text);
  make_breaks_plain(document.text);
  parse_zim(document);
  if (document.blocks.empty()) return unsupported(printable(input.name) + " is a page without text.");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
