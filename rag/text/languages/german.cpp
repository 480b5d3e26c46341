#include "rag/text/languages/german.h"

#include <span>

#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastHead = 4;   // letters, endings off: "tag" and the like end too many words
constexpr size_t kLeastFirst = 3;  // ... of what stands before it
constexpr size_t kLeastWhole = 5;  // ... of both, where the first alone says it: "schul" is no part of "schulden"
constexpr std::string_view kGerman[] = {
    "der",    "das",     "dem",      "den",      "des",     "ein",     "eine",  "einen",   "einem", "einer",
    "und",    "oder",    "ist",      "sind",     "wie",     "wer",     "wem",   "wen",     "wann",  "warum",
    "wo",     "welche",  "welcher",  "welches",  "welchem", "welchen", "viel",  "viele",   "wird",  "wurde",
    "wurden", "im",      "zum",      "zur",      "mit",     "von",     "vom",   "auf",     "fur",   "nicht",
    "sich",   "bei",     "nach",     "ich",      "wir",     "mein",    "meine", "meinen",  "unser", "unsere",
    "hat",    "haben",   "muss",     "kann",     "darf",    "soll",    "wofur", "wogegen", "womit", "wohin",
    "woher",  "wieviel", "wieviele", "bedeutet", "heisst",  "gibt"};
constexpr std::string_view kEnglish[] = {"the", "of", "what", "who", "how",   "is",    "are", "were", "does", "did",
                                         "do",  "to", "for",  "and", "which", "where", "why", "when", "with"};

}  // namespace

bool is_german(std::string_view text) {
  int german = 0;
  int english = 0;
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    german += one_of(word.text, kGerman) ? 1 : 0;
    english += one_of(word.text, kEnglish) ? 1 : 0;
  }
  return german > english;
}

bool is_kind_of(std::string_view compound, std::string_view word) {
  return word.size() >= kLeastHead && compound.size() >= word.size() + kLeastFirst && compound.ends_with(word);
}

std::string_view thing_of_duration(std::string_view compound) {
  for (const std::string_view duration : {"frist", "dauer"}) {
    if (!compound.ends_with(duration) || compound.size() < kLeastHead + duration.size()) continue;
    compound.remove_suffix(duration.size());
    if (compound.ends_with("ungs")) compound.remove_suffix(1);
    return compound;
  }
  return {};
}

bool is_compound_with(std::string_view compound, std::string_view word) {
  for (const std::string_view ending : {"en", "n", "e"}) {
    if (word.ends_with(ending)) {
      word.remove_suffix(ending.size());
      break;
    }
  }
  return word.size() >= kLeastWhole && compound.size() >= word.size() + kLeastWhole && compound.starts_with(word);
}

}  // namespace mneme::rag
