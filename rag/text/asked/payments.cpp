#include "rag/text/asked/payments.h"

#include <algorithm>
#include <array>
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

FoldedPhrases asking_in_words(bool received) {
  std::vector<std::string_view> several;
  for (const std::string& phrase : asking_for(received).all()) {
    if (phrase.find(' ') != std::string::npos || written_without_spaces(phrase)) several.push_back(phrase);
  }
  return FoldedPhrases(several);
}

using What = AskedPayments::What;
using Each = AskedPayments::Each;

// One list of each language, folded.
template <PhraseList PaymentWords::* list>
const FoldedPhrases& phrases_in(Language language) {
  static const PhrasesOfLanguages kAll([](const LanguageFacts& facts) { return facts.payments.*list; });
  return kAll.of(language);
}
template <WordList PaymentWords::* list>
const FoldedPhrases& words_in(Language language) {
  static const PhrasesOfLanguages kAll([](const LanguageFacts& facts) { return facts.payments.*list; }, " ");
  return kAll.of(language);
}

// In the question's language, or in several words of another that it may be in: one word may mean anything there
// (the guests of "Gäste" are "gasté", folded).
bool says_asking(std::string_view folded, Language language, bool received) {
  static const std::array<FoldedPhrases, 2> kOfWords = {asking_in_words(false), asking_in_words(true)};
  const FoldedPhrases& own =
      received ? phrases_in<&PaymentWords::received>(language) : phrases_in<&PaymentWords::spent>(language);
  return own.any_in(folded) || kOfWords[received ? 1 : 0].any_in(folded);
}

// Whether one of the phrases is there, with any words at its '#'.
bool says_around(std::string_view folded, PhraseList phrases) {
  bool says = false;
  for_each_part(phrases, ", ", [&](std::string_view phrase) {
    const size_t mark = std::min(phrase.find('#'), phrase.size());
    const std::string before = " " + folded_text(phrase.substr(0, mark)) + " ";
    const std::string behind = mark == phrase.size() ? "" : " " + folded_text(phrase.substr(mark + 1)) + " ";
    const bool wide = written_without_spaces(phrase);
    const size_t at = wide ? folded.find(before.substr(1, before.size() - 2)) : folded.find(before);
    says |= at != std::string_view::npos && (behind.empty() || folded.find(behind, at) != std::string_view::npos);
  });
  return says;
}

// "Geben wir ... aus"
bool is_spending(std::string_view folded, Language language) {
  return says_around(folded, facts_of(language).payments.spending);
}

// "How much did I pay Northern Power?"; not "for the desk".
bool is_paying(std::string_view folded, Language language) {
  return says_around(folded, facts_of(language).payments.paying) &&
         !words_in<&PaymentWords::paying_for>(language).any_in(folded);
}

Each each_of(std::string_view folded, Language language) {
  if (phrases_in<&PaymentWords::monthly>(language).any_in(folded)) return Each::kMonth;
  if (phrases_in<&PaymentWords::weekly>(language).any_in(folded)) return Each::kWeek;
  return phrases_in<&PaymentWords::yearly>(language).any_in(folded) ? Each::kYear : Each::kPayment;
}

// "The most I paid", "our biggest expense"; spends: a phrase says already that something was paid.
What extreme_of(std::string_view folded, Language language, bool spends) {
  const bool most = phrases_in<&PaymentWords::most>(language).any_in(folded);
  if (!most && !phrases_in<&PaymentWords::least>(language).any_in(folded)) return What::kSum;
  const bool of_payments = spends || words_in<&PaymentWords::expenses>(language).any_in(folded) ||
                           words_in<&PaymentWords::paid>(language).any_in(folded);
  return !of_payments ? What::kSum : most ? What::kMost : What::kLeast;
}

