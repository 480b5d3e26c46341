#include "rag/readers/pdf/pdf_markers.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/readers/office_common.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr float kWidestGap = 3;        // behind a marker, in heights of its line
constexpr size_t kMostLines = 5'000;   // of a page that is looked at
constexpr size_t kLongestTitle = 100;  // bytes
constexpr float kSmallNumber = 0.9F;   // of a line, by the height of the body's
constexpr size_t kFewestNumbers = 5;   // of lines on a page
constexpr size_t kMostTitleLines = 2;  // of a title that a bare number stands before

enum class Marker : uint8_t { kNone, kBullet, kListNumber, kSectionNumber };

bool is_bullet(std::string_view text) {
  return std::string(text).append(" x").size() == item_marker(std::string(text).append(" x")) + 1;
}

// "1.", "12)", "(a)", "[3]"
bool is_list_number(std::string_view text) {
  const bool open = text.starts_with('(') || text.starts_with('[');
  const bool closed = text.ends_with(')') || text.ends_with(']');
  if (open && !closed) return false;
  if (open) text.remove_prefix(1);
  if (!closed && !text.ends_with('.')) return false;
  text.remove_suffix(1);
  const bool digits = !text.empty() && text.size() <= 3 && std::all_of(text.begin(), text.end(), is_digit);
  return digits || (text.size() == 1 && std::isalpha(static_cast<unsigned char>(text[0])) != 0);
}

// "1", "2.1", "3.1.4.", "B.2"
bool is_section_number(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  size_t part = 0;  // characters of the part of the number that is looked at
  bool letter = false;
  for (const char c : text) {
    if (c == '.' && part > 0) {
      part = 0;
      letter = false;
    } else if (is_digit(c) && part < 2 && !letter) {
      ++part;
    } else if (c >= 'A' && c <= 'H' && &c == text.data() && text.size() > 1) {
      letter = true;
      ++part;
    } else {
      return false;
    }
  }
  return part > 0 && text.size() <= 12;
}

Marker marker_of(const PdfLine& line) {
  if (line.segments.size() != 1) return Marker::kNone;
  const std::string& text = line.segments.front().text;
  if (is_bullet(text)) return Marker::kBullet;
  if (is_list_number(text)) return Marker::kListNumber;
  return is_section_number(text) ? Marker::kSectionNumber : Marker::kNone;
}

// First and last line of each line's block.
struct BlockEnds {
  size_t begin = 0;
  size_t end = 0;
};
std::vector<BlockEnds> block_ends(const PdfPage& page) {
  std::vector<BlockEnds> ends(page.lines.size());
  for (size_t begin = 0; begin < ends.size();) {
    size_t end = begin + 1;
    while (end < ends.size() && page.lines[end].block == page.lines[begin].block) ++end;
    std::fill(ends.begin() + static_cast<std::ptrdiff_t>(begin), ends.begin() + static_cast<std::ptrdiff_t>(end),
              BlockEnds{begin, end});
    begin = end;
  }
  return ends;
}

bool is_title(const PdfPage& page, const BlockEnds& block) {
  if (block.end - block.begin > kMostTitleLines) return false;
  std::string text;
  for (size_t i = block.begin; i < block.end; ++i) text.append(page.lines[i].text()).append(" ");
  text.pop_back();
  size_t offset = 0;
  const auto first = static_cast<UChar32>(utf8::next(text, offset));
  const bool begins = u_isalpha(first) && !u_islower(first);
  return begins && text.size() <= kLongestTitle && text.find_last_of(".,;:") != text.size() - 1;
}

bool is_small_number(const PdfLine& line, float body_height) {
  if (line.segments.size() != 1 || line.word_height >= kSmallNumber * body_height) return false;
  const std::string& text = line.segments.front().text;
  return text.size() <= 5 && std::all_of(text.begin(), text.end(), is_digit);
}

// Whether the numbers grow by ones, or by fives and the like, from top to bottom. stack: lines in that order.
bool counts_evenly(const PdfPage& page, const std::vector<size_t>& stack) {
  if (stack.size() < kFewestNumbers) return false;
  std::map<int, size_t> steps;
  for (size_t i = 1; i < stack.size(); ++i) {
    ++steps[to_int(page.lines[stack[i]].segments.front().text, 0) -
            to_int(page.lines[stack[i - 1]].segments.front().text, 0)];
  }
  return std::any_of(steps.begin(), steps.end(), [&](const auto& step) {
    return (step.first == 1 || step.first == 5 || step.first == 10) && 5 * step.second >= 4 * (stack.size() - 1);
  });
}

class MarkerJoiner {
 public:
  MarkerJoiner(PdfPage& page, const std::vector<bool>& taken)
      : page_(page), taken_(taken), blocks_(block_ends(page)), joined_(page.lines.size(), false) {
    markers_.reserve(page.lines.size());
    for (const PdfLine& line : page.lines) markers_.push_back(marker_of(line));
  }

  std::vector<bool> join() {
    for (size_t i = 0; i < markers_.size(); ++i) {
      if (taken_[i] || !stands_alone(i)) continue;
      const size_t line = line_behind(i);
      if (line == markers_.size()) continue;
      put_before(page_.lines[line], page_.lines[i]);
      joined_[i] = true;
    }
    return std::move(joined_);
  }

