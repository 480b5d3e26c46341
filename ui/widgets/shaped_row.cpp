#include "ui/widgets/shaped_row.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/utf8.h"
#include "ui/text/imgui_fonts.h"
#include "ui/widgets/line_order.h"

namespace mneme::ui {

ShapedRow::ShapedRow(std::string_view text, bool right_to_left, float width, ImFont* font) {
  std::vector<TextPiece> pieces(1);
  pieces[0].text = text;
  pieces[0].font = font;
  pieces[0].needs_shaping = true;
  order_line(pieces, 0, {0.0f, width, right_to_left});
  size_t begin = 0;
  for (TextPiece& piece : pieces) {
    const size_t bytes = piece.text.size();
    parts_.push_back({begin, std::move(piece)});
    begin += bytes;
  }
}

const ShapedRow::Part* ShapedRow::part_of(size_t byte) const {
  const Part* found = nullptr;
  for (const Part& part : parts_) {
    if (part.begin > byte) break;
    found = &part;
  }
  return found;
}

float ShapedRow::right_end() const {
  float end = 0.0f;
  for (const Part& part : parts_) end = std::max(end, part.piece.position.x + part.piece.width);
  return end;
}

float ShapedRow::x_of(size_t byte) const {
  const Part* part = part_of(byte);
  return part == nullptr ? 0.0f : part->piece.position.x + prefix_width(part->piece, byte - part->begin);
}

size_t ShapedRow::byte_at(float x) const {
  size_t best = 0;
  float nearest = std::numeric_limits<float>::max();
  for (const Part& part : parts_) {
    const std::string_view text = part.piece.text;
    for (size_t byte = 0; byte <= text.size();) {
      const float distance = std::abs(part.piece.position.x + prefix_width(part.piece, byte) - x);
      if (distance < nearest) {
        nearest = distance;
        best = part.begin + byte;
      }
      if (byte == text.size()) break;
      utf8::next(text, byte);
    }
  }
  return best;
}

bool ShapedRow::reads_left_at(size_t byte) const {
  const Part* part = part_of(byte);
  return part != nullptr && part->piece.right_to_left;
}

std::vector<ShapedRow::Stretch> ShapedRow::stretches(size_t begin, size_t end) const {
  std::vector<Stretch> result;
  for (const Part& part : parts_) {
    const size_t from = std::max(begin, part.begin);
    const size_t to = std::min(end, part.begin + part.piece.text.size());
    if (from >= to) continue;
    const auto [left, right] =
        std::minmax({prefix_width(part.piece, from - part.begin), prefix_width(part.piece, to - part.begin)});
    result.push_back({part.piece.position.x + left, part.piece.position.x + right});
  }
  return result;
}

void ShapedRow::draw(ImDrawList& list, ImVec2 at, ImU32 colour) const {
  for (const Part& part : parts_) {
    const std::string& shown = part.piece.shown.empty() ? part.piece.text : part.piece.shown;
    list.AddText(part.piece.font, font_size(part.piece.font), ImVec2(at.x + part.piece.position.x, at.y), colour,
                 shown.data(), shown.data() + shown.size());
  }
}

}  // namespace mneme::ui
