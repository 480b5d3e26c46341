#include "rag/text/asked/german_predicate.h"

#include <span>
#include <vector>

#include "rag/text/languages/language.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

struct WrittenWord {
  std::string text;
  bool capital = false;
  bool grammar = false;
};

// Of the first sentence, up to a comma: "Wie hoch wird die Rente, wenn ich weiter einzahle?"
std::vector<WrittenWord> words_written(std::string_view question) {
  std::vector<WrittenWord> words;
  question = question.substr(0, question.find(','));
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const std::string_view written = question.substr(word.byte_begin);
    const bool umlaut = written.starts_with("Ä") || written.starts_with("Ö") || written.starts_with("Ü");
    const bool capital = umlaut || (written.front() >= 'A' && written.front() <= 'Z');
    words.push_back({std::string(word.text), capital, is_stop_word(word.text)});
  }
  return words;
}

// The word behind the question words, where the verb stands: "wann", "bis wann", "wie lange", "wie viel Wasser".
size_t behind_asking(const std::vector<WrittenWord>& words) {
  constexpr std::string_view kAlone[] = {"wann", "warum", "wieso", "weshalb", "wer",   "wen",  "wem",
                                         "was",  "wo",    "wohin", "woher",   "womit", "wofur"};
  constexpr std::string_view kBefore[] = {"bis", "ab", "seit", "von", "um", "zu", "mit", "fur", "bei", "in"};
  constexpr std::string_view kMeasured[] = {"wie", "wieviel", "wieviele"};
  constexpr std::string_view kWhich[] = {"welche", "welcher", "welches", "welchem", "welchen"};
  size_t at = words.size() > 1 && one_of(words[0].text, kBefore) ? 1 : 0;
  const std::string& asking = words[at].text;
  if (one_of(asking, kAlone)) return at + 1;
  const bool measured = one_of(asking, kMeasured);
  if (!measured && !one_of(asking, kWhich)) return words.size();
  at += asking == "wie" ? 2 : 1;
  const size_t first = at;
  while (at < words.size() && words[at].capital) ++at;
  // "Welche neuen Regeln gelten?", and in small letters nothing shows where the thing ends.
  const bool shown = measured || at > first;
  return shown ? at : words.size();
}

bool is_inflected(const std::string& word) {
  return word.ends_with('t') || word.ends_with('e') || word.ends_with("en");
}

// "Gekauft", "abgestellt", "repariert".
bool is_participle_form(const std::string& word) {
  constexpr size_t kLeast = 5;
  if (word.size() < kLeast || !(word.ends_with('t') || word.ends_with("en"))) return false;
  return word.find("ge") != std::string::npos || word.ends_with("iert");
}

// Behind a verb that helps another: "muss ich die Rechnung bezahlen", "habe ich die Stiefel gekauft", "muss der Riemen
// gewechselt werden".
std::string verb_at_end(std::span<const WrittenWord> words) {
  constexpr std::string_view kHelping[] = {"muss", "mussen", "kann",   "konnen", "darf",  "durfen", "soll", "sollen",
                                           "will", "wollen", "mochte", "hat",    "habe",  "haben",  "ist",  "sind",
                                           "war",  "waren",  "wird",   "werden", "hatte", "hatten"};
  constexpr std::string_view kBehind[] = {"werden", "worden", "sein", "haben"};
  if (words.size() < 3 || !one_of(words.front().text, kHelping)) return {};
  while (words.size() > 2 && one_of(words.back().text, kBehind)) words = words.first(words.size() - 1);
  const WrittenWord& last = words.back();
  const bool modal = one_of(words.front().text, std::span(kHelping).first(11));
  const bool verb = is_participle_form(last.text) || (modal && last.text.ends_with("en"));
  return verb && !last.capital && !last.grammar ? last.text : std::string();
}

}  // namespace

std::string german_predicate(std::string_view question) {
  const std::vector<WrittenWord> words = words_written(question);
  if (words.size() < 3 || language_of(question) != Language::kGerman) return {};
  const size_t at = words[0].grammar && behind_asking(words) == words.size() ? 0 : behind_asking(words);
  if (at >= words.size()) return {};
  const WrittenWord& verb = words[at];
  if (verb.grammar) return verb_at_end(std::span(words).subspan(at));
  return !verb.capital && is_inflected(verb.text) ? verb.text : std::string();
}

}  // namespace mneme::rag
