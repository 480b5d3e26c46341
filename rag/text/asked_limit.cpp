#include "rag/text/asked_limit.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "rag/text/phrases.h"
#include "rag/text/words.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kLimits[] = {"maximum", "maximal", "maximale", "maximalen", "maximaler",
                                        "minimum", "minimal", "minimale", "minimalen", "maximo",
                                        "maxima",  "minimo",  "massimo",  "massima"};
constexpr std::string_view kLasting[] = {"last", "lasts",  "take",   "takes", "run",    "runs",     "valid",
                                         "term", "dauert", "dauern", "lauft", "laufen", "laufzeit", "dauer",
                                         "gilt", "gelten", "gultig", "dure",  "dura",   "duran"};

bool is_limit(std::string_view folded) {
  return one_of(folded, kLimits);
}

}  // namespace

bool need_not_be_said(QuestionKind kind, std::string_view folded) {
  if (kind == QuestionKind::kDuration && one_of(folded, kLasting)) return true;
  return (kind == QuestionKind::kNumber || kind == QuestionKind::kDuration) && is_limit(folded);
}

bool asks_limit(std::string_view question) {
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (is_limit(word.text)) return true;
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
