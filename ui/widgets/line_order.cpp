#include "ui/widgets/line_order.h"

#include <algorithm>
#include <cfloat>
#include <iterator>
#include <span>
#include <utility>

#include "ui/text/bidi.h"
#include "ui/text/imgui_fonts.h"

namespace mneme::ui {
namespace {

// Of a piece, as much as reads in one direction.
struct LinePart {
  TextPiece piece;
  size_t begin = 0;  // in the line
};

// What stands for a piece where its line is put into order: a citation moves as a whole, a sign of no direction.
std::string_view in_line(const TextPiece& piece) {
  return piece.citation > 0 ? std::string_view("\xef\xbf\xbc") : std::string_view(piece.text);
}

// What of a line's pieces lies in a run, in the order of reading, shaped.
std::vector<LinePart> parts_of(std::span<const TextPiece> pieces, const BidiRun& run) {
  std::vector<LinePart> parts;
  size_t begin = 0;
  for (const TextPiece& piece : pieces) {
    const size_t end = begin + in_line(piece).size();
    const size_t from = std::max(begin, run.begin);
    const size_t to = std::min(end, run.end);
    if (from < to) {
      TextPiece part = piece;
      part.right_to_left = run.right_to_left;
      if (from != begin) part.before.clear();
      if (piece.citation == 0) {
        part.text = piece.text.substr(from - begin, to - from);
        part.shown = current_fonts().shaped(part.text, run.right_to_left, part.font);
        part.width = drawn_width(part.font, part.shown);
      }
      parts.push_back({std::move(part), from});
    }
    begin = end;
  }
  return parts;
}

// From `x` on, in the order they are seen; where the next run begins.
float place(std::vector<LinePart>& parts, bool right_to_left, float x) {
  const auto put = [&x](TextPiece& piece) {
    piece.position.x = x;
    x += piece.width;
  };
  if (right_to_left) {
    for (size_t i = parts.size(); i-- > 0;) put(parts[i].piece);
  } else {
    for (LinePart& part : parts) put(part.piece);
  }
  return x;
}

}  // namespace

float drawn_width(ImFont* font, std::string_view text) {
  return font->CalcTextSizeA(font_size(font), FLT_MAX, 0.0f, text.data(), text.data() + text.size()).x;
}

void order_line(std::vector<TextPiece>& pieces, size_t first, const LineBounds& bounds) {
  bool plain = !bounds.right_to_left;
  std::string line;
  for (size_t i = first; i < pieces.size(); ++i) {
    plain = plain && !pieces[i].needs_shaping;
    line += in_line(pieces[i]);
  }
  if (plain || line.empty()) return;
  std::vector<LinePart> ordered;
  float x = bounds.left;
  for (const BidiRun& run : visual_runs(line, bounds.right_to_left)) {
    std::vector<LinePart> parts = parts_of(std::span(pieces).subspan(first), run);
    x = place(parts, run.right_to_left, x);
    std::move(parts.begin(), parts.end(), std::back_inserter(ordered));
  }
  if (bounds.right_to_left && x < bounds.right) {
    for (LinePart& part : ordered) part.piece.position.x += bounds.right - x;
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const LinePart& a, const LinePart& b) { return a.begin < b.begin; });
  pieces.resize(first);
  for (LinePart& part : ordered) pieces.push_back(std::move(part.piece));
}

}  // namespace mneme::ui
