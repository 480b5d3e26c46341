#include "ui/widgets/icons.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>

namespace mneme::ui {
namespace {

constexpr float kGrid = 16.0f;
constexpr float kStroke = 1.4f;  // of the grid's units
constexpr size_t kMostNumbers = 12;
constexpr int kArcSegments = 20;

// One stroke or filled shape, by numbers on the grid.
struct Mark {
  enum class Kind : uint8_t {
    kLine,     // x, y of each point
    kOutline,  // the same, closed
    kShape,    // the same, filled; convex
    kBox,      // x, y of two corners, radius of the rounding
    kBlock,    // the same, filled
    kRing,     // x, y of the middle, radius
    kDot,      // the same, filled
    kArc       // x, y of the middle, radius, angles of begin and end in radians, clockwise from the right
  };
  Kind kind = Kind::kLine;
  size_t n = 0;
  std::array<float, kMostNumbers> at{};
};

constexpr Mark mark(Mark::Kind kind, std::initializer_list<float> numbers) {
  Mark m;
  m.kind = kind;
  for (const float number : numbers) m.at[m.n++] = number;
  return m;
}
constexpr Mark line(std::initializer_list<float> points) {
  return mark(Mark::Kind::kLine, points);
}
constexpr Mark outline(std::initializer_list<float> points) {
  return mark(Mark::Kind::kOutline, points);
}
constexpr Mark shape(std::initializer_list<float> points) {
  return mark(Mark::Kind::kShape, points);
}
constexpr Mark box(float x1, float y1, float x2, float y2, float rounding) {
  return mark(Mark::Kind::kBox, {x1, y1, x2, y2, rounding});
}
constexpr Mark block(float x1, float y1, float x2, float y2, float rounding) {
  return mark(Mark::Kind::kBlock, {x1, y1, x2, y2, rounding});
}
constexpr Mark ring(float x, float y, float radius) {
  return mark(Mark::Kind::kRing, {x, y, radius});
}
constexpr Mark dot(float x, float y, float radius) {
  return mark(Mark::Kind::kDot, {x, y, radius});
}
constexpr Mark arc(float x, float y, float radius, float begin, float end) {
  return mark(Mark::Kind::kArc, {x, y, radius, begin, end});
}

constexpr Mark kPlus[] = {line({8, 3, 8, 13}), line({3, 8, 13, 8})};
constexpr Mark kMinus[] = {line({3, 8, 13, 8})};
constexpr Mark kSend[] = {line({8, 13, 8, 3}), line({3.8f, 7.2f, 8, 3, 12.2f, 7.2f})};
constexpr Mark kStop[] = {block(4, 4, 12, 12, 2)};
constexpr Mark kFolder[] = {outline({2, 3.5f, 6, 3.5f, 8, 5.5f, 14, 5.5f, 14, 13, 2, 13})};
constexpr Mark kChat[] = {box(2, 3, 14, 11, 3), line({5, 11, 5, 14, 8, 11})};
constexpr Mark kChip[] = {box(4, 4, 12, 12, 2),    line({6, 1.5f, 6, 4}),     line({10, 1.5f, 10, 4}),
                          line({6, 12, 6, 14.5f}), line({10, 12, 10, 14.5f}), line({1.5f, 6, 4, 6}),
                          line({1.5f, 10, 4, 10}), line({12, 6, 14.5f, 6}),   line({12, 10, 14.5f, 10})};
constexpr Mark kSliders[] = {line({2, 4.5f, 8, 4.5f}),   ring(10, 4.5f, 2.2f), line({12, 4.5f, 14, 4.5f}),
                             line({2, 11.5f, 4, 11.5f}), ring(6, 11.5f, 2.2f), line({8, 11.5f, 14, 11.5f})};
constexpr Mark kSearch[] = {ring(7, 7, 4.6f), line({10, 10, 14, 14})};
constexpr Mark kClose[] = {line({4, 4, 12, 12}), line({12, 4, 4, 12})};
constexpr Mark kMore[] = {dot(3.5f, 8, 1.4f), dot(8, 8, 1.4f), dot(12.5f, 8, 1.4f)};
constexpr Mark kPin[] = {dot(8, 6, 3.2f), line({8, 8, 8, 14})};
constexpr Mark kPanel[] = {box(2, 3, 14, 13, 2), line({10, 3, 10, 13})};
constexpr Mark kCopy[] = {box(5.5f, 5.5f, 13.5f, 13.5f, 2), line({10.5f, 2.5f, 4, 2.5f, 2.5f, 4, 2.5f, 10.5f})};
constexpr Mark kRetry[] = {arc(8, 8, 5, 0.6f, 5.6f), line({12.2f, 1.8f, 12.2f, 5.2f, 8.8f, 5.2f})};
constexpr Mark kEdit[] = {outline({3, 13, 4, 9.5f, 11, 2.5f, 13.5f, 5, 6.5f, 12})};
constexpr Mark kBranch[] = {ring(4.5f, 3.5f, 2), ring(4.5f, 12.5f, 2), ring(11.5f, 5.5f, 2),
                            line({4.5f, 5.3f, 4.5f, 10.7f}), line({11.5f, 7.3f, 9.5f, 9.2f, 4.5f, 9.8f})};
constexpr Mark kChart[] = {line({2, 2, 2, 14, 14, 14}), line({5, 11, 5, 8}), line({8.5f, 11, 8.5f, 4}),
                           line({12, 11, 12, 6})};
constexpr Mark kPause[] = {block(4, 3, 6.8f, 13, 1), block(9.2f, 3, 12, 13, 1)};
constexpr Mark kPlay[] = {shape({4, 2.5f, 13, 8, 4, 13.5f})};
constexpr Mark kTrash[] = {line({2.5f, 4, 13.5f, 4}), line({6, 4, 6, 2.2f, 10, 2.2f, 10, 4}),
                           line({4, 4, 4.7f, 14, 11.3f, 14, 12, 4})};
constexpr Mark kBook[] = {outline({8, 4, 2, 3, 2, 13, 8, 14}), line({8, 4, 14, 3, 14, 13, 8, 14})};
constexpr Mark kPrevious[] = {line({10, 3, 5, 8, 10, 13})};
constexpr Mark kNext[] = {line({6, 3, 11, 8, 6, 13})};
constexpr Mark kWarning[] = {outline({8, 2, 14.5f, 13.5f, 1.5f, 13.5f}), line({8, 6, 8, 9.5f}), dot(8, 11.5f, 0.9f)};
// Two circles through the corners of the eye, (1.5, 8) and (14.5, 8).
constexpr Mark kEye[] = {arc(8, 11.28f, 7.28f, 3.609f, 5.816f), arc(8, 4.72f, 7.28f, 0.467f, 2.675f), dot(8, 8, 2)};

constexpr Mark kQuote[] = {block(2, 7.5f, 7, 12.5f, 1.2f), line({2.7f, 8.5f, 2.9f, 6, 4, 4.4f, 5.6f, 3.4f}),
                           block(9, 7.5f, 14, 12.5f, 1.2f), line({9.7f, 8.5f, 9.9f, 6, 11, 4.4f, 12.6f, 3.4f})};

constexpr std::span<const Mark> kIcons[] = {
    kPlus,  kMinus, kSend,   kStop,  kFolder, kChat, kChip,  kSliders, kSearch,   kClose, kMore,    kPin, kPanel, kCopy,
    kRetry, kEdit,  kBranch, kChart, kPause,  kPlay, kTrash, kBook,    kPrevious, kNext,  kWarning, kEye, kQuote};
static_assert(std::size(kIcons) == kIconCount, "one row for each icon, in the order of their names");

void draw_mark(ImDrawList& list, const Mark& m, ImVec2 corner, float unit, ImU32 colour) {
  const float stroke = std::max(1.0f, unit * kStroke);
  const auto point = [&](size_t i) { return ImVec2(corner.x + m.at[2 * i] * unit, corner.y + m.at[2 * i + 1] * unit); };
  std::array<ImVec2, kMostNumbers / 2> points;
  const auto n = static_cast<int>(m.n / 2);
  // Lines lie on the middles of pixels, as boxes do by themselves.
  for (size_t i = 0; i < m.n / 2; ++i) points[i] = ImVec2(point(i).x + 0.5f, point(i).y + 0.5f);
  const float* numbers = m.at.data();
  switch (m.kind) {
    case Mark::Kind::kLine: list.AddPolyline(points.data(), n, colour, 0, stroke); break;
    case Mark::Kind::kOutline: list.AddPolyline(points.data(), n, colour, ImDrawFlags_Closed, stroke); break;
    case Mark::Kind::kShape: list.AddConvexPolyFilled(points.data(), n, colour); break;
    case Mark::Kind::kBox: list.AddRect(point(0), point(1), colour, numbers[4] * unit, 0, stroke); break;
    case Mark::Kind::kBlock: list.AddRectFilled(point(0), point(1), colour, numbers[4] * unit); break;
    case Mark::Kind::kRing: list.AddCircle(point(0), numbers[2] * unit, colour, 0, stroke); break;
    case Mark::Kind::kDot: list.AddCircleFilled(point(0), numbers[2] * unit, colour); break;
    case Mark::Kind::kArc:
      list.PathArcTo(point(0), numbers[2] * unit, numbers[3], numbers[4], kArcSegments);
      list.PathStroke(colour, 0, stroke);
      break;
  }
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float size, ImU32 colour) {
  const ImVec2 corner(centre.x - size * 0.5f, centre.y - size * 0.5f);
  for (const Mark& m : kIcons[static_cast<size_t>(icon)]) draw_mark(list, m, corner, size / kGrid, colour);
}

}  // namespace mneme::ui
