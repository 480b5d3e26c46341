#include "rag/text/words/word_sequences.h"

#include <algorithm>
#include <utility>

#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

bool are_same(std::span<const PlacedWord> words, const std::vector<std::string>& sequence) {
  return std::equal(words.begin(), words.end(), sequence.begin(), sequence.end(),
                    [](const PlacedWord& word, const std::string& other) { return word.text == other; });
}

}  // namespace

WordSequences::WordSequences(std::string_view list, std::string_view separator) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(separator), list.size());
    std::vector<std::string> words = words_of(list.substr(0, end));
    list.remove_prefix(std::min(end + separator.size(), list.size()));
    if (words.size() == 1) {
      single_.insert(std::move(words.front()));
    } else if (!words.empty()) {
      several_.push_back(std::move(words));
    }
  }
}

bool WordSequences::has_any(std::span<const PlacedWord> words) const {
  return std::any_of(words.begin(), words.end(), [&](const PlacedWord& word) { return has(word.text); });
}

size_t WordSequences::at_front(std::span<const PlacedWord> words) const {
  size_t longest = !words.empty() && has(words.front().text) ? 1 : 0;
  for (const std::vector<std::string>& sequence : several_) {
    const size_t n = sequence.size();
    if (n > longest && n <= words.size() && are_same(words.first(n), sequence)) longest = n;
  }
  return longest;
}

size_t WordSequences::at_back(std::span<const PlacedWord> words) const {
  size_t longest = !words.empty() && has(words.back().text) ? 1 : 0;
  for (const std::vector<std::string>& sequence : several_) {
    const size_t n = sequence.size();
    if (n > longest && n <= words.size() && are_same(words.last(n), sequence)) longest = n;
  }
  return longest;
}

bool WordSequences::is_within(std::span<const PlacedWord> words) const {
  for (; !words.empty(); words = words.subspan(1)) {
    if (at_front(words) > 0) return true;
  }
  return false;
}

std::span<const PlacedWord> without_front(std::span<const PlacedWord> words, const WordSequences& these) {
  while (const size_t n = these.at_front(words)) words = words.subspan(n);
  return words;
}

std::span<const PlacedWord> without_back(std::span<const PlacedWord> words, const WordSequences& these) {
  while (const size_t n = these.at_back(words)) words = words.first(words.size() - n);
  return words;
}

}  // namespace mneme::rag
