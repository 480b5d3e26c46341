#include "rag/readers/pdf/pdf_sides.h"

#include <algorithm>

#include "base/ascii.h"

namespace mneme::readers {

namespace {

constexpr size_t kFewestLines = 5;    // of a column of running text
constexpr size_t kFewestOfMain = 8;   // of a column that something else stands beside
constexpr double kShortestMean = 22;  // bytes of a line of running text
constexpr size_t kFewestOfLong = 12;
constexpr double kFilledOfLong = 0.35;
constexpr double kMeanOfMain = 32;    // likewise, of a column that something else stands beside
constexpr double kFilled = 0.5;       // lines of running text that reach the right edge
constexpr float kNearEdge = 0.8F;     // of a column's width
constexpr float kSameRow = 0.15F;     // of a line's height, between the middles of two
constexpr double kUnaligned = 0.5;    // lines beside a column that stand in no row with one of it
constexpr float kCellGap = 1.5F;      // of a line's height, between cells of a table
constexpr float kPanelGap = 2.5F;     // of a line's height, between pages of a folded sheet
constexpr float kSmallNumber = 0.9F;  // of the height of the lines that numbers count

struct ColumnShape {
  size_t n_lines = 0;
  double mean_bytes = 0;
  double filled = 0;  // share of lines that reach the right edge
  bool is_running_text() const { return n_lines >= kFewestLines && mean_bytes >= kShortestMean && filled >= kFilled; }
  // Text that something else may stand beside; of long columns fewer lines need be full, as there are titles among
  // them.
  bool is_main() const {
    if (mean_bytes < kMeanOfMain) return false;
    return n_lines >= kFewestOfLong ? filled >= kFilledOfLong : n_lines >= kFewestOfMain && filled >= kFilled;
  }
};

ColumnShape shape_of_column(std::span<const Piece> pieces) {
  ColumnShape shape;
  shape.n_lines = pieces.size();
  if (pieces.empty()) return shape;
  size_t bytes = 0;
  for (const Piece& piece : pieces) bytes += piece.bytes;
  const float edge = near_right_edge(pieces);
  const auto filled =
      std::count_if(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.x_max >= edge; });
  shape.mean_bytes = static_cast<double>(bytes) / static_cast<double>(pieces.size());
  shape.filled = static_cast<double>(filled) / static_cast<double>(pieces.size());
  return shape;
}

// Lines behind a gap that is larger than between most.
Pieces behind_gaps(std::span<const Piece> pieces) {
  std::vector<float> steps;
  for (size_t i = 1; i < pieces.size(); ++i) steps.push_back(pieces[i].middle() - pieces[i - 1].middle());
  Pieces begins;
  if (steps.empty()) return begins;
  std::vector<float> sorted = steps;
  const auto quarter = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 4);
  std::nth_element(sorted.begin(), quarter, sorted.end());
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] > 1.2F * *quarter) begins.push_back(pieces[i + 1]);
  }
  return begins;
}

// Rows of a table begin beside each other, behind gaps on both sides.
bool are_rows(std::span<const Piece> left, std::span<const Piece> right) {
  const Pieces a = behind_gaps(left);
  const Pieces b = behind_gaps(right);
  const Pieces& fewer = a.size() < b.size() ? a : b;
  const Pieces& more = a.size() < b.size() ? b : a;
  return fewer.size() >= 2 && unaligned(fewer, more) <= 0.4;
}

// Small numbers beside the lines of manuscripts and programs.
bool are_line_numbers(std::span<const Piece> pieces, std::span<const Piece> others) {
  if (pieces.size() < kFewestLines || others.size() < kFewestLines) return false;
  const auto small = std::count_if(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    return piece.is_number && piece.height() < kSmallNumber * others[others.size() / 2].height();
  });
  const auto cut = std::count_if(others.begin(), others.end(), [](const Piece& piece) { return piece.is_cut; });
  return static_cast<size_t>(small) == pieces.size() && 5 * static_cast<size_t>(cut) < others.size();
}

