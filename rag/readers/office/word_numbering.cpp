#include "rag/readers/office/word_numbering.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "rag/readers/document_builder.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestPattern = 80;
constexpr int kHighestNumber = 1'000'000;

// visit: of a pattern's text ("(" of "(%1)") and of the levels, from 0, whose numbers it shows.
template <typename VisitText, typename VisitLevel>
void walk_pattern(std::string_view pattern, const VisitText& visit_text, const VisitLevel& visit_level) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool shows = pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9';
    if (shows) {
      visit_level(static_cast<size_t>(pattern[++i] - '1'));
    } else {
      visit_text(pattern[i]);
    }
  }
}

// "%1.%2" and "Article %1", not "%1." and "(%1)".
bool names_place(std::string_view pattern) {
  int n_levels = 0;
  walk_pattern(pattern, [](char) {}, [&](size_t) { ++n_levels; });
  return n_levels > 1 || (n_levels == 1 && has_word(pattern));
}

const NumberedLevel& level_at(const NumberedInstance& instance, const NumberedList& list, size_t level) {
  const auto own = instance.levels.find(level);
  return own == instance.levels.end() ? list.levels[level] : own->second;
}

int start_of(const NumberedInstance& instance, const NumberedList& list, size_t level) {
  const auto own = instance.starts.find(level);
  return own == instance.starts.end() ? level_at(instance, list, level).start : own->second;
}

void advance(NumberedInstance& instance, NumberedList& list, size_t level) {
  const bool begins_anew = !instance.begun[level] && instance.starts.contains(level);
  instance.begun[level] = true;
  for (size_t lower = level + 1; lower < NumberedList::kLevels; ++lower) {
    const int behind = level_at(instance, list, lower).restarts_behind;
    if (behind < 0 || static_cast<int>(level) < behind) list.counts[lower] = NumberedList::kNotBegun;
  }
  int& count = list.counts[level];
  const bool counts_on = count != NumberedList::kNotBegun && !begins_anew;
  count = counts_on ? std::min(count + 1, kHighestNumber) : start_of(instance, list, level);
}

std::string number_of(const NumberedInstance& instance, const NumberedList& list, size_t level) {
  const NumberedLevel& shown = level_at(instance, list, level);
  std::string number;
  if (!shown.shows_number) return number;
  walk_pattern(
      shown.pattern, [&](char c) { number += c; },
      [&](size_t at) {
        const NumberedLevel& part = level_at(instance, list, at);
        if (!part.shows_number) return;
        const int count = list.counts[at] == NumberedList::kNotBegun ? start_of(instance, list, at) : list.counts[at];
        number += written_number(count, shown.all_decimal ? NumberScript::kDecimal : part.script);
      });
  return clean_text(number);
}

}  // namespace

void NumberedLevel::set_pattern(std::string text) {
  if (text.size() <= kLongestPattern) pattern = std::move(text);
}

void NumberedLevel::set_start(int number) {
  start = std::clamp(number, 0, kHighestNumber);
}

ListPlace count_paragraph(NumberedInstance& instance, NumberedList& list, size_t level) {
  advance(instance, list, level);
  ListPlace place;
  place.is_listed = true;
  place.level = static_cast<int>(level);
  place.number = number_of(instance, list, level);
  place.is_clause = !place.number.empty() && names_place(level_at(instance, list, level).pattern);
  return place;
}

}  // namespace mneme::readers
