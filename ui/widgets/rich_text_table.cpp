// Tables in a rich text: columns as wide as their words want, or a row below the other where there is no room.
#include <algorithm>
#include <numeric>

#include "ui/widgets/rich_text_layouter.h"

namespace mneme::ui {
namespace {

constexpr float kCellPadding = 8.0f;
constexpr float kLongestCellWord = 140.0f;

}  // namespace

float RichTextLayouter::longest_word(const Inline& in) const {
  float longest = 0.0f;
  for (size_t begin = 0; begin < in.text.size();) {
    const size_t end = unbreakable_end(in.text, begin);
    longest = std::max(
        longest, width_when_drawn(font_of(in, fonts_.regular), std::string_view(in.text).substr(begin, end - begin)));
    begin = end;
  }
  return longest;
}

std::vector<ColumnNeed> RichTextLayouter::column_needs(const TableRows& rows, size_t n_columns) const {
  std::vector<ColumnNeed> needs(n_columns, {24.0f * scale_, 24.0f * scale_});
  for (const auto& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      float whole = 2 * kCellPadding * scale_;
      float word = 0.0f;
      for (const Inline& in : row[c]) {
        whole += width_when_drawn(font_of(in, fonts_.regular), in.text) + 4.0f * scale_;
        word = std::max(word, longest_word(in));
      }
      needs[c].whole = std::max(needs[c].whole, whole);
      // A word that is longer still is cut: an address would leave the other columns nothing.
      needs[c].word =
          std::max(needs[c].word, std::min(word, kLongestCellWord * scale_) + (2 * kCellPadding + 4) * scale_);
    }
  }
  return needs;
}

// A table too wide for the page: one row below the other, each cell behind the name of its column.
void RichTextLayouter::records(const MarkdownBlock& block) {
  static const std::vector<Inline> kNoName;
  const auto& names = block.rows.front();
  for (size_t r = block.rows.size() > 1 ? 1 : 0; r < block.rows.size(); ++r) {
    const auto& row = block.rows[r];
    for (size_t c = 0; c < row.size(); ++c) {
      std::vector<Inline> line = r > 0 && c < names.size() ? names[c] : kNoName;
      if (!line.empty()) line.emplace_back().text = "  ";
      line.insert(line.end(), row[c].begin(), row[c].end());
      before_ = "\n";
      flow(line, 0.0f, out_.width, fonts_.regular, false);
    }
    y += 4.0f * scale_;
    out_.boxes.push_back({BackgroundBox::Kind::kLine, ImVec2(0, y), ImVec2(out_.width, y + 1), {}, {}});
    y += 5.0f * scale_;
  }
}

void RichTextLayouter::table(const MarkdownBlock& block) {
  size_t n_columns = 0;
  for (const auto& row : block.rows) n_columns = std::max(n_columns, row.size());
  if (n_columns == 0) return;
  const std::vector<float> widths = column_widths(column_needs(block.rows, n_columns), out_.width);
  if (widths.empty()) return records(block);
  const float total = std::accumulate(widths.begin(), widths.end(), 0.0f);
  for (const auto& row : block.rows) {
    const float top = y;
    float bottom = top;
    float x = 0.0f;
    for (size_t c = 0; c < row.size(); ++c) {
      y = top + 4.0f * scale_;
      before_ = c == 0 ? "\n" : "\t";
      flow(row[c], x + kCellPadding * scale_, widths[c] - 2 * kCellPadding * scale_, fonts_.regular, false);
      bottom = std::max(bottom, y + 4.0f * scale_);
      x += widths[c];
    }
    y = bottom;
    out_.boxes.push_back({BackgroundBox::Kind::kLine, ImVec2(0, y), ImVec2(total, y + 1), {}, {}});
    y += 1.0f;
  }
}

}  // namespace mneme::ui
