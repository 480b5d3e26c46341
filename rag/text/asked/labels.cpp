#include "rag/text/asked/labels.h"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_set>

#include "rag/text/asked/action.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/variants/ending_forms.h"
#include "rag/text/variants/related_words.h"
#include "rag/text/variants/synonyms.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostWords = 64;     // of a question: bits of a mask
constexpr size_t kLongestLabel = 48;  // bytes
constexpr size_t kMostLabelWords = 6;
constexpr size_t kReadBehindLabel = 120;  // bytes
constexpr double kLeastShare = 0.5;       // of the words that a label must hold to be what is asked for
constexpr double kAnyOfIt = 0.5;          // ... and what that counts; "spoken" in "languages spoken" adds little
constexpr double kInDetail = 0.9;         // "Exports - partners" for "exports": one side of it
constexpr double kInKind = 0.95;          // "GDP (official exchange rate)" for "GDP": it, by one way of counting
constexpr std::string_view kMarks = " \t#*_->+•|`";

bool holds(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "When was it written?" is told under "Year".
bool says_making(std::string_view word) {
  constexpr std::string_view kMaking[] = {"written", "published", "released", "created", "printed", "issued", "filed"};
  return std::find(std::begin(kMaking), std::end(kMaking), word) != std::end(kMaking);
}
bool says_date(std::string_view word) {
  constexpr std::string_view kDates[] = {"year", "date", "published", "created", "released", "issued"};
  return std::find(std::begin(kDates), std::end(kDates), word) != std::end(kDates);
}

// "How big is Norway?" is told under "Area".
bool says_extent(std::string_view word) {
  constexpr std::string_view kBig[] = {"big", "large", "gross", "grande", "grand"};
  return std::find(std::begin(kBig), std::end(kBig), word) != std::end(kBig);
}
bool names_extent(std::string_view word) {
  constexpr std::string_view kExtents[] = {"area", "size", "surface", "flache", "superficie", "grosse"};
  return std::find(std::begin(kExtents), std::end(kExtents), word) != std::end(kExtents);
}

bool begins_with_capital(std::string_view text) {
  return !text.empty() && text.front() >= 'A' && text.front() <= 'Z';
}

}  // namespace

std::string_view label_of(std::string_view line) {
  const bool heading = line.starts_with('#');
  const size_t first = line.find_first_not_of(kMarks);
  if (first == std::string_view::npos) return {};
  line.remove_prefix(first);
  size_t end = line.size();
  if (!heading) {
    end = std::min(line.find(':'), line.find("："));
    if (end == std::string_view::npos) return {};
  }
  const std::string_view label = line.substr(0, end);
  const size_t last = label.find_last_not_of(" \t\r#*_`");
  return last < kLongestLabel ? label.substr(0, last + 1) : std::string_view();  // npos: nothing but marks
}

std::string_view label_in_heading(std::string_view heading) {
  const std::string_view whole = label_of(heading);
  const size_t colon = whole.find(": ");
  return heading.starts_with('#') && colon != std::string_view::npos ? whole.substr(0, colon) : std::string_view();
}

bool is_place_label(std::string_view label) {
  static const std::unordered_set<std::string> kLabels = words_of_all(&LanguageFacts::place_labels);
  return kLabels.contains(folded_text(label));
}

bool is_date_label(std::string_view label) {
  static const std::unordered_set<std::string> kLabels = words_of_all(&LanguageFacts::date_labels);
  return kLabels.contains(folded_text(label));
}

AskedLabels::AskedLabels(std::string_view question)
    : asks_date_(wants_date(question)), language_(language_of(question)), measure_(asked_measure(question)) {
  WordScanner scanner(question);
  for (Word word; words_.size() < kMostWords && scanner.next(word);) {
    words_.push_back({std::string(word.text), stem_of(word.text), !is_stop_word(word.text, language_)});
  }
}

uint64_t AskedLabels::taken_by(std::string_view title) const {
  const uint64_t whole = taken_whole(title);
  if (whole != 0) return whole;
  const std::string_view dated = title.substr(0, title.find(", "));  // "Product meeting, 12 March 2026"
  if (dated.size() < title.size() && has_digits(title.substr(dated.size()))) return taken_whole(dated);
  const std::string_view name = title.substr(0, title.find(": "));
  return name.size() == title.size() || !has_digits(name) ? whole : taken_whole(name);
}

