#include "rag/text/asked_of.h"

#include <algorithm>

#include "rag/text/stop_words.h"
#include "rag/text/words.h"

namespace mneme::rag {

std::vector<std::string> asked_of(std::string_view question) {
  const std::vector<std::string> words = words_of(question);
  const auto last = std::find(words.rbegin(), words.rend(), "of");
  if (last == words.rend()) return {};
  auto word = last.base();
  while (word != words.end() && is_stop_word(*word)) ++word;  // "of the", "of my"
  const auto end = std::find_if(word, words.end(), [](const std::string& next) { return is_stop_word(next); });
  return {word, end};
}

}  // namespace mneme::rag
