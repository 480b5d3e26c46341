#include "rag/text/asked/price.h"

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Of all languages, each word by itself.
FoldedPhrases any_of_list(WordList PriceWords::* list) {
  const std::unordered_set<std::string> words =
      words_of_all([list](const LanguageFacts& facts) { return facts.price.*list; });
  return FoldedPhrases(std::vector<std::string_view>(words.begin(), words.end()));
}

// "电费多少": what has a price is asked for by its name, and how much.
bool asks_price_without_spaces(std::string_view question) {
  constexpr std::string_view kMuch = "多少";
  static const FoldedPhrases kPriced{phrases_of_all([](const LanguageFacts& facts) { return facts.price.priced; })};
  return question.find(kMuch) != std::string_view::npos && kPriced.any_in(question);
}

const FoldedPhrases& price_words() {
  static const FoldedPhrases kWords = any_of_list(&PriceWords::words);
  return kWords;
}

const FoldedPhrases& earning_words() {
  static const FoldedPhrases kWords = any_of_list(&PriceWords::earning);
  return kWords;
}

// In words that ask for it in whatever language.
bool asks_price_in_any(std::string_view folded) {
  static const FoldedPhrases kAsking{phrases_of_all([](const LanguageFacts& facts) { return facts.price.asking; })};
  static const FoldedPhrases kHowMuch{phrases_of_all([](const LanguageFacts& facts) { return facts.price.how_much; })};
  return kAsking.any_in(folded) ||
         (kHowMuch.any_in(folded) && (price_words().any_in(folded) || earning_words().any_in(folded)));
}

// In words of the question's own language.
bool asks_price_in(Language language, std::string_view folded) {
  static const PhrasesOfLanguages kAsking([](const LanguageFacts& facts) { return facts.own_price.asking; });
  static const PhrasesOfLanguages kHowMuch([](const LanguageFacts& facts) { return facts.own_price.how_much; });
  static const PhrasesOfLanguages kWords([](const LanguageFacts& facts) { return facts.own_price.words; }, " ");
  return kAsking.of(language).any_in(folded) ||
         (kHowMuch.of(language).any_in(folded) && kWords.of(language).any_in(folded));
}

}  // namespace

bool asks_price(std::string_view question) {
  constexpr std::string_view kCosting[] = {"what does", "what do",   "what did",  "what will", "what would",
                                           "was hat",   "was haben", "was hatte", "was wird",  "was werden"};
  constexpr std::string_view kCosts[] = {"cost", "costs", "pay for", "gekostet", "kosten"};
  const std::string folded = " " + folded_text(question) + " ";
  if (written_without_spaces(question) && asks_price_without_spaces(question)) return true;
  return asks_price_in_any(folded) || (says_any(folded, kCosting) && says_any(folded, kCosts)) ||
         asks_price_in(language_of(question), folded);
}

bool is_earning_word(std::string_view folded) {
  return earning_words().holds(folded);
}

bool is_price_word(std::string_view folded, Language language) {
  static const PhrasesOfLanguages kOwn([](const LanguageFacts& facts) { return facts.own_price.words; }, " ");
  return price_words().holds(folded) || kOwn.of(language).holds(folded);
}

bool asks_to_reckon(std::string_view question) {
  static const FoldedPhrases kFolded{phrases_of_all([](const LanguageFacts& facts) { return facts.price.reckoning; })};
  return kFolded.any_in(" " + folded_text(question) + " ");
}

bool is_sum_word(std::string_view folded) {
  constexpr std::string_view kWords[] = {"total", "altogether", "insgesamt", "totale", "sum", "summe"};
  return one_of(folded, kWords);
}

}  // namespace mneme::rag
