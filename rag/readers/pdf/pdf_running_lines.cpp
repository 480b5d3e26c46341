#include "rag/readers/pdf/pdf_running_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

constexpr float kEdge = 0.12F;  // share of the page's height where running lines stand
constexpr size_t kLongestRunning = 160;
constexpr size_t kMostWordings = 4096;   // wordings
constexpr size_t kMostPlaces = 4;        // of one wording: left and right pages, headers and footers
constexpr size_t kMostNumbers = 6;       // of one line that are tried as the page's
constexpr size_t kLongestNumber = 6;     // digits of the number of a page
constexpr size_t kFewDigits = 5;         // beside a page's number; of how many pages it is one, mostly
constexpr float kSamePlace = 2;          // points
constexpr float kSameScannedPlace = 12;  // of the very same words: what is scanned lies a little askew

bool near_edge(const PdfPage& page, const PdfLine& line) {
  return line.y_max < kEdge * page.height || line.y_min > (1 - kEdge) * page.height;
}

// Lines beside each other.
struct PageRow {
  float top = 0;
  float bottom = 0;
  float height = 0;  // of its first line
  size_t n_pieces = 0;
  std::vector<size_t> lines;
};

std::vector<PageRow> page_rows(const PdfPage& page) {
  std::vector<size_t> order(page.lines.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return page.lines[a].middle() < page.lines[b].middle(); });
  std::vector<PageRow> rows;
  for (const size_t index : order) {
    const PdfLine& line = page.lines[index];
    const bool same = !rows.empty() && line.middle() < rows.back().bottom - 0.35F * line.height();
    if (!same) rows.push_back({line.y_min, line.y_max, line.height(), 0, {}});
    PageRow& row = rows.back();
    row.top = std::min(row.top, line.y_min);
    row.bottom = std::max(row.bottom, line.y_max);
    row.n_pieces += line.segments.size();
    row.lines.push_back(index);
  }
  return rows;
}

// The room below each row but the last.
std::vector<float> gaps_below(const std::vector<PageRow>& rows) {
  std::vector<float> gaps(rows.empty() ? 0 : rows.size() - 1);
  float top = std::numeric_limits<float>::max();
  for (size_t r = rows.size(); r-- > 1;) {
    top = std::min(top, rows[r].top);
    gaps[r - 1] = top;
  }
  float bottom = std::numeric_limits<float>::lowest();
  for (size_t r = 0; r < gaps.size(); ++r) {
    bottom = std::max(bottom, rows[r].bottom);
    gaps[r] -= bottom;
  }
  return gaps;
}

// What lies between the lines of a paragraph or the rows of a table: the gap that a quarter of all do not exceed.
float usual_gap(std::vector<float> gaps) {
  std::erase_if(gaps, [](float gap) { return std::isnan(gap); });  // files may say anything
  if (gaps.empty()) return 0;
  const auto quarter = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 4);
  std::nth_element(gaps.begin(), quarter, gaps.end());
  return std::max(0.0F, *quarter);
}

// Marks the lines that stand where headers do: those above the first gap, or the outermost by itself. With the rows and
// gaps in the other order, where footers do.
class EdgeMarker {
 public:
  explicit EdgeMarker(const PdfPage& page) : page_(page), marked_(page.lines.size(), false) {
    std::vector<PageRow> rows = page_rows(page);
    std::vector<float> gaps = gaps_below(rows);
    usual_gap_ = usual_gap(gaps);
    mark(rows, gaps);
    std::reverse(rows.begin(), rows.end());
    std::reverse(gaps.begin(), gaps.end());
    mark(rows, gaps);
  }
  const std::vector<bool>& marked() const { return marked_; }

 private:
  bool is_parting(float gap, const PageRow& row) const { return gap > std::max(0.6F * row.height, 1.6F * usual_gap_); }

