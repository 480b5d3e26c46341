// Marks in a text that was laid out: the words of a passage that an answer says, and words that are sought. Threads:
// the window's thread.
#pragma once

#include <string_view>
#include <vector>

#include "ui/widgets/rich_text.h"

namespace mneme::ui {

// Part of a piece of a layout, in bytes.
struct TextMark {
  size_t piece = 0;
  size_t begin = 0;
  size_t end = 0;
};

// Where the layout says what `said` says (rag/answering/citations/cited_words.h).
std::vector<TextMark> marks_of(const RichTextLayout& layout, std::string_view said);

// Where it says what is sought (ui/view_model/text_search.h): for each place the parts of pieces it lies in.
std::vector<std::vector<TextMark>> places_in(const RichTextLayout& layout, std::string_view sought);

// Fills the marks' ground; `origin` is where the layout is drawn, which comes after.
void draw_marks(const RichTextLayout& layout, const std::vector<TextMark>& marks, ImVec2 origin, ImU32 colour,
                float scale);

}  // namespace mneme::ui
