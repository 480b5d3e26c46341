#include "rag/text/quantities/numbers.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

const std::unordered_set<std::string>& number_words() {
  static const std::unordered_set<std::string> kWords = words_of_all(&LanguageFacts::numbers);
  return kWords;
}

// Of scripts without spaces, where they may stand within a word.
const std::vector<std::string>& wide_number_words() {
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> words(number_words().begin(), number_words().end());
    std::erase_if(words, [](const std::string& word) { return static_cast<unsigned char>(word.front()) < 0xE0; });
    return words;
  }();
  return kWords;
}

}  // namespace

bool has_digits(std::string_view text) {
  if (text.find_first_of("0123456789") != std::string_view::npos) return true;
  constexpr std::string_view kWide = "\xef\xbc";  // of the wide digits U+FF10 to U+FF19
  for (size_t at = text.find(kWide); at != std::string_view::npos; at = text.find(kWide, at + 1)) {
    if (at + 2 < text.size() && text[at + 2] >= '\x90' && text[at + 2] <= '\x99') return true;
  }
  return false;
}

bool is_number(std::string_view folded) {
  return (!folded.empty() && is_digit(folded.front())) || number_words().contains(std::string(folded));
}

bool has_number(std::string_view sentence) {
  static const FoldedPhrases kNumbered{phrases_of_all(&LanguageFacts::numbered)};
  const std::vector<std::string>& wide = wide_number_words();
  const bool spelled = std::any_of(wide.begin(), wide.end(), [&](const std::string& number) {
    return sentence.find(number) != std::string_view::npos;
  });
  if (spelled || kNumbered.any_in(sentence)) return true;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    if (is_number(word.text)) return true;
  }
  return false;
}

bool ends_with_wide_number(std::string_view text) {
  const std::vector<std::string>& wide = wide_number_words();
  return std::any_of(wide.begin(), wide.end(), [&](const std::string& number) { return text.ends_with(number); });
}

}  // namespace mneme::rag