  void mark(const std::vector<PageRow>& rows, const std::vector<float>& gaps) {
    size_t n_rows = 0;
    bool parted = false;
    while (!parted && n_rows < rows.size() && stands_at_edge(rows[n_rows])) {
      parted = n_rows == gaps.size() || is_parting(gaps[n_rows], rows[n_rows]);
      ++n_rows;
    }
    const bool outermost = !rows.empty() && rows.front().n_pieces == 1 && stands_at_edge(rows.front());
    if (!parted) n_rows = outermost ? 1 : 0;
    for (size_t r = 0; r < n_rows; ++r) {
      for (const size_t line : rows[r].lines) marked_[line] = true;
    }
  }

  bool stands_at_edge(const PageRow& row) const {
    return std::all_of(row.lines.begin(), row.lines.end(),
                       [&](size_t line) { return near_edge(page_, page_.lines[line]); });
  }

  const PdfPage& page_;
  std::vector<bool> marked_;
  float usual_gap_ = 0;
};

std::vector<bool> edge_lines(const PdfPage& page) {
  return EdgeMarker(page).marked();
}

// Runs of digits become one '#'; letters lower case.
std::string number_pattern(std::string_view text) {
  std::string pattern;
  for (const char c : lower_ascii(text)) {
    if (is_digit(c) && pattern.ends_with('#')) continue;
    pattern.push_back(is_digit(c) ? '#' : c);
  }
  return pattern;
}

// "12", "- 12 -", "Page 3 of 9", "iv"
bool looks_like_page_number(std::string_view pattern) {
  std::string bare;
  for (const char c : pattern) {
    if (c != ' ' && c != '-' && c != '|' && c != '.' && c != '/') bare.push_back(c);
  }
  if (bare == "#" || bare == "##" || bare == "page#" || bare == "page#of#" || bare == "p#" || bare == "#of#")
    return true;
  return !bare.empty() && bare.size() <= 5 && bare.find_first_not_of("ivxl") == std::string::npos;
}