// For hours, for a place, or in other words for an extreme.
bool asks_otherwise(std::string_view question, std::string_view folded, Language language, What what) {
  constexpr QuestionKind kOthers[] = {QuestionKind::kPlace,  QuestionKind::kDate,     QuestionKind::kPerson,
                                      QuestionKind::kReason, QuestionKind::kDuration, QuestionKind::kFrequency,
                                      QuestionKind::kManner};
  const bool extreme = what == What::kMost || what == What::kLeast;
  const bool unclear = what == What::kSum && phrases_in<&PaymentWords::otherwise>(language).any_in(folded);
  return unclear || (!extreme && price_wanted(question) != PriceWanted::kAny) || asks_how_many(question) ||
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

bool is_within(const FoldedPhrases& phrases, std::string_view word) {
  const auto all = phrases.all();
  return std::any_of(all.begin(), all.end(), [&](const std::string& phrase) {
    return (" " + phrase + " ").find(" " + std::string(word) + " ") != std::string::npos;
  });
}

// Of an average or an extreme: "a month", "biggest", "expense", "thing".
bool is_of_reckoning(std::string_view word, Language language) {
  constexpr std::string_view kThings[] = {"thing", "things", "amount", "sum", "betrag", "summe", "somme", "importe"};
  return is_within(phrases_in<&PaymentWords::average>(language), word) ||
         is_within(phrases_in<&PaymentWords::weekly>(language), word) ||
         is_within(phrases_in<&PaymentWords::monthly>(language), word) ||
         is_within(phrases_in<&PaymentWords::yearly>(language), word) ||
         is_within(phrases_in<&PaymentWords::most>(language), word) ||
         is_within(phrases_in<&PaymentWords::least>(language), word) ||
         is_within(words_in<&PaymentWords::expenses>(language), word) ||
         is_within(words_in<&PaymentWords::paid>(language), word) ||
         is_within(phrases_in<&PaymentWords::spending>(language), word) || one_of(word, kThings);
}

bool says_nothing(const PlacedWord& word, bool received, Language language) {
  return is_stop_word(word.text, language) || is_price_word(word.text, language) || is_sum_word(word.text) ||
         is_earning_word(word.text) || is_of_asking(word.text, received);
}

std::string spaced_topic(std::string_view question, const Words& words, const AskedPayments& asked, Language language) {
  static const std::string kBeen = folded_text("\u00e9t\u00e9");  // "quelle a été": no summer
  std::string topic;
  std::string_view before;
  for (const PlacedWord& word : words) {
    const bool been = before == "a" && word.text == kBeen;
    before = word.text;
    if (been || says_nothing(word, asked.received, language)) continue;
    if (asked.may_be_price && is_within(phrases_in<&PaymentWords::paying>(language), word.text)) continue;
    const bool reckons = asked.what != What::kSum || asked.each != Each::kPayment ||
                         is_within(phrases_in<&PaymentWords::spending>(language), word.text);
    if (reckons && is_of_reckoning(word.text, language)) continue;
    topic += (topic.empty() ? "" : " ") + std::string(question.substr(word.begin, word.end - word.begin));
  }
  return topic;
}

bool is_no_longer(const NamedPeriod& period, Each each) {
  constexpr int kDays[] = {0, 7, 31, 366};
  if (!period.since || !period.before) return false;
  return (*period.before - *period.since).count() <= kDays[static_cast<size_t>(each)];
}

void cut_all(std::string& text, std::string_view list, std::string_view separator) {
  for_each_part(list, separator, [&](std::string_view part) {
    for (size_t at = text.find(part); !part.empty() && at != std::string::npos; at = text.find(part))
      text.replace(at, part.size(), " ");
  });
}

// Chinese, Japanese: what is known is cut out, and what is left between it is the topic.
AskedPayments unspaced_payments(std::string_view question, sys_days today, AskedPayments asked, Language language) {
  std::string rest = folded_text(question);
  asked.period = cut_period(rest, today, language);
  const LanguageFacts& facts = facts_of(language);
  const PriceWords& price = facts.price;
  const PaymentWords& words = facts.payments;
  for (const std::string_view list :
       {asked.received ? words.received : words.spent, price.asking, price.how_much, price.reckoning})
    cut_all(rest, list, ", ");
  if (asked.what != What::kSum) {
    for (const std::string_view list :
         {words.average, words.weekly, words.monthly, words.yearly, words.most, words.least, words.spending})
      cut_all(rest, list, ", ");
    for (const std::string_view list : {words.expenses, words.paid}) cut_all(rest, list, " ");
  }
  cut_all(rest, facts.documents->lead, " ");
  asked.topic = folded_text(rest);
  return asked;
}

}  // namespace

AskedPayments asked_payments(std::string_view question, sys_days today) {
  const std::string folded = " " + folded_text(question) + " ";
  const Language language = language_of(question);
  AskedPayments asked;
  asked.received = says_asking(folded, language, true);
  const bool pays = asked.received || says_asking(folded, language, false) || is_spending(folded, language);
  asked.may_be_price = !pays && is_paying(folded, language) && asks_price(question);
  const bool spends = pays || asked.may_be_price;
  asked.what = extreme_of(folded, language, spends);
  if (asked.what == What::kSum && !spends) return {};
  const bool on_average = phrases_in<&PaymentWords::average>(language).any_in(folded);
  asked.each = asked.what == What::kSum ? each_of(folded, language) : Each::kPayment;
  if (asked.what == What::kSum && (on_average || asked.each != Each::kPayment)) asked.what = What::kAverage;
  if (asks_otherwise(question, folded, language, asked.what)) return {};
  asked.is_asked = true;
  if (written_without_spaces(question)) return unspaced_payments(question, today, std::move(asked), language);
  Words words = placed_words(question);
  const bool superlative =
      std::any_of(words.begin(), words.end(), [](const PlacedWord& word) { return is_superlative(word.text); });
  if (superlative && (asked.what == What::kSum || asked.what == What::kAverage)) return {};
  asked.period = take_period(words, today, language);
  // "In the month of March": of no longer time an average is asked for.
  if (asked.what == What::kAverage && !on_average && asked.period && is_no_longer(*asked.period, asked.each))
    asked.what = What::kSum;
  asked.topic = spaced_topic(question, words, asked, language);
  if (asked.may_be_price && asked.topic.empty() && !asked.period) return {};
  return asked;
}

}  // namespace mneme::rag
