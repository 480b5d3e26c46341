#include "rag/readers/pdf/pdf_regions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostLines = 2'000;  // of a page that is looked at
constexpr int kDeepest = 6;           // cuts within cuts
constexpr float kGutter = 0.6F;       // least width of the strip, in heights of a line
constexpr float kWordGap = 0.55F;     // likewise, of a space between words of one column
constexpr size_t kFewestStarts = 4;   // lines that begin where a column does
constexpr size_t kFewestLines = 5;    // of a column of running text
constexpr size_t kFewestBeside = 3;   // of what stands beside it
constexpr size_t kFewestOfMain = 8;   // of a column that something else stands beside
constexpr double kShortestMean = 22;  // bytes of a line of running text
constexpr size_t kFewestOfLong = 12;
constexpr double kFilledOfLong = 0.35;
constexpr double kMeanOfMain = 32;  // likewise, of a column that something else stands beside
constexpr double kFilled = 0.5;     // lines of running text that reach the right edge
constexpr float kNearEdge = 0.8F;   // of a column's width
constexpr float kOverhang = 0.12F;  // of the other column's width that a long line may reach into it

constexpr float kSameRow = 0.15F;     // of a line's height, between the middles of two
constexpr double kUnaligned = 0.5;    // lines beside a column that stand in no row with one of it
constexpr float kCellGap = 1.5F;      // of a line's height, between cells of a table
constexpr float kPanelGap = 2.5F;     // of a line's height, between pages of a folded sheet
constexpr size_t kFewestRows = 3;     // of a table that goes across both columns
constexpr float kSmallNumber = 0.9F;  // of the height of the lines that numbers count
constexpr float kNoEdge = 1e9F;

using Lines = std::vector<RawLine>;

void measure(RawLine& line) {
  line.x_min = line.y_min = 1e9F;
  line.x_max = line.y_max = -1e9F;
  for (const PdfWord& word : line.words) {
    line.x_min = std::min(line.x_min, word.x_min);
    line.x_max = std::max(line.x_max, word.x_max);
    line.y_min = std::min(line.y_min, word.y_min);
    line.y_max = std::max(line.y_max, word.y_max);
  }
}

// Pieces of one line that poppler took apart, at changes of type.
void join_pieces(Lines& lines) {
  size_t kept = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    RawLine& line = lines[i];
    if (kept > 0) {
      RawLine& before = lines[kept - 1];
      const float gap = line.x_min - before.x_max;
      if (before.block == line.block && gap > -0.1F * line.height() && gap < kWordGap * line.height() &&
          std::abs(before.middle() - line.middle()) < 0.2F * line.height()) {
        std::move(line.words.begin(), line.words.end(), std::back_inserter(before.words));
        measure(before);
        continue;
      }
    }
    if (kept != i) lines[kept] = std::move(line);
    ++kept;
  }
  lines.resize(kept);
}

