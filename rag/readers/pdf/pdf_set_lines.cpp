#include "rag/readers/pdf/pdf_set_lines.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/utf8.h"

namespace mneme::readers {
namespace {

constexpr size_t kShortLine = 40;     // bytes; the narrowest columns of print hold about as much
constexpr size_t kFewestShort = 3;    // short lines that say by their beginnings that they are no running text
constexpr size_t kAnewForOther = 8;   // as many of them let one be otherwise: an article whose name goes on
constexpr float kSpaceWidth = 0.35F;  // of a line's height, on the generous side

struct Edges {
  float left;
  float right;
};

Edges edges_of(std::span<const PdfLine> block) {
  Edges edges{block.front().x_min, block.front().x_max};
  for (const PdfLine& line : block) {
    edges.left = std::min(edges.left, line.x_min);
    edges.right = std::max(edges.right, line.x_max);
  }
  return edges;
}

float first_word_width(const PdfLine& line) {
  const PdfSegment& segment = line.from_right ? line.segments.back() : line.segments.front();
  const float width = segment.x_max - segment.x_min;
  const size_t space = segment.text.find(' ');
  if (space == std::string::npos || segment.text.empty()) return width;
  return width * static_cast<float>(space) / static_cast<float>(segment.text.size());
}

// Room that a line left at its end. Centred lines leave it at both.
float room_behind(const PdfLine& line, const Edges& edges) {
  const float left = line.x_min - edges.left;
  const float right = edges.right - line.x_max;
  const bool centred = left > 0.5F * line.height() && std::abs(left - right) < 0.5F * line.height();
  if (centred) return left + right;
  return line.from_right ? left : right;
}

bool begins_anew(const std::string& text) {
  size_t offset = 0;
  const char32_t first = text.empty() ? U'\0' : utf8::next(text, offset);
  return !u_isalpha(static_cast<UChar32>(first)) || u_isupper(static_cast<UChar32>(first));
}

bool goes_on_in_lower_case(const std::string& text) {
  size_t offset = 0;
  return !text.empty() && u_islower(static_cast<UChar32>(utf8::next(text, offset)));
}

bool is_short_and_begins_anew(const PdfLine& line) {
  const std::string text = line.text();
  return text.size() <= kShortLine && !text.ends_with('-') && begins_anew(text);
}

}  // namespace

bool are_set_lines(std::span<const PdfLine> block) {
  if (block.size() < 2) return false;
  const Edges edges = edges_of(block);
  size_t ended_early = 0;
  for (size_t i = 0; i + 1 < block.size(); ++i) {
    const float needed = first_word_width(block[i + 1]) + kSpaceWidth * block[i].height();
    if (room_behind(block[i], edges) > needed && !goes_on_in_lower_case(block[i + 1].text())) ++ended_early;
  }
  if (5 * ended_early >= 3 * (block.size() - 1)) return true;
  const auto others = std::count_if(block.begin(), block.end(), std::not_fn(is_short_and_begins_anew));
  return block.size() >= kFewestShort && static_cast<size_t>(others) * kAnewForOther <= block.size();
}

bool is_drawn_rule(std::string_view text) {
  constexpr size_t kShortest = 5;
  return text.size() >= kShortest && text.find_first_not_of("-=_*~. ") == std::string_view::npos;
}

}  // namespace mneme::readers
