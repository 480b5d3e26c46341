#include "rag/text/asked/person.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "rag/text/asked/contact.h"
#include "rag/text/asked/question_kind.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/placed_words.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

constexpr size_t kMostNames = 4;

// "Who is", "qui est": how many words; 0: not so.
size_t n_asking(Words words) {
  struct Asking {
    std::string_view who;
    std::string_view is;
  };
  constexpr Asking kAskings[] = {{"who", "is"},  {"who", "was"}, {"who", "s"},    {"who", "are"},   {"wer", "ist"},
                                 {"wer", "war"}, {"qui", "est"}, {"quien", "es"}, {"quien", "era"}, {"chi", "e"},
                                 {"chi", "era"}, {"quem", "e"},  {"quem", "foi"}, {"qui", "etait"}};
  if (words.size() < 3) return 0;
  const bool asks = std::any_of(std::begin(kAskings), std::end(kAskings), [&](const Asking& asking) {
    return words[0].text == asking.who && words[1].text == asking.is;
  });
  return asks ? 2 : 0;
}

}  // namespace

bool is_title_of_person(std::string_view folded) {
  constexpr std::string_view kTitles[] = {"mr",   "mrs",     "miss",      "ms",   "dr",   "sir", "lord",
                                          "lady", "captain", "professor", "herr", "frau", "von", "van",
                                          "de",   "du",      "la",        "le",   "the"};
  return one_of(folded, kTitles);
}

bool asks_for_somebody(std::string_view question) {
  return kind_of_question(question) == QuestionKind::kPerson || asked_contact(question) != Contact::kNone;
}

std::string asked_person(std::string_view question) {
  const std::vector<PlacedWord> all = placed_words(question);
  const Words words(all);
  const size_t first = n_asking(words);
  if (first == 0 || words.size() - first > kMostNames) return {};
  const Words name = words.subspan(first);
  const bool named = std::all_of(name.begin(), name.end(), [&](const PlacedWord& word) {
    return begins_large(question, word) || is_title_of_person(word.text);
  });
  const bool says =
      std::any_of(name.begin(), name.end(), [](const PlacedWord& w) { return !is_title_of_person(w.text); });
  return named && says && name.front().text != "the" ? std::string(spanned(question, name)) : std::string();
}

}  // namespace mneme::rag
