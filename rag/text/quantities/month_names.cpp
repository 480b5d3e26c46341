#include "rag/text/quantities/month_names.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

constexpr int kMonths = 12;

// A run of digits, as many as they are and what they say; at: behind it.
struct Digits {
  size_t n = 0;
  int value = 0;
};

Digits digits_at(std::string_view text, size_t& at) {
  constexpr size_t kMost = 4;
  Digits digits;
  while (at < text.size() && is_digit(text[at])) {
    if (digits.n++ < kMost) digits.value = 10 * digits.value + (text[at] - '0');
    ++at;
  }
  return digits;
}

void add_mark(int month, std::vector<std::string>& marks) {
  if (month < 1 || month > kMonths) return;
  std::string mark = month_mark(month);
  if (std::find(marks.begin(), marks.end(), mark) == marks.end()) marks.push_back(std::move(mark));
}

// Three numbers parted by the same sign, the year first or last.
void add_months_of(const std::array<Digits, 3>& date, char sign, std::vector<std::string>& marks) {
  const bool year_first = date[0].n == 4 && date[1].n == 2 && date[2].n == 2;
  const bool year_last = date[0].n <= 2 && date[1].n <= 2 && (date[2].n == 4 || date[2].n == 2);
  if (year_first) add_mark(date[1].value, marks);
  if (!year_last || sign == '-') return;
  add_mark(date[1].value, marks);
  if (sign == '/') add_mark(date[0].value, marks);  // the month first, as in America
}

const std::unordered_map<std::string, int>& months_by_name() {
  static const std::unordered_map<std::string, int> kByName = [] {
    std::unordered_map<std::string, int> months;
    for (const LanguageFacts* facts : all_languages()) {
      for (size_t i = 0; i < facts->months.size(); ++i) {
        for (const WordList list : {facts->months[i].names, facts->months[i].others}) {
          for (std::string& name : folded_words(list))
            months.insert_or_assign(std::move(name), static_cast<int>(i) + 1);
        }
      }
    }
    return months;
  }();
  return kByName;
}

}  // namespace

int month_called(std::string_view folded) {
  const auto found = months_by_name().find(std::string(folded));
  return found == months_by_name().end() ? 0 : found->second;
}

int month_named(std::string_view folded) {
  constexpr std::string_view kOtherWords[] = {"may", "mar", "mars", "mart", "mei", "marco", "ocak"};
  return one_of(folded, kOtherWords) ? 0 : month_called(folded);
}

std::string month_mark(int month) {
  return "#" + std::to_string(month);
}

std::vector<std::string> month_marks(std::string_view text) {
  constexpr std::string_view kSigns = "-./";
  std::vector<std::string> marks;
  for (size_t at = text.find_first_of("0123456789"); at != std::string_view::npos;
       at = text.find_first_of("0123456789", at)) {
    std::array<Digits, 3> date;
    date[0] = digits_at(text, at);
    const size_t behind = at;
    const char sign = at < text.size() ? text[at] : '\0';
    bool whole = kSigns.find(sign) != std::string_view::npos;
    for (size_t i = 1; i < date.size() && whole; ++i) {
      whole = at < text.size() && text[at] == sign;
      if (whole) date[i] = digits_at(text, ++at);
      whole = whole && date[i].n > 0;
    }
    if (whole) {
      add_months_of(date, sign, marks);
    } else {
      at = behind;
    }
  }
  return marks;
}

}  // namespace mneme::rag
