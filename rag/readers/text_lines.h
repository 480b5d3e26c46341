// Lines of a text and blocks made of whole lines: what the readers of plain-text formats share. Blocks hold exact byte
// and line spans of the file's own text. Ownership: views borrow the text, which must outlive them and not move.
// Threads: values, one thread each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "rag/document.h"

namespace mneme::readers {

struct Line {
  size_t begin = 0;
  size_t end = 0;  // without the line break
  int number = 0;  // 1-based
  std::string_view text;

  bool blank() const { return text.find_first_not_of(" \t\f\v\xc2\xa0") == std::string_view::npos; }
  // Columns of leading white space, tabs to multiples of four; of a blank line its width.
  size_t indent() const;
  std::string_view trimmed() const;
};

// Walks through lines; \n, \r\n, and a lone \r in files that have no \n end a line. Starts behind a byte order mark.
class LineCursor {
 public:
  explicit LineCursor(std::string_view text);
  LineCursor(std::string_view text, size_t begin, int number);

  bool next(Line& line);
  // The line that next() will give, without moving.
  bool peek(Line& line) const;
  size_t offset() const { return offset_; }

 private:
  std::string_view text_;
  size_t offset_ = 0;
  int number_ = 0;
  char break_ = '\n';
};

// Collects lines into blocks of a document. At most one block is open; trailing blank lines never belong to a block.
class BlockWriter {
 public:
  explicit BlockWriter(rag::Document& document) : document_(document) {}

  void begin(rag::BlockKind kind, const Line& line, int heading_level = 0);
  void extend(const Line& line);  // to an open block
  void close() { open_ = false; }
  bool open() const { return open_; }
  bool open(rag::BlockKind kind) const { return open_ && document_.blocks.back().kind == kind; }
  rag::Block& block() { return document_.blocks.back(); }
  // A block of one line.
  void single(rag::BlockKind kind, const Line& line, int heading_level = 0) {
    begin(kind, line, heading_level);
    close();
  }

 private:
  rag::Document& document_;
  bool open_ = false;
};

// Ends lines as everything behind the readers expects it, each byte at its place: a lone \r becomes \n in texts that
// have no \n, a form feed, which a page of a printer's begins with, a space.
void make_breaks_plain(std::string& text);

std::string_view trim(std::string_view text);
// Text of a heading or title without inline markup: *emphasis*, `code`, [link](target), {#anchors}.
std::string plain_inline(std::string_view markup);
bool all_of_char(std::string_view text, char c);
bool equals_ignoring_case(std::string_view a, std::string_view b);

}  // namespace mneme::readers
