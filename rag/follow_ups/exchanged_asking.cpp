#include "rag/follow_ups/exchanged_asking.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "rag/follow_ups/follow_up_words.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

// What may stand beside one: "how often", "until when", "seit wann", "jusqu'à quand".
bool goes_with_asking(std::string_view word) {
  constexpr std::string_view kWords[] = {"often", "long",  "until", "till", "since", "by",    "from",  "oft",
                                         "lange", "bis",   "seit",  "ab",   "von",   "jusqu", "a",     "depuis",
                                         "hasta", "desde", "с",     "до",   "каких", "пор",   "часто", "долго"};
  return one_of(word, kWords);
}

// How many of the first words ask.
size_t n_asking(Words words, Language language) {
  size_t n = 0;
  while (n < words.size() && (is_asking_adverb(words[n].text, language) || goes_with_asking(words[n].text))) ++n;
  const bool asks = std::any_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n),
                                [&](const PlacedWord& word) { return is_asking_adverb(word.text, language); });
  return asks ? n : 0;
}

bool begins_with_verb(std::string_view word) {
  constexpr std::string_view kWords[] = {"is",  "are",  "was",    "were", "do",   "does", "did",  "can", "must",
                                         "may", "will", "should", "kann", "muss", "darf", "soll", "wird"};
  return one_of(word, kWords);
}

// "At what temperature", "Bei welcher Temperatur": how many of the first words ask so, a noun behind what asks for it.
size_t n_asking_by_noun(Words words) {
  constexpr std::string_view kWhich[] = {"what",    "which",  "welche", "welcher", "welchem", "welchen",
                                         "welches", "quelle", "quel",   "que",     "cual",    "quale",
                                         "qual",    "какой",  "какои",  "какая",   "какую",   "каком"};
  const size_t which = !words.empty() && is_preposition(words[0].text) ? 1 : 0;
  const bool asks = which + 2 < words.size() && one_of(words[which].text, kWhich);
  if (!asks || is_determiner(words[which + 1].text) || is_preposition(words[which + 1].text)) return 0;
  const std::string_view verb = words[which + 2].text;
  const bool german = words[which].text.starts_with("welch");
  return begins_with_verb(verb) || (german && !is_preposition(verb) && !is_determiner(verb)) ? which + 2 : 0;
}

}  // namespace

std::optional<std::string> with_asking_exchanged(std::string_view before, std::string_view follow_up) {
  const std::vector<PlacedWord> asked = spaced_words(before);
  const std::vector<PlacedWord> said = spaced_words(follow_up);
  const Language language = language_of(follow_up);
  const Words words = Words(said).subspan(std::min(n_continuing(said, language), said.size()));
  if (words.empty() || n_asking(words, language) != words.size() || before.ends_with(")")) return std::nullopt;
  const size_t n_adverbs = n_asking(asked, language);
  const size_t n_before = n_adverbs > 0 ? n_adverbs : n_asking_by_noun(asked);
  if (n_before >= asked.size()) return std::nullopt;
  // "How long is the offer valid?": the verb follows; "How many days ...?" asks by more than adverbs.
  const std::string_view next = asked[n_before].text;
  if (next == "was" && language_of(before) == Language::kGerman) return std::nullopt;  // "Was kostet der Vertrag?"
  const bool counts = n_before == 0 || (n_adverbs > 0 && (asked[0].text == "how" || asked[0].text == "wie"));
  if (counts && !begins_with_verb(next)) return std::nullopt;
  std::string question(spanned(follow_up, words));
  if (question.front() >= 'a' && question.front() <= 'z') question.front() = static_cast<char>(question.front() - 32);
  std::string rest(before.substr(asked[n_before].begin));
  if (rest.front() >= 'A' && rest.front() <= 'Z' && n_before == 0) rest.front() = static_cast<char>(rest.front() + 32);
  return question + " " + rest;
}

}  // namespace mneme::rag
