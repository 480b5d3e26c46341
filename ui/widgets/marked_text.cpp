#include "ui/widgets/marked_text.h"
#include "ui/text/imgui_fonts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "rag/answering/cited_words.h"

namespace mneme::ui {

std::vector<TextMark> marks_of(const RichTextLayout& layout, std::string_view said) {
  std::string text;
  std::vector<size_t> begins;  // of each piece in `text`
  for (const TextPiece& piece : layout.pieces) {
    text += piece.before;
    begins.push_back(text.size());
    text += piece.text;
  }
  std::vector<TextMark> marks;
  for (const rag::Stretch& stretch : rag::shared_stretches(text, said)) {
    for (size_t i = 0; i < begins.size(); ++i) {
      const size_t from = std::max(stretch.begin, begins[i]);
      const size_t to = std::min(stretch.end, begins[i] + layout.pieces[i].text.size());
      if (from < to) marks.push_back({i, from - begins[i], to - begins[i]});
    }
  }
  return marks;
}

void draw_marks(const RichTextLayout& layout, const std::vector<TextMark>& marks, ImVec2 origin, ImU32 colour,
                float scale) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const TextMark& mark : marks) {
    const TextPiece& piece = layout.pieces[mark.piece];
    float from = prefix_width(piece, mark.begin);
    float to = prefix_width(piece, mark.end);
    if (from > to) std::swap(from, to);
    const ImVec2 at(origin.x + piece.position.x, origin.y + piece.position.y);
    list.AddRectFilled(ImVec2(at.x + from - 2.0f * scale, at.y - 2.0f * scale),
                       ImVec2(at.x + to + 2.0f * scale, at.y + font_size(piece.font) + 3.0f * scale), colour,
                       3.0f * scale);
  }
}

}  // namespace mneme::ui
