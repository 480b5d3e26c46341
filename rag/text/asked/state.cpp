#include "rag/text/asked/state.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "rag/text/languages/language_facts.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

constexpr size_t kMostThing = 7;  // words

// What stands around the thing.
struct Around {
  std::vector<std::string> before;
  std::vector<std::string> behind;
  size_t size() const { return before.size() + behind.size(); }
};

std::vector<Around> phrases_of(const LanguageFacts& facts) {
  std::vector<Around> all;
  for_each_part(facts.asking_state, ", ", [&](std::string_view phrase) {
    const size_t mark = phrase.find('#');
    if (mark != std::string_view::npos)
      all.push_back({words_of(phrase.substr(0, mark)), words_of(phrase.substr(mark + 1))});
  });
  return all;
}

const std::vector<Around>& phrases_in(Language language) {
  static const std::map<Language, std::vector<Around>> kAll = [] {
    std::map<Language, std::vector<Around>> all;
    for (const LanguageFacts* facts : all_languages()) all.emplace(facts->language, phrases_of(*facts));
    all.emplace(Language::kUnknown, std::vector<Around>());
    return all;
  }();
  return kAll.at(language);
}

bool are(Words words, const std::vector<std::string>& phrase) {
  return words.size() == phrase.size() &&
         std::equal(words.begin(), words.end(), phrase.begin(),
                    [](const PlacedWord& word, const std::string& other) { return word.text == other; });
}

std::string spaced_thing(std::string_view question, Language language) {
  const std::vector<PlacedWord> placed = placed_words(question);
  const Words words = placed;
  const Around* best = nullptr;
  for (const Around& phrase : phrases_in(language)) {
    const size_t n = phrase.size();
    if (words.size() <= n || words.size() > n + kMostThing || (best != nullptr && best->size() >= n)) continue;
    if (are(words.first(phrase.before.size()), phrase.before) && are(words.last(phrase.behind.size()), phrase.behind))
      best = &phrase;
  }
  if (best == nullptr) return {};
  const Words thing = words.subspan(best->before.size(), words.size() - best->size());
  const bool says = std::any_of(thing.begin(), thing.end(),
                                [&](const PlacedWord& word) { return !is_stop_word(word.text, language); });
  return says ? std::string(spanned(question, thing)) : std::string();
}

// Where words are not parted: what stands before the signs that ask.
std::string unspaced_thing(std::string_view question, Language language) {
  std::string thing;
  for_each_part(facts_of(language).asking_state, ", ", [&](std::string_view phrase) {
    if (!thing.empty() || !phrase.starts_with('#')) return;
    const size_t at = question.find(phrase.substr(1));
    if (at != std::string_view::npos && at > 0) thing = question.substr(0, at);
  });
  return thing;
}

const FoldedPhrases& defects_in(Language language) {
  static const PhrasesOfLanguages kAll(
      [](const LanguageFacts& facts) { return facts.papers == nullptr ? std::string_view() : facts.papers->defects; });
  return kAll.of(language);
}

}  // namespace

std::string thing_in_question_of_state(std::string_view question) {
  const Language language = language_of(question);
  return written_without_spaces(question) ? unspaced_thing(question, language) : spaced_thing(question, language);
}

bool tells_defect(std::string_view text, Language also) {
  const std::string folded = " " + folded_text(text) + " ";
  return defects_in(language_of(text)).any_in(folded) || defects_in(also).any_in(folded);
}

}  // namespace mneme::rag
