#include "rag/readers/text_lines.h"

#include <algorithm>

#include "rag/readers/text_decoding.h"

namespace mneme::readers {

size_t Line::indent() const {
  size_t columns = 0;
  for (const char c : text) {
    if (c == ' ') {
      ++columns;
    } else if (c == '\t') {
      columns += 4 - columns % 4;
    } else {
      break;
    }
  }
  return columns;
}

std::string_view Line::trimmed() const {
  return trim(text);
}

LineCursor::LineCursor(std::string_view text) : text_(text), offset_(bom_length(text)) {
  if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) break_ = '\r';
}

LineCursor::LineCursor(std::string_view text, size_t begin, int number) : LineCursor(text) {
  offset_ = begin;
  number_ = number - 1;
}

bool LineCursor::next(Line& line) {
  if (!peek(line)) return false;
  // Behind the text of the line: "\r\n", one break character, or nothing at the end of the file.
  offset_ = line.end;
  if (offset_ < text_.size() && text_[offset_] != break_) ++offset_;
  if (offset_ < text_.size()) ++offset_;
  ++number_;
  return true;
}

bool LineCursor::peek(Line& line) const {
  if (offset_ >= text_.size()) return false;
  const size_t found = text_.find(break_, offset_);
  line.begin = offset_;
  line.end = found == std::string_view::npos ? text_.size() : found;
  if (found != std::string_view::npos && break_ == '\n' && line.end > line.begin && text_[line.end - 1] == '\r') {
    --line.end;
  }
  line.number = number_ + 1;
  line.text = text_.substr(line.begin, line.end - line.begin);
  return true;
}

void BlockWriter::begin(rag::BlockKind kind, const Line& line, int heading_level) {
  rag::Block block;
  block.kind = kind;
  block.heading_level = heading_level;
  block.byte_begin = line.begin;
  block.byte_end = line.end;
  block.line_begin = line.number;
  block.line_end = line.number;
  document_.blocks.push_back(block);
  open_ = true;
}

void BlockWriter::extend(const Line& line) {
  rag::Block& block = document_.blocks.back();
  block.byte_end = line.end;
  block.line_end = line.number;
}

void make_breaks_plain(std::string& text) {
  std::replace(text.begin(), text.end(), '\f', ' ');
  if (text.find('\n') == std::string::npos) std::replace(text.begin(), text.end(), '\r', '\n');
}

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n\f\v");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n\f\v") - first + 1);
}

namespace {

// "[text](target)" or "![alt](target)" at `i`: appends the text and gives the offset behind it; else i.
size_t take_link(std::string_view markup, size_t i, std::string& plain) {
  const size_t close = markup.find("](", i);
  if (close == std::string_view::npos) return i;
  const size_t end = markup.find(')', close);
  if (end == std::string_view::npos) return i;
  plain += plain_inline(markup.substr(i + 1, close - i - 1));
  return end + 1;
}

}  // namespace

std::string plain_inline(std::string_view markup) {
  markup = trim(markup);
  if (markup.ends_with('}')) {
    const size_t anchor = markup.rfind("{#");
    if (anchor != std::string_view::npos) markup = trim(markup.substr(0, anchor));
  }
  std::string plain;
  plain.reserve(markup.size());
  for (size_t i = 0; i < markup.size();) {
    const char c = markup[i];
    if (c == '[') {
      const size_t after = take_link(markup, i, plain);
      if (after != i) {
        i = after;
        continue;
      }
    }
    const bool mark = c == '*' || c == '`' || (c == '!' && i + 1 < markup.size() && markup[i + 1] == '[');
    if (!mark) plain.push_back(c);
    ++i;
  }
  return std::string(trim(plain));
}

bool all_of_char(std::string_view text, char c) {
  return !text.empty() && text.find_first_not_of(c) == std::string_view::npos;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && lower_ascii(a) == lower_ascii(b);
}

}  // namespace mneme::readers
