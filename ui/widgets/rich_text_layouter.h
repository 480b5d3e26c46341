// Puts blocks of Markdown into lines. Internal to rich_text_layout.cpp and rich_text_table.cpp. Threads: the window's
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ui/text/imgui_fonts.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/table_columns.h"

namespace mneme::ui {

// Width of a text as it will be drawn; its glyphs are there afterwards.
float width_when_drawn(ImFont* font, std::string_view text);

// End of the next unbreakable unit from `begin`: a word with the spaces after it, or one CJK character, with the
// punctuation that belongs to it.
size_t unbreakable_end(std::string_view text, size_t begin);

// Appends to a layout, whose width it keeps to; `y` is where the next block begins, in pixels from its top.
class RichTextLayouter {
 public:
  RichTextLayouter(RichTextLayout& out, float scale, const Fonts& fonts) : out_(out), scale_(scale), fonts_(fonts) {}

  void block(const MarkdownBlock& block);
  float y = 0.0f;

 private:
  // Flows inlines into [x, x + width), and `y` below them.
  void flow(const std::vector<Inline>& inlines, float x, float width, ImFont* base, bool muted);
  void flow_citation(const Inline& in);
  // behind: width of what must stay with the last word.
  void flow_text(const Inline& in, ImFont* font, float behind, bool muted);
  // Goes on in the next line where there is no room for so much in this one.
  void make_room(float width);
  void new_line();
  // Where a word longer than a line ends in this one.
  size_t cut_of_long_word(const std::string& text, size_t begin, size_t end, ImFont* font) const;
  void code(const MarkdownBlock& block);
  void table(const MarkdownBlock& block);
  void records(const MarkdownBlock& block);
  std::vector<ColumnNeed> column_needs(const TableRows& rows, size_t n_columns) const;
  float longest_word(const Inline& in) const;
  ImFont* font_of(const Inline& in, ImFont* base) const {
    if (in.code) return fonts_.mono;
    if (in.bold && base == fonts_.regular) return fonts_.bold;
    if (in.italic && base == fonts_.regular) return fonts_.italic;
    return base;
  }
  float chip_width(const Inline& in) const {
    return in.citation > 0 ? width_when_drawn(fonts_.small, in.text) + 4.0f * scale_ : 0.0f;
  }
  void put(const Inline& in, std::string_view text, float x, float width, ImFont* font, bool muted);
  void end_line();
  static float line_height(ImFont* font);

  RichTextLayout& out_;
  const float scale_;
  const Fonts& fonts_;
  float pen_ = 0.0f;
  size_t line_begin_ = 0;  // first piece of the current line
  float left_ = 0.0f;      // of the lines being filled
  float right_ = 0.0f;
  float width_ = 0.0f;
  bool right_to_left_ = false;  // the paragraph's direction
  std::string before_ = "\n";   // the next piece, in a copy
};

}  // namespace mneme::ui
