#include "rag/text/asked/payments.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "rag/text/asked/extremes.h"
#include "rag/text/asked/price.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/cut_period.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using std::chrono::sys_days;
using Words = std::vector<PlacedWord>;

constexpr size_t kMostPeriodWords = 6;

const FoldedPhrases& asking_for(bool received) {
  static const FoldedPhrases kSpent{phrases_of_all([](const LanguageFacts& facts) { return facts.payments.spent; })};
  static const FoldedPhrases kReceived{
      phrases_of_all([](const LanguageFacts& facts) { return facts.payments.received; })};
  return received ? kReceived : kSpent;
}

// For an average, for what cost most, for hours or a place.
bool asks_otherwise(std::string_view question, std::string_view folded, Language language) {
  static const PhrasesOfLanguages kOtherwise([](const LanguageFacts& facts) { return facts.payments.otherwise; });
  constexpr QuestionKind kOthers[] = {QuestionKind::kPlace,  QuestionKind::kDate,     QuestionKind::kPerson,
                                      QuestionKind::kReason, QuestionKind::kDuration, QuestionKind::kFrequency,
                                      QuestionKind::kManner};
  return kOtherwise.of(language).any_in(folded) || price_wanted(question) != PriceWanted::kAny ||
         asks_how_many(question) ||
         std::find(std::begin(kOthers), std::end(kOthers), kind_of_question(question)) != std::end(kOthers);
}

// Cuts the words that name a period, wherever they stand.
std::optional<NamedPeriod> take_period(Words& words, sys_days today, Language language) {
  for (size_t n = std::min(words.size(), kMostPeriodWords); n > 0; --n) {
    for (size_t begin = 0; begin + n <= words.size(); ++begin) {
      const auto named = named_period(std::span(words).subspan(begin, n), today, language);
      if (!named) continue;
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(begin);
      words.erase(first, first + static_cast<std::ptrdiff_t>(n));
      return named;
    }
  }
  return std::nullopt;
}

// The words of the phrase that asks, each by itself: they say nothing of what was paid for.
bool is_of_asking(std::string_view word, bool received) {
  const auto& phrases = asking_for(received).all();
  return std::any_of(phrases.begin(), phrases.end(), [&](const std::string& phrase) {
    return (" " + phrase + " ").find(" " + std::string(word) + " ") != std::string::npos;
  });
}

bool says_nothing(const PlacedWord& word, bool received, Language language) {
  return is_stop_word(word.text, language) || is_price_word(word.text, language) || is_sum_word(word.text) ||
         is_earning_word(word.text) || is_of_asking(word.text, received);
}

std::string spaced_topic(std::string_view question, const Words& words, bool received, Language language) {
  std::string topic;
  for (const PlacedWord& word : words) {
    if (says_nothing(word, received, language)) continue;
    topic += (topic.empty() ? "" : " ") + std::string(question.substr(word.begin, word.end - word.begin));
  }
  return topic;
}

void cut_all(std::string& text, std::string_view list, std::string_view separator) {
  for_each_part(list, separator, [&](std::string_view part) {
    for (size_t at = text.find(part); !part.empty() && at != std::string::npos; at = text.find(part))
      text.replace(at, part.size(), " ");
  });
}

// Chinese, Japanese: what is known is cut out, and what is left between it is the topic.
AskedPayments unspaced_payments(std::string_view question, sys_days today, bool received, Language language) {
  AskedPayments asked{true, received, {}, {}};
  std::string rest = folded_text(question);
  asked.period = cut_period(rest, today, language);
  const LanguageFacts& facts = facts_of(language);
  const PriceWords& price = facts.price;
  for (const std::string_view list :
       {received ? facts.payments.received : facts.payments.spent, price.asking, price.how_much, price.reckoning})
    cut_all(rest, list, ", ");
  cut_all(rest, facts.documents->lead, " ");
  asked.topic = folded_text(rest);
  return asked;
}

}  // namespace

AskedPayments asked_payments(std::string_view question, sys_days today) {
  const std::string folded = " " + folded_text(question) + " ";
  const bool received = asking_for(true).any_in(folded);
  if (!received && !asking_for(false).any_in(folded)) return {};
  const Language language = language_of(question);
  if (asks_otherwise(question, folded, language)) return {};
  if (written_without_spaces(question)) return unspaced_payments(question, today, received, language);
  Words words = placed_words(question);
  if (std::any_of(words.begin(), words.end(), [](const PlacedWord& word) { return is_superlative(word.text); }))
    return {};
  AskedPayments asked{true, received, {}, take_period(words, today, language)};
  asked.topic = spaced_topic(question, words, received, language);
  return asked;
}

}  // namespace mneme::rag