 private:
  // A column of bullets may be one block, a number is one by itself.
  bool stands_alone(size_t i) const {
    if (markers_[i] == Marker::kNone) return false;
    const BlockEnds& block = blocks_[i];
    if (markers_[i] == Marker::kSectionNumber) return block.end - block.begin == 1;
    return std::all_of(markers_.begin() + static_cast<std::ptrdiff_t>(block.begin),
                       markers_.begin() + static_cast<std::ptrdiff_t>(block.end),
                       [&](Marker marker) { return marker == markers_[i]; });
  }

  // The nearest line that the marker may be of; as many as there are lines: none.
  size_t line_behind(size_t marker) const {
    size_t nearest = page_.lines.size();
    float gap = kWidestGap * page_.lines[marker].height();
    for (size_t i = 0; i < page_.lines.size(); ++i) {
      if (i == marker || !is_beside(page_.lines[marker], page_.lines[i])) continue;
      const float distance = distance_between(page_.lines[marker], page_.lines[i]);
      if (distance < -0.5F * page_.lines[marker].height() || distance >= gap) continue;
      gap = distance;
      nearest = i;
    }
    return nearest < page_.lines.size() && is_marked(nearest, markers_[marker]) ? nearest : page_.lines.size();
  }

  static bool is_beside(const PdfLine& marker, const PdfLine& line) {
    return std::abs(marker.middle() - line.middle()) < 0.35F * std::max(marker.height(), line.height());
  }

  static float distance_between(const PdfLine& marker, const PdfLine& line) {
    return line.from_right ? marker.x_min - line.x_max : line.x_min - marker.x_max;
  }

  bool is_marked(size_t line, Marker marker) const {
    if (taken_[line] || joined_[line] || markers_[line] != Marker::kNone) return false;
    if (marker == Marker::kBullet) return true;
    if (blocks_[line].begin != line) return false;
    return marker == Marker::kListNumber || is_title(page_, blocks_[line]);
  }

  static void put_before(PdfLine& line, const PdfLine& marker) {
    PdfSegment& first = line.from_right ? line.segments.back() : line.segments.front();
    first.text = marker.segments.front().text + " " + first.text;
    first.x_min = std::min(first.x_min, marker.x_min);
    first.x_max = std::max(first.x_max, marker.x_max);
    line.x_min = std::min(line.x_min, marker.x_min);
    line.x_max = std::max(line.x_max, marker.x_max);
  }

  PdfPage& page_;
  const std::vector<bool>& taken_;
  const std::vector<BlockEnds> blocks_;
  std::vector<Marker> markers_;
  std::vector<bool> joined_;
};

}  // namespace

size_t item_marker(std::string_view text) {
  for (const std::string_view bullet : {"\xe2\x80\xa2", "\xe2\x97\xa6", "\xe2\x96\xaa", "\xe2\x97\x8f", "\xe2\x80\x93",
                                        "\xef\x82\xb7", "\xe2\x80\xa3", "-", "*"}) {
    if (text.starts_with(bullet) && text.size() > bullet.size() && text[bullet.size()] == ' ') return bullet.size() + 1;
  }
  return 0;
}

int section_number_depth(std::string_view text) {
  size_t i = 0;
  int depth = 0;
  while (i < text.size()) {
    const size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    if (i == begin && depth == 0 && text[i] >= 'A' && text[i] <= 'H' && i + 1 < text.size() && text[i + 1] == '.') ++i;
    if (i == begin || i - begin > 2) break;
    ++depth;
    if (i < text.size() && text[i] == '.') ++i;
  }
  if (depth == 0 || depth > 5 || i >= text.size() || text[i] != ' ') return 0;
  const std::string_view title = trim(text.substr(i));
  if (title.size() < 3) return 0;
  size_t offset = 0;
  const auto first = static_cast<UChar32>(utf8::next(title, offset));
  return u_isalpha(first) && !u_islower(first) ? depth : 0;
}

void drop_line_numbers(PdfPage& page, float body_height) {
  std::map<int, std::vector<size_t>> stacks;  // by region
  for (size_t i = 0; i < page.lines.size(); ++i) stacks[page.lines[i].region].push_back(i);
  std::vector<bool> dropped(page.lines.size(), false);
  for (auto& [region, stack] : stacks) {
    const auto counts = [&](size_t i) { return is_small_number(page.lines[i], body_height); };
    if (!std::all_of(stack.begin(), stack.end(), counts)) continue;
    std::sort(stack.begin(), stack.end(),
              [&](size_t a, size_t b) { return page.lines[a].y_min < page.lines[b].y_min; });
    if (!counts_evenly(page, stack)) continue;
    for (const size_t i : stack) dropped[i] = true;
  }
  size_t i = 0;
  std::erase_if(page.lines, [&](const PdfLine&) { return dropped[i++]; });
}

std::vector<bool> join_lone_markers(PdfPage& page, const std::vector<bool>& taken) {
  if (page.lines.size() > kMostLines) return std::vector<bool>(page.lines.size(), false);
  return MarkerJoiner(page, taken).join();
}

}  // namespace mneme::readers
