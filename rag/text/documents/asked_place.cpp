#include "rag/text/documents/asked_place.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/ascii.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

// Places whose headings mostly bear the number alone.
constexpr std::string_view kSections[] = {
    "section",  "sections", "clause",   "paragraph", "chapter", "article",  "§",          "abschnitt",
    "paragraf", "kapitel",  "artikel",  "ziffer",    "punkt",   "chapitre", "paragraphe", "alinea",
    "seccion",  "clausula", "capitulo", "articulo",  "sezione", "articolo", "capitolo",   "раздел",
    "разделе",  "пункт",    "пункте",   "глава",     "главе",   "статья",   "статье"};
// Places that are called by their word.
constexpr std::string_view kCalled[] = {"annex",  "appendix", "schedule", "exhibit",    "anhang",     "anlage",
                                        "annexe", "anexo",    "allegato", "приложение", "приложении", "apendice"};
constexpr std::string_view kSaying[] = {
    "what does",   "what s in",    "what is in",  "what stands in", "what is said in",  "what do we find in",
    "what is",     "was steht",    "was sagt",    "was regelt",     "worum geht es in", "was ist in",
    "que dit",     "que contient", "que prevoit", "qu y a t il",    "que dice",         "que contiene",
    "que pone",    "que hay en",   "cosa dice",   "cosa contiene",  "o que diz",        "что написано",
    "что говорит", "что сказано",  "что в",       "о чем"};
constexpr size_t kMostBeside = 3;  // words: "of the framework agreement"

bool is_number_part(char c) {
  return is_digit(c) || c == '.';
}

// "7.3" at `at`, without a full stop at its end.
std::string_view number_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_number_part(text[end])) ++end;
  while (end > at && text[end - 1] == '.') --end;
  return text.substr(at, end - at);
}

// "B" of "Annex B".
bool is_letter_alone(std::string_view text, size_t at) {
  return at < text.size() && text[at] >= 'A' && text[at] <= 'Z' &&
         (at + 1 >= text.size() || (!is_letter(text[at + 1]) && !is_digit(text[at + 1])));
}

// The place whose word ends before `behind`.
AskedPlace place_behind(std::string_view question, std::string_view word, size_t behind) {
  const size_t at = question.find_first_not_of(' ', behind);
  if (at == std::string_view::npos || at == behind) return {};
  const bool called = one_of(word, kCalled);
  if (!called && !one_of(word, kSections)) return {};
  const std::string named = called ? std::string(word) : std::string();
  if (const std::string_view number = number_at(question, at); !number.empty()) return {named, std::string(number)};
  if (called && is_letter_alone(question, at))
    return {named, std::string(1, lower_ascii(question.substr(at, 1)).front())};
  return {};
}

}  // namespace

AskedPlace asked_place(std::string_view question) {
  static const FoldedPhrases kFolded{kSaying};
  if (!kFolded.any_in(" " + folded_text(question) + " ")) return {};
  AskedPlace place;
  size_t beside = 0;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    if (place.empty()) {
      place = place_behind(question, word.text, word.byte_end);
    } else {
      ++beside;
    }
  }
  // "What is section 7.3 of the agreement about?": the number itself, and what it is of.
  return beside <= 2 * kMostBeside + 2 ? place : AskedPlace{};
}

bool begins_place(const AskedPlace& place, std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of("# *§"), line.size()));
  const std::string folded = folded_text(line.substr(0, std::min<size_t>(line.size(), 40)));
  if (!place.word.empty()) {
    const std::string name = place.word + " " + folded_text(place.number);
    return folded == name || folded.starts_with(name + " ");
  }
  size_t at = 0;
  while (at < line.size() && !is_digit(line[at]) && at < 24 && (is_letter(line[at]) || line[at] == ' ')) ++at;
  const std::string_view word = at > 0 ? line.substr(0, at - 1) : std::string_view();
  if (at > 0 && (line[at - 1] != ' ' || !one_of(folded_text(word), kSections))) return false;  // "Section 7.3"
  const std::string_view number = number_at(line, at);
  const size_t behind = at + number.size();
  return number == place.number && (behind == line.size() || !is_letter(line[behind]));
}

}  // namespace mneme::rag
