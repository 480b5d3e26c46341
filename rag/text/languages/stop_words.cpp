#include "rag/text/languages/stop_words.h"

#include <string>
#include <unordered_set>

#include "rag/text/languages/language_facts.h"

namespace mneme::rag {
bool is_stop_word(std::string_view folded) {
  static const std::unordered_set<std::string> kWords = words_of_all(&LanguageFacts::grammar);
  return kWords.contains(std::string(folded));
}

}  // namespace mneme::rag
