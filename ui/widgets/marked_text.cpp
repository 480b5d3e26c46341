#include "ui/widgets/marked_text.h"
#include "ui/text/imgui_fonts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "rag/answering/citations/cited_words.h"
#include "ui/view_model/text_search.h"

namespace mneme::ui {

namespace {

// The pieces of a layout as one text.
class LayoutText {
 public:
  explicit LayoutText(const RichTextLayout& layout) : layout_(layout) {
    for (const TextPiece& piece : layout.pieces) {
      text_ += piece.before;
      begins_.push_back(text_.size());
      text_ += piece.text;
    }
  }

  const std::string& text() const { return text_; }
  // What pieces have of bytes [begin, end) of the text.
  void add_marks(size_t begin, size_t end, std::vector<TextMark>& marks) const {
    for (size_t i = 0; i < begins_.size() && begins_[i] < end; ++i) {
      const size_t from = std::max(begin, begins_[i]);
      const size_t to = std::min(end, begins_[i] + layout_.pieces[i].text.size());
      if (from < to) marks.push_back({i, from - begins_[i], to - begins_[i]});
    }
  }

 private:
  const RichTextLayout& layout_;
  std::string text_;
  std::vector<size_t> begins_;  // of each piece
};

constexpr size_t kMostPlaces = 1000;  // of what is laid out at once

}  // namespace

std::vector<TextMark> marks_of(const RichTextLayout& layout, std::string_view said) {
  const LayoutText text(layout);
  const std::vector<rag::Stretch> rows = rag::said_rows(text.text(), said);
  std::vector<rag::Stretch> all = rag::shared_stretches(text.text(), said);
  // Of a row that is said all is marked, once.
  std::erase_if(all, [&](const rag::Stretch& s) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const auto& row) { return s.begin < row.end && row.begin < s.end; });
  });
  all.insert(all.end(), rows.begin(), rows.end());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::vector<TextMark> marks;
  for (const rag::Stretch& stretch : all) text.add_marks(stretch.begin, stretch.end, marks);
  return marks;
}

std::vector<std::vector<TextMark>> places_in(const RichTextLayout& layout, std::string_view sought) {
  const LayoutText text(layout);
  std::vector<std::vector<TextMark>> places;
  for (const TextPlace& place : places_of(text.text(), sought, kMostPlaces))
    text.add_marks(place.begin, place.end, places.emplace_back());
  return places;
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
