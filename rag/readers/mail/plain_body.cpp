#include "rag/readers/mail/plain_body.h"

#include <algorithm>
#include <utility>

#include "rag/readers/format_list.h"
#include "rag/readers/mail/armour.h"
#include "rag/readers/mail/ended_lines.h"
#include "rag/readers/mail/uuencoded.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

bool is_quoted(std::string_view line) {
  return line.starts_with('>');
}

// The line above a signature, "-- " (RFC 3676, 4.3); many programs lose the space.
bool is_signature_line(std::string_view line) {
  return line == "--" || line == "-- ";
}

// How many lines at the beginning of a text are quoted all, or none of them; `size`: how many bytes they are. A
// signature is none of what is said above it.
int lines_alike(std::string_view text, size_t& size) {
  LineCursor lines(text);
  Line line;
  int count = 0;
  size = 0;
  while (lines.peek(line) && is_quoted(line.text) == is_quoted(text) && (count == 0 || !is_signature_line(line.text))) {
    lines.next(line);
    size = lines.offset();
    ++count;
  }
  return count;
}

// Each line of a quotation says so with its ">".
std::string with_all_lines(std::string_view quotation) {
  std::string text;
  LineCursor lines(quotation);
  Line line;
  while (lines.next(line)) text.append(text.empty() ? std::string_view() : kLineBreak).append(line.text);
  return text;
}

// The width of an item: it is indented, and broken before the rest is, not always at the same width.
size_t item_width(std::string_view item, size_t width) {
  constexpr size_t kLeast = 45;  // who ends every line before this breaks nothing
  constexpr size_t kRagged = 12;
  const size_t longest = longest_line(item);
  return longest < kLeast ? 0 : std::min(width == 0 ? longest : width, longest) - kRagged;
}

// "- bread": lines that its author ended stay lines, as those of a paragraph do.
void add_item(std::string_view item, DocumentBuilder& builder) {
  item.remove_prefix(std::min(item.find_first_not_of(" \t"), item.size()));
  const size_t marker = std::min(item.find_first_of(" \t"), item.size());
  builder.list_item(item.substr(marker), 0, item.substr(0, marker));
}

// What a program wrote there for programs; as many lines as before stay.
void blank_out_coded(std::string& text, DocumentBuilder& builder) {
  blank_out_uuencoded(text);
  if (blank_out_armour(text)) builder.document().notes.emplace_back(kEncryptedNote);
}

}  // namespace

void add_plain_body(const MimePart& part, std::string text, DocumentBuilder& builder) {
  rag::Document body;
  body.text = std::move(text);
  blank_out_coded(body.text, builder);
  parse_plain(body);
  const size_t width = wrapping_width(body.text);
  for (const rag::Block& block : body.blocks) {
    // A heading in a mail is as likely a shout.
    const auto kind = block.kind == rag::BlockKind::kHeading ? rag::BlockKind::kParagraph : block.kind;
    std::string_view rest = std::string_view(body.text).substr(block.byte_begin, block.byte_end - block.byte_begin);
    int line = block.line_begin + part.body_line - 1;
    while (!rest.empty()) {
      size_t size = 0;
      const int n_lines = lines_alike(rest, size);
      const std::string_view piece = rest.substr(0, size);
      if (part.body_is_plain()) builder.set_lines(line, line + n_lines - 1);
      if (is_quoted(piece)) {
        builder.add(rag::BlockKind::kQuote, with_all_lines(piece));
      } else if (kind == rag::BlockKind::kListItem && !is_signature_line(piece.substr(0, piece.find('\n')))) {
        add_item(with_ended_lines(piece, item_width(piece, width), part.flow), builder);
      } else {
        const bool apart = kind == rag::BlockKind::kListItem;  // a signature below a list is none of its items
        builder.add(apart ? rag::BlockKind::kParagraph : kind, with_ended_lines(piece, width, part.flow));
      }
      rest.remove_prefix(size);
      line += n_lines;
    }
  }
  builder.set_lines(0, 0);
}

}  // namespace mneme::readers
