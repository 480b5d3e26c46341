#include "rag/text/languages/stop_words.h"

#include <string>
#include <unordered_set>

#include "rag/text/languages/language_facts.h"

namespace mneme::rag {

namespace {

// By which questions ask for the kind of an answer; phrases of several words are never met.
std::string asking_words_of(const LanguageFacts& facts) {
  const AskingPhrases& asking = facts.own_asking;
  std::string all;
  for (const PhraseList phrases : {asking.date, asking.number, asking.duration, asking.frequency, asking.person,
                                   asking.place, asking.reason, asking.manner}) {
    if (!phrases.empty()) all.append(all.empty() ? "" : ", ").append(phrases);
  }
  return all;
}

}  // namespace

bool is_stop_word(std::string_view folded) {
  static const std::unordered_set<std::string> kWords = words_of_all(&LanguageFacts::grammar);
  return kWords.contains(std::string(folded));
}

bool is_stop_word(std::string_view folded, Language language) {
  static const PhrasesOfLanguages kOwn(&LanguageFacts::own_grammar, " ");
  static const PhrasesOfLanguages kAsking(asking_words_of);
  return is_stop_word(folded) || kOwn.of(language).holds(folded) || kAsking.of(language).holds(folded);
}

}  // namespace mneme::rag
