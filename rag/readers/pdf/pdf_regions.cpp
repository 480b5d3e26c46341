#include "rag/readers/pdf/pdf_regions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "rag/readers/pdf/pdf_sides.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostLines = 2'000;  // of a page that is looked at
constexpr int kDeepest = 6;           // cuts within cuts
constexpr float kGutter = 0.6F;       // least width of the strip, in heights of a line
constexpr float kWordGap = 0.55F;     // likewise, of a space between words of one column
constexpr size_t kFewestStarts = 4;   // lines that begin where a column does
constexpr float kOverhang = 0.12F;    // of the other column's width that a long line may reach into it

constexpr size_t kFewestRows = 3;  // of a table that goes across both columns

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
