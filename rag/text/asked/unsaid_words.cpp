#include "rag/text/asked/unsaid_words.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "rag/text/asked/limit.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kBeginning = 3;  // words: "on which day"

// What manuals call the things that they list.
constexpr std::string_view kListed[] = {"parameter", "parameters", "parametern", "option",      "options",
                                        "optionen",  "setting",    "settings",   "einstellung", "einstellungen"};

bool is_lasting(QuestionKind kind, std::string_view folded) {
  static const std::unordered_set<std::string> kWords = words_of_all(&LanguageFacts::takes_time);
  return kind == QuestionKind::kDuration && kWords.contains(std::string(folded));
}

}  // namespace

bool excludes(std::string_view folded) {
  return folded == "without" || folded == "ohne" || folded == "sans";
}

bool need_not_be_said(QuestionKind kind, std::string_view folded) {
  static const std::unordered_set<std::string> kLastingElsewhere = words_of_all(&LanguageFacts::lasting);
  const bool of_time = kind == QuestionKind::kDuration || kind == QuestionKind::kDate;
  if (of_time && kLastingElsewhere.contains(std::string(folded))) return true;
  if (is_lasting(kind, folded) || one_of(folded, kListed)) return true;
  return (kind == QuestionKind::kNumber || kind == QuestionKind::kDuration) && is_limit_word(folded);
}

std::vector<std::string_view> words_of_times(QuestionKind kind, std::string_view folded) {
  constexpr std::string_view kLeaving[] = {"leave", "leaves", "left", "depart", "departs"};
  constexpr std::string_view kArriving[] = {"arrive", "arrives", "land", "lands"};
  if (kind != QuestionKind::kDate) return {};
  if (one_of(folded, kLeaving)) return {"depart", "departs", "departure"};
  if (one_of(folded, kArriving)) return {"arrive", "arrives", "arrival"};
  return {};
}

std::string day_asked_for(std::string_view question) {
  constexpr std::string_view kWhich[] = {"which", "what", "welcher", "welchem", "welchen"};
  constexpr std::string_view kDays[] = {"day", "days", "date", "weekday", "tag", "wochentag"};
  const std::vector<std::string> words = words_of(question);
  for (size_t i = 1; i < std::min(words.size(), kBeginning); ++i) {
    if (one_of(words[i], kDays) && one_of(words[i - 1], kWhich)) return words[i];
  }
  return {};
}

std::vector<std::string_view> words_of_lasting(QuestionKind kind, std::string_view folded) {
  if (!is_lasting(kind, folded)) return {};
  static const std::unordered_set<std::string> kTerms = words_of_all(&LanguageFacts::terms);  // the views stay valid
  return {kTerms.begin(), kTerms.end()};
}

}  // namespace mneme::rag
