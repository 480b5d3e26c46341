// The words by which one language asks for documents (rag/text/languages/document_words.h), folded once. Threads:
// immutable.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/text/languages/language.h"
#include "rag/text/words/word_sequences.h"

namespace mneme::rag {

// Stands for a word for documents in `held`; no word of a text is written so.
inline constexpr std::string_view kDocumentMark = "documentsatlarge";

struct TaskVocabulary {
  WordSequences tasks, headings, open, done, all, around, asking_open, asking_done;
};

struct DocumentVocabulary {
  Language language = Language::kUnknown;
  bool names_first = false;
  WordSequences lead, closing, articles, joins, of, asking, before_deed;
  WordSequences newest, oldest, last, told;
  WordSequences changed, taken_in, doing, last_done, first_done;
  WordSequences listing, how_many, have, held;
  WordSequences which, telling, where_mentioned, mentioned, finding;

  // A document stands between two phrases, either of which may be empty.
  struct GistPhrase {
    std::vector<std::string> before;
    std::vector<std::string> after;
  };
  std::vector<GistPhrase> gist;
  std::vector<GistPhrase> writers;  // what they wrote about stands between; of a phrase with no '#' nothing does
  WordSequences around, this_one;
  WordSequences sections, annexes, place_asking, page, showing;
  std::vector<WordSequences> ordinals;  // first, second, ...
  WordSequences last_one, numbered;
  TaskVocabulary tasks;
};

// Of the languages that part words by spaces.
std::span<const DocumentVocabulary> document_vocabularies();

// What the first of them that finds something finds, the question's own language before the others:
// find(vocabulary) gives what can be asked whether it is_asked.
template <typename Find>
auto asked_in_any_language(std::string_view question, const Find& find) {
  using Asked = decltype(find(DocumentVocabulary{}));
  const Language own = language_of(question);
  for (const bool of_own : {true, false}) {
    for (const DocumentVocabulary& vocabulary : document_vocabularies()) {
      if ((vocabulary.language == own) != of_own) continue;
      if (Asked asked = find(vocabulary); asked.is_asked) return asked;
    }
  }
  return Asked{};
}

}  // namespace mneme::rag