float median_height(const Lines& lines) {
  std::vector<float> heights;
  for (const RawLine& line : lines) heights.push_back(line.height());
  if (heights.empty()) return 0;
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

// Places where several lines begin, or go on behind a gap.
std::vector<float> column_candidates(const Lines& lines, float height) {
  std::map<int, size_t> starts;  // by steps of two points
  for (const RawLine& line : lines) {
    float reach = -1e9F;
    for (const PdfWord& word : line.words) {
      if (word.x_min - reach >= kWordGap * height) ++starts[static_cast<int>(std::floor(word.x_min / 2))];
      reach = std::max(reach, word.x_max);
    }
  }
  std::vector<float> candidates;
  for (const auto& [step, count] : starts) {
    const auto next = starts.find(step + 1);
    if (count + (next == starts.end() ? 0 : next->second) >= kFewestStarts)
      candidates.push_back(2.0F * static_cast<float>(step));
  }
  return candidates;
}

// Where a line lies as seen from a strip.
enum class Side { kLeft, kRight, kBoth, kAcross };

struct Strip {
  float left = 0;
  float right = 0;
};

bool is_leader(const std::string& text) {
  return text.find_first_not_of(".\xc2\xb7\xe2\x80\xa6_") == std::string::npos;  // also U+00B7, U+2026
}

// A row of dots leads the eye across the strip, as in tables of contents.
bool has_leader_at(const RawLine& line, const Strip& strip) {
  const auto behind = std::find_if(line.words.begin(), line.words.end(),
                                   [&](const PdfWord& word) { return word.x_min >= strip.right; });
  return behind != line.words.end() &&
         (is_leader(behind->text) || (behind != line.words.begin() && is_leader((behind - 1)->text)));
}

Side side_of(const RawLine& line, const Strip& strip, float right_edge) {
  if (line.x_max <= strip.left) return Side::kLeft;
  if (line.x_min >= strip.right) return Side::kRight;
  const bool crossed = std::any_of(line.words.begin(), line.words.end(), [&](const PdfWord& word) {
    return word.x_min < strip.right && word.x_max > strip.left;
  });
  if (!crossed) return has_leader_at(line, strip) ? Side::kAcross : Side::kBoth;
  if (line.x_max - strip.right < kOverhang * (right_edge - strip.right)) return Side::kLeft;
  return Side::kAcross;
}

RawLine part_of(const RawLine& line, const Strip& strip, bool left) {
  RawLine part = line;
  std::erase_if(part.words, [&](const PdfWord& word) { return (word.x_min < strip.right) != left; });
  measure(part);
  return part;
}

// Where a line, or what of it lies on one side, is.
struct Piece {
  float x_min = 1e9F;
  float y_min = 1e9F;
  float x_max = -1e9F;
  float y_max = -1e9F;
  size_t bytes = 0;
  bool is_number = true;
  bool is_cut = false;  // by a gap that no space between words is as wide as

  float height() const { return y_max - y_min; }
  float middle() const { return (y_min + y_max) / 2; }
};
using Pieces = std::vector<Piece>;  // of one side, from top to bottom

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

// pieces: not empty.
float near_right_edge(std::span<const Piece> pieces) {
  float left = kNoEdge;
  float right = -kNoEdge;
  for (const Piece& piece : pieces) {
    left = std::min(left, piece.x_min);
    right = std::max(right, piece.x_max);
  }
  return left + kNearEdge * (right - left);
}

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

// Share of the lines of one side that have none of the other beside them in the same row.
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

// Those between two heights.
std::span<const Piece> between(std::span<const Piece> pieces, float top, float bottom) {
  const auto below = [](const Piece& piece, float y) { return piece.middle() <= y; };
  const auto begin = std::lower_bound(pieces.begin(), pieces.end(), top, below);
  const auto end =
      std::lower_bound(begin, pieces.end(), bottom, [](const Piece& piece, float y) { return piece.middle() < y; });
  return {begin, end};
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

// What stands beside each other, and which is read first: a side column behind the text that it is beside.
enum class Columns { kNone, kLeftFirst, kRightFirst };

// left, right: not empty.
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

// Where a block lies, and how many lines it has.
struct BlockBox {
  Piece box;
  size_t n_lines = 0;
};

std::map<int, BlockBox> block_boxes(const Lines& lines) {
  std::map<int, BlockBox> boxes;
  for (const RawLine& line : lines) {
    BlockBox& block = boxes[line.block];
    ++block.n_lines;
    block.box.x_min = std::min(block.box.x_min, line.x_min);
    block.box.x_max = std::max(block.box.x_max, line.x_max);
    block.box.y_min = std::min(block.box.y_min, line.y_min);
    block.box.y_max = std::max(block.box.y_max, line.y_max);
  }
  return boxes;
}

bool any_beside_another(const std::map<int, BlockBox>& boxes) {
  for (auto a = boxes.begin(); a != boxes.end(); ++a) {
    for (auto b = std::next(a); b != boxes.end(); ++b) {
      const Piece& one = a->second.box;
      const Piece& other = b->second.box;
      const float shared = std::min(one.y_max, other.y_max) - std::max(one.y_min, other.y_min);
      const bool beside = one.x_max < other.x_min || other.x_max < one.x_min;
      if (beside && a->second.n_lines > 1 && b->second.n_lines > 1 &&
          shared > 0.5F * std::min(one.height(), other.height())) {
        return true;
      }
    }
  }
  return false;
}

// The lines of one column, with its blocks from top to bottom. Where some stand beside others they are left as they
// are.
Lines read_down(Lines lines) {
  constexpr size_t kMostBlocks = 300;
  const std::map<int, BlockBox> boxes = block_boxes(lines);
  if (boxes.size() > kMostBlocks || any_beside_another(boxes)) return lines;
  std::stable_sort(lines.begin(), lines.end(), [&](const RawLine& a, const RawLine& b) {
    const float above = boxes.at(a.block).box.y_min;
    const float below = boxes.at(b.block).box.y_min;
    return above != below ? above < below : a.block < b.block;
  });
  return lines;
}

// A part of the page between lines that go across the strip, with its two sides.
struct Band {
  Strip strip;
  float top = -kNoEdge;
  float bottom = kNoEdge;
  size_t n_lines = 0;
  Columns columns = Columns::kNone;
};

class PageCutter {
 public:
  explicit PageCutter(float height) : height_(height) {}

  // Writes the lines in the order they are read in.
  void cut(Lines lines, int depth) {
    const Band band = depth < kDeepest ? best_band(lines) : Band();
    if (band.n_lines == 0) {
      for (RawLine& line : lines) {
        line.region = region_;
        ordered_.push_back(std::move(line));
      }
      ++region_;
      return;
    }
    Lines above;
    Lines left;
    Lines right;
    Lines below;
    const float right_edge = edges_of(lines).second;
    for (RawLine& line : lines) {
      if (line.middle() <= band.top) {
        above.push_back(std::move(line));
      } else if (line.middle() >= band.bottom) {
        below.push_back(std::move(line));
      } else {
        put_aside(line, band.strip, side_of(line, band.strip, right_edge), left, right);
      }
    }
    const bool right_first =
        band.columns == Columns::kRightFirst || (mostly_from_right(left) && mostly_from_right(right));
    if (!above.empty()) cut(std::move(above), depth + 1);
    cut(read_down(std::move(right_first ? right : left)), depth + 1);
    cut(read_down(std::move(right_first ? left : right)), depth + 1);
    if (!below.empty()) cut(std::move(below), depth + 1);
  }

  Lines take() { return std::move(ordered_); }

 private:
  static std::pair<float, float> edges_of(const Lines& lines) {
    std::pair<float, float> edges = {1e9F, -1e9F};
    for (const RawLine& line : lines) {
      edges.first = std::min(edges.first, line.x_min);
      edges.second = std::max(edges.second, line.x_max);
    }
    return edges;
  }

  static bool mostly_from_right(const Lines& lines) {
    const auto count = std::count_if(lines.begin(), lines.end(), [](const RawLine& line) {
      return std::any_of(line.words.begin(), line.words.end(), [](const PdfWord& word) {
        const auto lead = static_cast<unsigned char>(word.text[0]);
        return lead >= 0xd6 && lead <= 0xdf;  // Hebrew, Arabic
      });
    });
    return 2 * static_cast<size_t>(count) > lines.size();
  }

  static void put_aside(const RawLine& line, const Strip& strip, Side side, Lines& left, Lines& right) {
    if (side == Side::kBoth) {
      left.push_back(part_of(line, strip, true));
      right.push_back(part_of(line, strip, false));
    } else {
      (side == Side::kRight ? right : left).push_back(line);
    }
  }

  Band best_band(const Lines& lines) const {
    Band best;
    if (lines.size() < 2 * kFewestBeside) return best;
    const auto [left_edge, right_edge] = edges_of(lines);
    for (const float x : column_candidates(lines, height_)) {
      const Strip strip{x - kGutter * height_, x - 0.5F};
      if (x <= left_edge + 1) continue;
      for (const Band& band : bands_of(lines, strip, right_edge)) {
        if (band.n_lines > best.n_lines) best = band;
      }
    }
    return best;
  }

  // The bands of a strip that hold two columns.
  static std::vector<Band> bands_of(const Lines& lines, const Strip& strip, float right_edge) {
    Pieces left;
    Pieces right;
    std::vector<float> across;
    for (const RawLine& line : lines) {
      const Side side = side_of(line, strip, right_edge);
      if (side == Side::kAcross) {
        across.push_back(line.middle());
        continue;
      }
      if (side != Side::kRight) left.emplace_back();
      if (side != Side::kLeft) right.emplace_back();
      for (const PdfWord& word : line.words) {
        const bool to_left = side == Side::kLeft || (side == Side::kBoth && word.x_min < strip.right);
        add_to(to_left ? left.back() : right.back(), word);
      }
    }
    sort_down(left);
    sort_down(right);
    std::sort(across.begin(), across.end());
    across.push_back(kNoEdge);
    std::vector<Band> bands;
    float top = -kNoEdge;
    for (const float bottom : across) {
      Band band{strip, top, bottom, 0, Columns::kNone};
      top = bottom;
      if (take_columns(left, right, band)) bands.push_back(band);
    }
    return bands;
  }

  // False where the band holds no two columns.
  static bool take_columns(std::span<const Piece> left, std::span<const Piece> right, Band& band) {
    left = between(left, band.top, band.bottom);
    right = between(right, band.top, band.bottom);
    if (left.size() < kFewestBeside || right.size() < kFewestBeside) return false;
    band.columns = columns_of_band(left, right);
    if (band.columns == Columns::kNone) return false;
    band.n_lines = left.size() + right.size();
    if (band.bottom < kNoEdge) leave_out_titles(left, right, band);
    leave_out_table(left, right, band);
    return true;
  }

  // Rows of a table that goes across both columns, above them: their right parts do not fill the column.
  static void leave_out_table(std::span<const Piece> left, std::span<const Piece> right, Band& band) {
    const float edge = near_right_edge(right);
    size_t n_rows = 0;
    while (n_rows < right.size() && right[n_rows].x_max < edge && unaligned(right.subspan(n_rows, 1), left) == 0)
      ++n_rows;
    if (n_rows < kFewestRows || n_rows == right.size()) return;
    const std::span<const Piece> beside = between(left, right.front().y_min, right[n_rows - 1].y_max);
    const auto filled = std::count_if(beside.begin(), beside.end(), [&](const Piece& piece) {
      return !piece.is_cut && piece.x_max >= near_right_edge(left);
    });
    if (2 * static_cast<size_t>(filled) < beside.size()) {
      band.top = std::max(band.top, (right[n_rows - 1].y_max + right[n_rows].y_min) / 2);
    }
  }

  // What stands behind a gap below the one column, beside nothing, belongs to what goes across the page below it.
  static void leave_out_titles(std::span<const Piece> left, std::span<const Piece> right, Band& band) {
    const std::span<const Piece> longer = left.back().y_max > right.back().y_max ? left : right;
    const float end = std::min(left.back().y_max, right.back().y_max);
    for (size_t i = longer.size() - 1; i > 0 && longer[i].y_min > end; --i) {
      if (longer[i].y_min - longer[i - 1].y_max > 0.7F * longer[i].height()) {
        band.bottom = (longer[i].y_min + longer[i - 1].y_max) / 2;
        return;
      }
    }
  }

  const float height_;
  int region_ = 0;
  Lines ordered_;
};

}  // namespace

std::vector<RawLine> part_columns(std::vector<RawLine> lines) {
  for (RawLine& line : lines) measure(line);
  join_pieces(lines);
  if (lines.size() < 2 * kFewestBeside || lines.size() > kMostLines) return lines;
  PageCutter cutter(median_height(lines));
  cutter.cut(std::move(lines), 0);
  Lines ordered = cutter.take();
  int block = -1;
  const RawLine* before = nullptr;
  std::vector<int> blocks;
  for (const RawLine& line : ordered) {
    if (before == nullptr || before->block != line.block || before->region != line.region) ++block;
    blocks.push_back(block);
    before = &line;
  }
  for (size_t i = 0; i < ordered.size(); ++i) ordered[i].block = blocks[i];
  return ordered;
}

}  // namespace mneme::readers