uint64_t AskedLabels::taken_whole(std::string_view title) const {
  if (title.size() > 2 * kLongestLabel) return 0;
  const std::vector<std::string> wanted = words_of(title);
  if (wanted.empty()) return 0;
  const auto at = std::search(words_.begin(), words_.end(), wanted.begin(), wanted.end(),
                              [](const AskedWord& asked, const std::string& word) { return asked.text == word; });
  if (at == words_.end() || (wanted.size() == 1 && at != words_.begin() && wants_action((at - 1)->text))) return 0;
  uint64_t taken = 0;
  bool says_something = false;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto place = static_cast<size_t>(at - words_.begin()) + i;
    taken |= uint64_t{1} << place;
    says_something |= words_[place].says_something;
  }
  return says_something ? taken : 0;
}

// In any form, or by what people call it: "people" are counted under "Population".
bool AskedLabels::same(const AskedWord& asked, std::string_view word) const {
  const std::string stem = stem_of(word);
  if (asked.stem == stem || is_form(asked.stem, stem) || is_ending_form(language_, asked.stem, stem)) return true;
  static const PhrasesOfLanguages kAreas(&LanguageFacts::areas, " ");
  if (asked.text == measure_ && kAreas.of(language_).holds(word)) return true;
  if (asks_date_ && says_making(asked.text) && says_date(word)) return true;
  if (says_extent(asked.text)) return names_extent(word);  // "large: 4" counts what is large
  return holds(related_words(asked.text), word) || holds(synonyms_of(asked.text), word);
}

double AskedLabels::share_in(std::string_view label, uint64_t taken, std::string_view said) const {
  double share = share_of_words(label, taken, said);
  for (const auto& [border, part] :
       {std::pair{" - ", kInDetail}, {" (", kInKind}, {" at ", kInDetail}, {" by ", kInDetail}}) {
    const size_t end = label.find(border);
    if (end != std::string_view::npos)
      share = std::max(share, part * share_of_words(label.substr(0, end), taken, said));
  }
  return share;
}

double AskedLabels::share_as_role(std::string_view said, uint64_t taken) const {
  uint64_t found = 0;
  size_t end = 0;
  WordScanner scanner(said);
  for (Word word; scanner.next(word); end = word.byte_end) {
    const uint64_t asked = asked_in(word.text, taken);
    if (asked == 0) {
      const bool is_name = found != 0 && begins_with_capital(said.substr(word.byte_begin));
      return is_name ? share_of_words(said.substr(0, end), taken, {}) : 0.0;
    }
    found |= asked;
  }
  return 0.0;
}

// Which of the question's words beside `taken` a word stands for, a bit each.
uint64_t AskedLabels::asked_in(std::string_view word, uint64_t taken) const {
  uint64_t found = 0;
  for (size_t i = 0; i < words_.size(); ++i) {
    if ((taken >> i & 1) == 0 && words_[i].says_something && same(words_[i], word)) found |= uint64_t{1} << i;
  }
  return found;
}

double AskedLabels::share_of_words(std::string_view label, uint64_t taken, std::string_view said) const {
  const std::vector<std::string> words = words_of(label);
  if (words.empty() || words.size() > kMostLabelWords) return 0.0;
  uint64_t found = 0;
  for (const std::string& word : words) {
    if (is_stop_word(word, language_) || has_digits(word) || is_number(word)) continue;
    const uint64_t asked = asked_in(word, taken);
    if (asked == 0) return 0.0;
    found |= asked;
  }
  uint64_t rest = 0;
  for (size_t i = 0; i < words_.size(); ++i) {
    if (words_[i].says_something && (taken >> i & 1) == 0) rest |= uint64_t{1} << i;
  }
  if (found == 0) return 0.0;
  const double n_rest = std::popcount(rest);
  if (std::popcount(found) < kLeastShare * n_rest) {
    for (const std::string& word : words_of(said.substr(0, kReadBehindLabel))) found |= asked_in(word, taken);
  }
  const double share = std::popcount(found) / n_rest;
  return share < kLeastShare ? 0.0 : kAnyOfIt + (1.0 - kAnyOfIt) * share;
}

double AskedLabels::best_share(std::string_view text, uint64_t taken) const {
  double best = 0.0;
  std::string_view heading;
  std::string both;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view label = label_of(line);
    if (label.empty()) continue;
    const std::string_view said = line.substr(static_cast<size_t>(label.end() - line.begin()));
    best = std::max(best, share_in(label, taken, said));
    if (line.starts_with('#')) {
      best = std::max(best, share_in(label_in_heading(line), taken));
      heading = label;
    } else if (!heading.empty()) {
      both.assign(heading).append(" ").append(label);
      best = std::max(best, share_in(both, taken));
    }
  }
  return best;
}

}  // namespace mneme::rag
