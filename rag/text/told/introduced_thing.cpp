#include "rag/text/told/introduced_thing.h"

#include <algorithm>
#include <string>

#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

using Words = std::span<const PlacedWord>;

constexpr double kToldWhat = 1.0;       // "We present Karmel, a language"
constexpr double kPresented = 0.85;     // "We present Karmel."
constexpr double kBeside = 0.9;         // "Karmel, a language for robots, ..."
constexpr size_t kPresenterWithin = 4;  // words before the verb: "in this paper, we also propose"
constexpr size_t kVerbBehind = 4;       // words between "stellen wir Karmel" and "vor"

constexpr std::string_view kPresenting[] = {"present",     "presents",  "presented",    "introduce",  "introduces",
                                            "introduced",  "propose",   "proposes",     "proposed",   "develop",
                                            "developed",   "describes", "prasentieren", "presentons", "proposons",
                                            "presentamos", "proponemos"};
constexpr std::string_view kPresenters[] = {"we",     "i",       "paper", "article", "work", "thesis", "report",
                                            "author", "authors", "al",    "book",    "wir",  "nous"};
constexpr std::string_view kSaysItself[] = {"presentons", "proposons", "presentamos", "proponemos"};  // who presents
constexpr std::string_view kBeforeThing[] = {"a",     "an", "the", "our", "new", "called",
                                             "named", "un", "une", "el",  "la",  "le"};
constexpr std::string_view kTelling[] = {"a",    "an",  "the", "which", "that", "one", "our", "to", "for", "ein",
                                         "eine", "der", "die", "das",   "un",   "une", "una", "el", "la",  "le"};
constexpr std::string_view kKinds[] = {"a", "an", "ein", "eine", "un", "une", "una"};

std::string_view between(std::string_view text, const PlacedWord& a, const PlacedWord& b) {
  return text.substr(a.end, b.begin - a.end);
}

// "Karmel, a language", "Karmel (a language", "Karmel - a language".
bool is_aside(std::string_view border) {
  constexpr std::string_view kBorders[] = {", ", ",\n", " (", " - ", " – ", " — ", "—"};
  return one_of(border, kBorders);
}

// Markup of the name itself: "*Karmel*, a language".
std::string without_emphasis(std::string_view border) {
  std::string plain(border);
  std::erase_if(plain, [](char c) { return c == '*' || c == '_' || c == '`'; });
  return plain;
}

// Whether words[end] begins what the thing is: ", a scheme that", " to run", " that runs".
bool is_told_behind(std::string_view sentence, Words words, size_t end) {
  if (end + 1 >= words.size() || !one_of(words[end].text, kTelling)) return false;
  const std::string border = without_emphasis(between(sentence, words[end - 1], words[end]));
  return is_aside(border) || border == " ";
}

// "stellen wir Karmel vor".
bool is_presented_around(Words words, size_t first, size_t end) {
  constexpr std::string_view kVerbs[] = {"stellen", "stelle", "stellt"};
  const size_t from = first - std::min(first, kPresenterWithin);
  const Words before = words.subspan(from, first - from);
  const Words behind = words.subspan(end, std::min(kVerbBehind, words.size() - end));
  const auto presents = [&](const PlacedWord& word) { return one_of(word.text, kVerbs); };
  return std::any_of(before.begin(), before.end(), presents) &&
         std::any_of(behind.begin(), behind.end(), [](const PlacedWord& word) { return word.text == "vor"; });
}

// "we present", "this paper introduces", right before the thing.
bool is_presented_before(Words words, size_t first) {
  while (first > 0 && one_of(words[first - 1].text, kBeforeThing)) --first;
  if (first == 0 || !one_of(words[first - 1].text, kPresenting)) return false;
  const size_t verb = first - 1;
  if (one_of(words[verb].text, kSaysItself)) return true;
  const size_t from = verb - std::min(verb, kPresenterWithin);
  const Words before = words.subspan(from, verb - from);
  return std::any_of(before.begin(), before.end(),
                     [](const PlacedWord& word) { return one_of(word.text, kPresenters); });
}

}  // namespace

double introduces_thing(std::string_view sentence, Words words, size_t first, size_t end) {
  if (is_presented_before(words, first) || is_presented_around(words, first, end)) {
    return is_told_behind(sentence, words, end) ? kToldWhat : kPresented;
  }
  if (first != 0 || end + 1 >= words.size() || !one_of(words[end].text, kKinds)) return 0.0;
  return is_aside(without_emphasis(between(sentence, words[end - 1], words[end]))) ? kBeside : 0.0;
}

}  // namespace mneme::rag
