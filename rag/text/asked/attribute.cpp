#include "rag/text/asked/attribute.h"

#include <algorithm>
#include <vector>

#include "rag/text/languages/language.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostNameWords = 4;
constexpr size_t kMostValueWords = 6;

std::vector<std::string> stems_of_words(std::string_view text) {
  std::vector<std::string> stems;
  for (const std::string& word : words_of(text)) stems.emplace_back(stem_of(word));
  return stems;
}

// Nouns that name nothing by themselves: "the odometer reading" stands under "Odometer".
bool says_little(std::string_view folded) {
  constexpr std::string_view kLittle[] = {"reading", "value", "figure"};
  return std::find(std::begin(kLittle), std::end(kLittle), folded) != std::end(kLittle);
}

// "Claim # SF-1008" is a claim's number.
bool has_number_sign(std::string_view text) {
  return text.find('#') != std::string_view::npos || text.find("№") != std::string_view::npos;
}
bool is_called_number(std::string_view stem) {
  constexpr std::string_view kNumbers[] = {"number", "nummer", "numero", "номер"};
  return std::find(std::begin(kNumbers), std::end(kNumbers), stem) != std::end(kNumbers);
}

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string asked_attribute(std::string_view question) {
  if (written_without_spaces(question)) return {};
  std::string last;
  WordScanner scanner(question);
  for (Word word; scanner.next(word);) {
    const bool owner_ends = word.text == "s";  // "the Jeep's VIN": what it has comes behind it
    if (owner_ends) continue;
    if (!is_stop_word(word.text, language_of(question))) {
      if (last.empty() || !says_little(word.text)) last = stem_of(word.text);
    } else if (!last.empty()) {
      break;  // "of the receipt": whose it is
    }
  }
  return last;
}

bool states_attribute(std::string_view text, std::string_view attribute, std::string_view question) {
  if (attribute.empty()) return false;
  const std::vector<std::string> asked = stems_of_words(question);
  size_t n_name = 0;
  size_t n_value = 0;
  bool named = is_called_number(attribute) && has_number_sign(text);
  bool tells = false;
  WordScanner scanner(text);
  for (Word word; scanner.next(word);) {
    const std::string stem = stem_of(word.text);
    const std::string_view token = text.substr(word.byte_begin);  // "SF-1008" is a value, both its words
    const bool of_name = n_value == 0 && !has_digits(token.substr(0, token.find_first_of(" \t\n")));
    if (of_name && !is_stop_word(word.text, language_of(question)) && !holds(asked, stem)) return false;
    if (of_name) {
      ++n_name;
      named |= stem == attribute;
    } else {
      ++n_value;
      tells |= has_digits(word.text) && !holds(asked, stem);
    }
    if (n_name > kMostNameWords || n_value > kMostValueWords) return false;
  }
  return n_name > 0 && named && tells;
}

}  // namespace mneme::rag
