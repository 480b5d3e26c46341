#include "rag/text/asked/limit.h"

#include <string>

#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kLimits[] = {"maximum", "maximal", "maximale", "maximalen", "maximaler",
                                        "minimum", "minimal", "minimale", "minimalen", "maximo",
                                        "maxima",  "minimo",  "massimo",  "massima"};
}  // namespace

bool is_limit_word(std::string_view folded) {
  return one_of(folded, kLimits);
}

bool asks_limit(std::string_view question) {
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (is_limit_word(word.text)) return true;
  }
  return false;
}

bool sets_limit(std::string_view sentence) {
  constexpr std::string_view kSetting[] = {"at most",
                                           "at least",
                                           "no more than",
                                           "not more than",
                                           "up to",
                                           "maximum",
                                           "minimum",
                                           "max",
                                           "min",
                                           "not exceed",
                                           "limit",
                                           "limits",
                                           "limited to",
                                           "longer than",
                                           "larger than",
                                           "greater than",
                                           "smaller than",
                                           "shorter than",
                                           "more than",
                                           "less than",
                                           "fewer than",
                                           "wider than",
                                           "hochstens",
                                           "mindestens",
                                           "bis zu",
                                           "maximal",
                                           "minimal",
                                           "nicht mehr als",
                                           "nicht langer als",
                                           "nicht grosser als",
                                           "nicht weniger als",
                                           "au plus",
                                           "au moins",
                                           "como maximo",
                                           "al massimo"};
  return says_any(" " + folded_text(sentence) + " ", kSetting);
}

}  // namespace mneme::rag
