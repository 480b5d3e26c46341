// A Kindle's "My Clippings.txt": highlights and notes as they were made, each with the name of its book above and a row
// of "=" below. Told by book; places and days stand behind the words. The device writes in its own language.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/format_list.h"
#include "rag/readers/notes/note_readers.h"
#include "rag/readers/text_decoding.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr std::string_view kRule = "==========";

struct Clipping {
  std::string book;
  std::string place;  // "Your Highlight on page 12 | ..."
  std::string words;
  int line_begin = 0;
  int line_end = 0;
};

// A line of the three that a clipping begins with, without the mark that the device puts before each book.
std::string plain_line(std::string_view line) {
  return clean_text(line.substr(bom_length(line)));
}

// False at the end.
bool next_clipping(LineCursor& lines, Clipping& clipping) {
  clipping = {};
  Line line;
  for (int n = 0; lines.next(line);) {
    if (line.trimmed() == kRule) return true;
    if (n == 0 && plain_line(line.text).empty()) continue;
    if (n == 0) clipping.book = plain_line(line.text);
    if (n == 0) clipping.line_begin = line.number;
    if (n == 1) clipping.place = plain_line(line.text.substr(line.text.starts_with("- ") ? 2 : 0));
    if (n > 1 && !line.blank())
      clipping.words.append(clipping.words.empty() ? std::string_view() : kLineBreak).append(line.text);
    clipping.line_end = line.number;
    ++n;
  }
  return !clipping.book.empty();
}

// By book, those that were opened first before others; bookmarks have no words.
std::vector<std::vector<Clipping>> clippings_of(std::string_view text) {
  std::vector<std::vector<Clipping>> books;
  std::map<std::string, size_t> known;
  LineCursor lines(text);
  Clipping clipping;
  while (next_clipping(lines, clipping)) {
    if (clipping.words.empty()) continue;
    const auto [at, is_new] = known.try_emplace(clipping.book, books.size());
    if (is_new) books.emplace_back();
    books[at->second].push_back(std::move(clipping));
  }
  return books;
}

}  // namespace

bool looks_like_clippings(std::string_view beginning) {
  LineCursor lines(beginning.substr(0, 16'384));
  Line line;
  bool place = false;
  for (int n = 0; lines.next(line); ++n) {
    if (n == 1) place = line.text.starts_with("- ") && line.text.find(" | ") != line.text.npos;
    if (n > 1 && !place) return false;
    if (line.trimmed() == kRule) return n > 1;
  }
  return false;
}

Status read_clippings(ReadContext& context, Input input) {
  auto decoded = decode_text(std::move(input.bytes));
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  make_breaks_plain(decoded->text);
  rag::Document document;
  document.format = "text";
  DocumentBuilder builder(document, context.limits().text_bytes);
  for (const std::vector<Clipping>& book : clippings_of(decoded->text)) {
    builder.set_lines(book.front().line_begin, book.front().line_begin);
    builder.heading(1, book.front().book);
    for (const Clipping& clipping : book) {
      builder.set_lines(clipping.line_begin, clipping.line_end);
      builder.paragraph(clipping.words + std::string(kLineBreak) + "(" + clipping.place + ")");
    }
  }
  if (builder.empty()) return unsupported(printable(input.name) + " holds bookmarks without text.");
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
