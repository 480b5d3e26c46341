#include "rag/readers/picture/picture_words.h"

#include <array>
#include <charconv>

#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

constexpr size_t kFirstPlace = 6;  // columns before left, top, width, height

struct Place {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

Place turned(const Place& place, const Place& page, int orientation) {
  const int right = page.width - place.left - place.width;
  const int below = page.height - place.top - place.height;
  switch (orientation) {
    case 3: return {right, below, place.width, place.height};
    case 6: return {below, place.left, place.height, place.width};
    case 8: return {place.top, right, place.height, place.width};
    default: return place;
  }
}

// The rest of a row behind its first columns; npos: it has fewer.
size_t behind_columns(std::string_view row, size_t columns) {
  size_t at = 0;
  for (size_t i = 0; i < columns && at != std::string_view::npos; ++i) {
    at = row.find('\t', at);
    if (at != std::string_view::npos) ++at;
  }
  return at;
}

bool take_place(std::string_view row, size_t begin, Place& place, size_t& end) {
  for (int* const value : {&place.left, &place.top, &place.width, &place.height}) {
    constexpr int kFarthest = 1 << 20;
    const auto read = std::from_chars(row.data() + begin, row.data() + row.size(), *value);
    if (read.ec != std::errc() || *value < 0 || *value > kFarthest) return false;
    begin = static_cast<size_t>(read.ptr - row.data()) + 1;  // behind the tab
    if (begin > row.size()) return false;
  }
  end = begin;
  return true;
}

}  // namespace

std::vector<std::string_view> pages_of_words(std::string_view tsv) {
  std::vector<std::string_view> pages;
  for (size_t at = tsv.find("\n1\t"); at != std::string_view::npos;) {
    const size_t next = tsv.find("\n1\t", at + 1);
    pages.push_back(tsv.substr(at + 1, next == std::string_view::npos ? next : next - at));
    at = next;
  }
  return pages;
}

bool is_doubtful(std::string_view page) {
  constexpr size_t kConfidence = 10;  // columns before
  constexpr double kLeast = 55;       // on average; of photographs without text it is around 40, of poor scans above 70
  double sum = 0;
  int n_words = 0;
  LineCursor rows(page);
  Line row;
  while (rows.next(row)) {
    const size_t begin = behind_columns(row.text, kConfidence);
    if (!row.text.starts_with("5\t") || begin == std::string_view::npos) continue;
    int confidence = 0;  // whole per cent are enough
    std::from_chars(row.text.data() + begin, row.text.data() + row.text.size(), confidence);
    const size_t word = row.text.find('\t', begin);
    if (word == std::string_view::npos || trim(row.text.substr(word)).empty()) continue;
    sum += confidence;
    ++n_words;
  }
  return n_words > 0 && sum < kLeast * n_words;
}

std::string turned_words(std::string_view tsv, int orientation) {
  std::string out;
  Place page;
  LineCursor rows(tsv);
  Line row;
  while (rows.next(row)) {
    Place place;
    size_t end = 0;
    const size_t begin = behind_columns(row.text, kFirstPlace);
    if (begin == std::string_view::npos || !take_place(row.text, begin, place, end)) continue;
    if (row.text.starts_with("1\t")) page = place;
    const Place held = turned(place, page, orientation);
    out.append(row.text.substr(0, begin));
    for (const int value : {held.left, held.top, held.width, held.height}) out += std::to_string(value) + "\t";
    out.append(row.text.substr(end)) += '\n';
  }
  return out;
}

}  // namespace mneme::readers
