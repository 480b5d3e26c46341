#include "rag/text/unsaid_words.h"

#include "rag/text/asked_limit.h"
#include "rag/text/phrases.h"

namespace mneme::rag {

namespace {

constexpr std::string_view kLasting[] = {"last", "lasts",  "take",   "takes", "run",    "runs",     "valid",
                                         "term", "dauert", "dauern", "lauft", "laufen", "laufzeit", "dauer",
                                         "gilt", "gelten", "gultig", "dure",  "dura",   "duran"};

constexpr std::string_view kTerms[] = {"term", "duration", "lasts", "valid", "expires", "laufzeit", "dauer", "gilt"};
// What manuals call the things that they list.
constexpr std::string_view kListed[] = {"parameter", "parameters", "parametern", "option",      "options",
                                        "optionen",  "setting",    "settings",   "einstellung", "einstellungen"};

bool is_lasting(QuestionKind kind, std::string_view folded) {
  return kind == QuestionKind::kDuration && one_of(folded, kLasting);
}

}  // namespace

bool excludes(std::string_view folded) {
  return folded == "without" || folded == "ohne" || folded == "sans";
}

bool need_not_be_said(QuestionKind kind, std::string_view folded) {
  if (is_lasting(kind, folded) || one_of(folded, kListed)) return true;
  return (kind == QuestionKind::kNumber || kind == QuestionKind::kDuration) && is_limit_word(folded);
}

std::vector<std::string_view> words_of_lasting(QuestionKind kind, std::string_view folded) {
  if (!is_lasting(kind, folded)) return {};
  return {std::begin(kTerms), std::end(kTerms)};
}

}  // namespace mneme::rag
