#include "rag/answering/brief/stated_brief.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "rag/answering/brief/brief_fit.h"
#include "rag/text/asked/permission.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/money.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/told/quantity.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

// From here on a short answer is right often enough to stand before the quotations.
constexpr double kLikelyEnough = 0.93;

bool is_of_word(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// Whether a sign between two characters makes them one word or number: "2026-0417", "4.50", "pre-war".
bool joins(char before, char sign, char behind) {
  if (sign == '-' || sign == '/' || sign == '_') return is_of_word(before) && is_of_word(behind);
  return (sign == '.' || sign == ',' || sign == ':') && is_digit(before) && is_digit(behind);
}

bool is_cut(std::string_view text, size_t begin, size_t end) {
  const bool before = begin > 1 && joins(text[begin - 2], text[begin - 1], text[begin]);
  return before || (end + 1 < text.size() && joins(text[end - 1], text[end], text[end + 1]));
}

std::string with_single_spaces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

// Where words stand whole in a text, and not as the name of a field.
size_t place_in(std::string_view text, std::string_view words) {
  for (size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    const size_t end = at + words.size();
    const bool names_field = text.substr(end).starts_with(": ") && is_letter(words.back());
    if (!names_field && !is_cut(text, at, end)) return at;
  }
  return std::string_view::npos;
}

// Yes or no; "Is it on Monday or on Tuesday?" asks which.
bool asks_whether(std::string_view question) {
  constexpr std::string_view kVerbs[] = {"is",    "are",  "was",  "were", "do",   "does",  "did",    "can",
                                         "could", "has",  "have", "had",  "will", "would", "should", "may",
                                         "must",  "ist",  "sind", "war",  "hat",  "haben", "habe",   "kann",
                                         "darf",  "muss", "soll", "wird", "gibt"};
  const std::vector<std::string> words = words_of(question);
  return !words.empty() && std::ranges::find(kVerbs, words.front()) != std::end(kVerbs) && !offers_choice(question);
}

bool takes_a_sentence(std::string_view question) {
  const QuestionKind kind = kind_of_question(question);
  return kind == QuestionKind::kReason || kind == QuestionKind::kManner || asks_whether(question) ||
         asked_permission(question) != Permission::kNone;
}

// The words and, within their clause, the next few: what a number counts stands there.
std::string_view with_next_words(std::string_view text, size_t begin, size_t n_bytes) {
  constexpr size_t kMostBytes = 24;
  const std::string_view rest = text.substr(begin);
  const size_t end = rest.find_first_of(",;:()|", n_bytes);
  return rest.substr(0, std::min({end, n_bytes + kMostBytes, rest.size()}));
}

// Where so much or so many of something is asked for, a number of that.
bool counts_what_is_asked(std::string_view question, std::string_view text, size_t begin, size_t n_bytes) {
  const std::string unit = asked_unit(question);
  if (unit.empty() || unit == kIntroduced || unit == kDeadline || unit == kHour || unit == kAge) return true;
  const bool is_amount = unit == kMoney && holds_amount(text.substr(begin, n_bytes));
  return is_amount || counting_cue(with_next_words(text, begin, n_bytes), unit) == 1.0;
}

// "5.1" of "5.1 The consultant shall".
bool numbers_section(std::string_view text, size_t begin, size_t n_bytes) {
  const std::string_view words = text.substr(begin, n_bytes);
  const bool has_dot = words.find('.') != std::string_view::npos;
  return begin == 0 && has_dot && words.find_first_not_of("0123456789.") == std::string_view::npos;
}

// A character of a word that names a unit: letters of any script.
size_t word_end(std::string_view text, size_t at) {
  while (at < text.size() && (is_letter(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80)) ++at;
  return at;
}

// "%", "€", " IU" of what stands behind a number; a word that something else follows may be no unit but what is counted
// or done ("40 old students"). Empty where none is.
std::string_view unit_at(std::string_view text) {
  const size_t begin = text.starts_with(' ') ? 1 : 0;
  if (text.substr(begin).starts_with('%')) return text.substr(0, begin + 1);
  const size_t end = word_end(text, begin);
  const std::string_view word = text.substr(begin, end - begin);
  if (word.empty() || is_stop_word(folded_text(word)) || is_number(folded_text(word))) return {};
  if (end == text.size() || text[end] != ' ') return text.substr(0, end);
  constexpr std::string_view kPer[] = {"per", "pro", "je", "par"};
  const std::string next = folded_text(text.substr(end + 1, word_end(text, end + 1) - end - 1));
  return is_stop_word(next) || std::ranges::find(kPer, next) != std::end(kPer) ? text.substr(0, end)
                                                                               : std::string_view();
}

}  // namespace

bool is_worth_stating(const BriefAnswer& brief, std::string_view question, std::string_view best) {
  if (brief.probability < kLikelyEnough || brief.text.empty() || takes_a_sentence(question)) return false;
  const std::string text = with_single_spaces(best);
  const size_t at = place_in(text, brief.text);
  return at != std::string::npos && says_more_than(question, brief.text) && fits_kind(question, brief.text) &&
         !numbers_section(text, at, brief.text.size()) && counts_what_is_asked(question, text, at, brief.text.size());
}

std::string with_unit(std::string_view words, std::string_view question, std::string_view best) {
  const QuestionKind kind = kind_of_question(question);
  const bool of_number =
      kind == QuestionKind::kNumber || kind == QuestionKind::kDuration || !asked_unit(question).empty();
  const std::string text = with_single_spaces(best);
  const size_t at = place_in(text, words);
  if (!of_number || at == std::string::npos || !is_digit(words.back())) return std::string(words);
  return std::string(words) + std::string(unit_at(std::string_view(text).substr(at + words.size())));
}

}  // namespace mneme::rag
