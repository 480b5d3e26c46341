#include "rag/text/words/placed_words.h"

#include <algorithm>

#include "rag/text/words/words.h"

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

bool begins_large(std::string_view text, const PlacedWord& word) {
  const auto byte = static_cast<unsigned char>(text[word.begin]);
  return (byte >= 'A' && byte <= 'Z') || byte >= 0xC3;
}

size_t begins_with(std::span<const PlacedWord> words, std::span<const std::string_view> phrases) {
  size_t longest = 0;
  for (const std::string_view phrase : phrases) {
    const std::vector<std::string> wanted = words_of(phrase);
    const auto same = [](const std::string& a, const PlacedWord& b) { return a == b.text; };
    const bool begins = wanted.size() <= words.size() && std::equal(wanted.begin(), wanted.end(), words.begin(), same);
    if (begins) longest = std::max(longest, wanted.size());
  }
  return longest;
}

}  // namespace mneme::rag
