// Everyday and technical words that say the same: a small thesaurus of English, German, French, Spanish, Italian,
// Portuguese, Russian, Chinese and Japanese. For words that the documents never use
// (rag/retrieval/words_of_documents.h), since a word that they do use means what it says. Trained vectors know no
// synonyms: those of the default embedder put "warranty" no nearer to "guarantee" than to "chain" (docs/retrieval.md).
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mneme::rag {

// A word of a text, and what may stand for it. The views live as long as the program.
struct SynonymSpot {
  size_t begin = 0;  // bytes of the text
  size_t end = 0;
  std::vector<std::string_view> synonyms;  // never empty, without the word itself
};
// In order; none overlaps another. Words that are written as names are ("Boss", but for the first of all) have none,
// except in German, where all nouns are.
std::vector<SynonymSpot> synonym_spots(std::string_view text);

// Of one folded word (rag/text/words/words.h), whatever its inflection; empty for most.
std::vector<std::string_view> synonyms_of(std::string_view folded);

}  // namespace mneme::rag