// Sheets that are folded have pages beside each other, far apart, of lines in no common rows.
bool are_panels(std::span<const Piece> left, std::span<const Piece> right) {
  if (left.size() < kFewestLines || right.size() < kFewestLines) return false;
  float end = -kNoEdge;
  float begin = kNoEdge;
  for (const Piece& piece : left) end = std::max(end, piece.x_max);
  for (const Piece& piece : right) begin = std::min(begin, piece.x_min);
  return begin - end > kPanelGap * left[left.size() / 2].height() && unaligned(left, right) >= kUnaligned &&
         unaligned(right, left) >= kUnaligned;
}

}  // namespace

void add_to(Piece& piece, const PdfWord& word) {
  piece.is_cut = piece.is_cut || (piece.bytes > 0 && word.x_min - piece.x_max > kCellGap * (word.y_max - word.y_min));
  piece.x_min = std::min(piece.x_min, word.x_min);
  piece.x_max = std::max(piece.x_max, word.x_max);
  piece.y_min = std::min(piece.y_min, word.y_min);
  piece.y_max = std::max(piece.y_max, word.y_max);
  piece.bytes += word.text.size() + 1;
  piece.is_number = piece.is_number && std::all_of(word.text.begin(), word.text.end(), is_digit);
}

void sort_down(Pieces& pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.middle() < b.middle(); });
}

float near_right_edge(std::span<const Piece> pieces) {
  float left = kNoEdge;
  float right = -kNoEdge;
  for (const Piece& piece : pieces) {
    left = std::min(left, piece.x_min);
    right = std::max(right, piece.x_max);
  }
  return left + kNearEdge * (right - left);
}

double unaligned(std::span<const Piece> pieces, std::span<const Piece> others) {
  if (pieces.empty()) return 0;
  const auto alone = std::count_if(pieces.begin(), pieces.end(), [&](const Piece& piece) {
    const float tolerance = kSameRow * piece.height();
    const auto near = std::lower_bound(others.begin(), others.end(), piece.middle() - tolerance,
                                       [](const Piece& other, float middle) { return other.middle() < middle; });
    return near == others.end() || near->middle() > piece.middle() + tolerance;
  });
  return static_cast<double>(alone) / static_cast<double>(pieces.size());
}

std::span<const Piece> between(std::span<const Piece> pieces, float top, float bottom) {
  const auto below = [](const Piece& piece, float y) { return piece.middle() <= y; };
  const auto begin = std::lower_bound(pieces.begin(), pieces.end(), top, below);
  const auto end =
      std::lower_bound(begin, pieces.end(), bottom, [](const Piece& piece, float y) { return piece.middle() < y; });
  return {begin, end};
}

Columns columns_of_band(std::span<const Piece> left, std::span<const Piece> right) {
  if (are_line_numbers(left, right) || are_line_numbers(right, left)) return Columns::kLeftFirst;
  const bool left_is_main = shape_of_column(left).is_main();
  const bool right_is_main = shape_of_column(right).is_main();
  const float top = std::max(left.front().y_min, right.front().y_min);
  const float bottom = std::min(left.back().y_max, right.back().y_max);
  left = between(left, top, bottom);
  right = between(right, top, bottom);
  if (left.size() < kFewestBeside || right.size() < kFewestBeside) return Columns::kNone;
  if (shape_of_column(left).is_running_text() && shape_of_column(right).is_running_text()) {
    return are_rows(left, right) ? Columns::kNone : Columns::kLeftFirst;
  }
  if (are_panels(left, right)) return Columns::kLeftFirst;
  if (left_is_main) return unaligned(right, left) >= kUnaligned ? Columns::kLeftFirst : Columns::kNone;
  return right_is_main && unaligned(left, right) >= kUnaligned ? Columns::kRightFirst : Columns::kNone;
}

}  // namespace mneme::readers
