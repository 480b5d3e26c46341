#include "rag/quoting/number_places.h"

#include <string>
#include <vector>

#include "rag/text/asked/quantity.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kPer[] = {"per", "pro", "je", "each", "every"};

bool is_asked(const QuoteQuestion& question, std::string_view measure, std::string_view word) {
  return !is_stop_word(word, question.language) && word != measure && question.matter.contains(stem_of(word));
}

}  // namespace

bool tells_rate_only(const QuoteQuestion& question, std::string_view text) {
  if (says_any(" " + folded_text(question.text) + " ", kPer)) return false;
  const std::string measure = asked_measure(question.text);
  const std::vector<std::string> words = words_of(text);
  bool rate = false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_asked(question, measure, words[i])) continue;
    rate = i > 0 && one_of(words[i - 1], kPer);
    if (!rate) return false;
  }
  return rate;
}

bool tells_extra_price(std::string_view text) {
  constexpr std::string_view kExtra[] = {"another",  "additional", "extra",    "weitere",
                                         "weiteren", "zusatzlich", "zuzuglich"};
  const std::vector<std::string> words = words_of(text);
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (one_of(words[i], kExtra) && is_number(words[i + 1])) return true;
  }
  return false;
}

}  // namespace mneme::rag