// Of digits alone.
int number_of(std::string_view digits) {
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

int count_at(const std::map<int, int>& counts, int key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

bool RunningLines::Place::is_of(const PdfPage& page, const PdfLine& line, float tolerance) const {
  const auto same = [&](float a, float b) { return std::abs(a - b) <= tolerance; };
  const float middle = line.middle();
  const float distance = middle < page.height / 2 ? middle : middle - page.height;
  if (!same(distance, from_edge)) return false;
  // Set to the left, to the right or in the middle, a line with a longer number has one of the three where it was.
  return same(line.x_min, x_min) || same(line.x_max, x_max) || same((line.x_min + line.x_max) / 2, (x_min + x_max) / 2);
}

std::vector<RunningLines::Wording> RunningLines::wordings_of(std::string_view text, int page) {
  const std::string lower = lower_ascii(text);
  std::vector<Wording> wordings = {{lower, 0, 0}};
  for (size_t begin = 0; begin < lower.size() && wordings.size() <= kMostNumbers;) {
    if (!is_digit(lower[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < lower.size() && is_digit(lower[end])) ++end;
    if (end - begin <= kLongestNumber) {
      const int distance = number_of(std::string_view(lower).substr(begin, end - begin)) - page;
      // No text has a control character, so that no other is taken for this.
      std::string key = lower.substr(0, begin) + '\x01' + std::to_string(distance) + '\x01' + lower.substr(end);
      wordings.push_back({std::move(key), begin, end});
    }
    begin = end;
  }
  return wordings;
}

void RunningLines::learn(std::span<const PdfPage> batch, int n_pages) {
  n_pages_ = n_pages;
  if (places_.size() > kMostWordings / 2) forget_what_does_not_run();
  for (const PdfPage& page : batch) {
    const std::vector<bool> at_edge = edge_lines(page);
    for (size_t i = 0; i < at_edge.size(); ++i) {
      if (at_edge[i]) learn_line(page, page.lines[i]);
    }
  }
  // Odd and even pages may differ, chapters change: a quarter of the pages met so far, or of one batch, is enough.
  const int pages = std::min(static_cast<int>(batch.size()), n_pages);
  const int fewest = n_pages == 2 ? 2 : 3;
  for (auto& [wording, places] : places_) {
    for (Place& place : places) place.runs = place.runs || (place.n_pages >= fewest && place.n_pages * 4 >= pages);
  }
}

void RunningLines::forget_what_does_not_run() {
  std::erase_if(places_, [](const auto& entry) {
    return std::none_of(entry.second.begin(), entry.second.end(), [](const Place& place) { return place.runs; });
  });
}

void RunningLines::learn_line(const PdfPage& page, const PdfLine& line) {
  const std::string text = line.text();
  if (text.size() > kLongestRunning) return;
  learn_number(page.number, text);
  for (Wording& wording : wordings_of(text, page.number)) {
    const float tolerance = wording.is_verbatim() ? kSameScannedPlace : kSamePlace;
    const auto known = places_.find(wording.key);
    if (known == places_.end() && places_.size() >= kMostWordings) continue;
    std::vector<Place>& places = known == places_.end() ? places_[std::move(wording.key)] : known->second;
    const auto place = std::find_if(places.begin(), places.end(),
                                    [&](const Place& before) { return before.is_of(page, line, tolerance); });
    if (place != places.end()) {
      place->n_pages += place->last_page != page.number ? 1 : 0;
      place->last_page = page.number;
    } else if (places.size() < kMostPlaces) {
      const float from_edge = line.middle() < page.height / 2 ? line.middle() : line.middle() - page.height;
      places.push_back({from_edge, line.x_min, line.x_max, 1, page.number, false});
    }
  }
}

void RunningLines::learn_number(int page, std::string_view text) {
  if (number_pattern(text) != "#" || text.size() > kLongestNumber || counts_.size() >= kMostWordings) return;
  ++counts_[number_of(text) - page];
  ++double_counts_[number_of(text) - 2 * page];
}

bool RunningLines::is_page_number(int page, std::string_view text) const {
  const std::string pattern = number_pattern(text);
  if (!looks_like_page_number(pattern)) return false;
  if (pattern != "#") return true;
  // A sum or a year may stand alone, too. Numbers of pages count, where there are pages enough to see it.
  if (text.size() > 3) return false;
  const int number = number_of(text);
  return n_pages_ < 3 || count_at(counts_, number - page) > 1 || count_at(double_counts_, number - 2 * page) > 1;
}

bool RunningLines::runs(const PdfPage& page, const PdfLine& line, const Wording& wording) const {
  const auto known = places_.find(wording.key);
  if (known == places_.end()) return false;
  const float tolerance = wording.is_verbatim() ? kSameScannedPlace : kSamePlace;
  return std::any_of(known->second.begin(), known->second.end(),
                     [&](const Place& place) { return place.runs && place.is_of(page, line, tolerance); });
}

std::vector<LineRole> RunningLines::roles(const PdfPage& page, float body_height) const {
  std::vector<LineRole> roles(page.lines.size(), LineRole::kText);
  const std::vector<bool> at_edge = edge_lines(page);
  for (size_t i = 0; i < roles.size(); ++i) {
    const PdfLine& line = page.lines[i];
    if (!at_edge[i] || line.word_height > 1.25F * body_height) continue;
    const std::string text = line.text();
    if (text.size() > kLongestRunning) continue;
    if (is_page_number(page.number, text)) {
      roles[i] = LineRole::kPageNumber;
      continue;
    }
    const std::vector<Wording> wordings = wordings_of(text, page.number);
    const bool known = std::any_of(wordings.begin(), wordings.end(),
                                   [&](const Wording& wording) { return runs(page, line, wording); });
    if (known) roles[i] = LineRole::kRunning;
  }
  return roles;
}

bool RunningLines::keep(const PdfPage& page, const PdfLine& line) {
  std::string text = line.text();
  for (const Wording& wording : wordings_of(text, page.number)) {
    if (!runs(page, line, wording)) continue;
    text.erase(wording.counted_begin, wording.counted_end - wording.counted_begin);
    // Beside "Page 2 of 3" may stand an account's number.
    const auto digits = static_cast<size_t>(std::count_if(text.begin(), text.end(), is_digit));
    return texts_.take(text, !wording.is_verbatim() && digits < kFewDigits, page.number);
  }
  return false;
}

}  // namespace mneme::readers
