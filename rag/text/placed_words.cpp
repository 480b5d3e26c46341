#include "rag/text/placed_words.h"

#include "rag/text/words.h"

namespace mneme::rag {

std::vector<PlacedWord> placed_words(std::string_view text) {
  std::vector<PlacedWord> words;
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    words.push_back({std::string(word.text), word.byte_begin, word.byte_end, word.pair});
  }
  return words;
}

std::string_view spanned(std::string_view text, std::span<const PlacedWord> words) {
  return text.substr(words.front().begin, words.back().end - words.front().begin);
}

}  // namespace mneme::rag
