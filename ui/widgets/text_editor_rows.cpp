// How the text of a TextEditor is broken into rows, and what stands where in them.
#include <algorithm>
#include <string_view>

#include <imgui_internal.h>

#include "base/utf8.h"
#include "ui/text/bidi.h"
#include "ui/text/fonts.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/text_editor.h"

namespace mneme::ui {
namespace {

// Letters that join are a little wider alone than in a word: rows of them break a little early.
float advance(ImFont* font, char32_t c) {
  return advance_of(font, static_cast<ImWchar>(c < 0x80 ? c : current_fonts().alone(c, font)));
}

bool is_unspaced(char32_t c) {
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0xff00 && c <= 0xffef);
}

}  // namespace

// Rows break behind spaces and between unspaced characters; a word longer than a row where it must.
void TextEditor::wrap(float width, ImFont* font) {
  const uint64_t fonts = current_fonts().generation();
  if (wrapped_version_ == version_ && wrapped_width_ == width && wrapped_font_size_ == font_size(font) &&
      wrapped_fonts_ == fonts)
    return;
  wrapped_version_ = version_;
  wrapped_width_ = width;
  wrapped_font_size_ = font_size(font);
  wrapped_fonts_ = fonts;
  rows_.clear();
  const bool plain = current_fonts().prepare(text_, font);
  if (one_line()) {
    rows_.push_back({0, text_.size()});
  } else {
    break_rows(width, font);
  }
  if (!plain) find_shaped_rows(font);
}

// A line that goes on in a second row reads as its first one does.
void TextEditor::find_shaped_rows(ImFont* font) {
  const std::string_view text = text_;
  bool right_to_left = false;
  for (Row& row : rows_) {
    const bool begins_line = row.begin == 0 || text[row.begin - 1] == '\n';
    if (begins_line)
      right_to_left = reads_right_to_left(text.substr(row.begin, text.find('\n', row.begin) - row.begin));
    row.right_to_left = right_to_left;
    row.plain = !right_to_left && current_fonts().prepare(text.substr(row.begin, row.end - row.begin), font);
  }
}

// Of long texts only what is seen is shaped.
const ShapedRow& TextEditor::shaped(const Row& row, ImFont* font) const {
  if (!row.plain && row.shaped.empty()) {
    const std::string_view text = std::string_view(text_).substr(row.begin, row.end - row.begin);
    row.shaped = ShapedRow(text, row.right_to_left, wrapped_width_, font);
  }
  return row.shaped;
}

void TextEditor::break_rows(float width, ImFont* font) {
  size_t row_begin = 0;
  size_t break_at = 0;  // the last place in the row where it may end
  float x = 0.0f;
  float x_at_break = 0.0f;
  for (size_t offset = 0; offset < text_.size();) {
    const size_t begin = offset;
    const char32_t c = utf8::next(text_, offset);
    if (c == '\n') {
      rows_.push_back({row_begin, begin});
      row_begin = break_at = offset;
      x = x_at_break = 0.0f;
      continue;
    }
    const float step = advance(font, c);
    if (x + step > width && begin > row_begin && c != ' ') {
      if (break_at <= row_begin) {
        break_at = begin;
        x_at_break = x;
      }
      rows_.push_back({row_begin, break_at});
      row_begin = break_at;
      x -= x_at_break;
      x_at_break = 0.0f;
    }
    x += step;
    if (c == ' ' || is_unspaced(c)) {
      break_at = offset;
      x_at_break = x;
    }
  }
  rows_.push_back({row_begin, text_.size()});
}

size_t TextEditor::row_of(size_t byte) const {
  size_t row = 0;
  while (row + 1 < rows_.size() && rows_[row + 1].begin <= byte) ++row;
  return row;
}

float TextEditor::x_in(const Row& row, size_t byte, ImFont* font) const {
  if (!row.plain) return shaped(row, font).x_of(byte - row.begin);
  float x = 0.0f;
  for (size_t offset = row.begin; offset < byte;) x += advance(font, utf8::next(text_, offset));
  return x;
}

// The end of a wrapped row is the begin of the next: the caret stays on this one.
size_t TextEditor::last_of(size_t row) const {
  const bool wrapped = row + 1 < rows_.size() && rows_[row + 1].begin == rows_[row].end;
  return wrapped && rows_[row].end > rows_[row].begin ? before(rows_[row].end) : rows_[row].end;
}

size_t TextEditor::byte_at(size_t row, float x, ImFont* font) const {
  float at = 0.0f;
  size_t offset = rows_[row].begin;
  const size_t end = last_of(row);
  if (!rows_[row].plain) return std::min(end, offset + shaped(rows_[row], font).byte_at(x));
  while (offset < end) {
    size_t next = offset;
    const float step = advance(font, utf8::next(text_, next));
    if (x < at + step * 0.5f) break;
    at += step;
    offset = next;
  }
  return offset;
}

float TextEditor::drawn_row_width(const Row& row, ImFont* font) const {
  return row.plain ? x_in(row, row.end, font) : shaped(row, font).right_end();
}

}  // namespace mneme::ui
