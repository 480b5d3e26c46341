// The words of a text, each with its place in it. Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

struct PlacedWord {
  std::string text;  // folded, as words.h does
  size_t begin = 0;  // bytes of the text
  size_t end = 0;
  bool pair = false;  // as Word
};

std::vector<PlacedWord> placed_words(std::string_view text);
// From the first of the words, which are not none, to the last.
std::string_view spanned(std::string_view text, std::span<const PlacedWord> words);

// Whether it begins with a capital, or with a letter beyond Latin-1's signs, which may be one.
bool begins_large(std::string_view text, const PlacedWord& word);

// How many words of the longest of the phrases, folded, these begin with; 0: with none.
size_t begins_with(std::span<const PlacedWord> words, std::span<const std::string_view> phrases);

}  // namespace mneme::rag
