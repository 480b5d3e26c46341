#include "rag/text/variants/word_forms.h"

#include <algorithm>

#include "rag/text/variants/german_verbs.h"
#include "rag/text/variants/related_words.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kFormLetters = 5;

// "collection" of "collect".
bool is_noun_of(std::string_view noun, std::string_view verb) {
  constexpr std::string_view kEndings[] = {"ion", "ation", "ment"};
  if (verb.size() < kFormLetters || !noun.starts_with(verb)) return false;
  const std::string_view ending = noun.substr(verb.size());
  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

bool is_inflected_from(std::string_view inflected, std::string_view word) {
  constexpr std::string_view kVowels = "aeiouy";
  constexpr size_t kLeast = 3;
  if (word.size() < kLeast || word.find_first_of(kVowels) == std::string_view::npos) return false;
  const bool silent = word.ends_with('e') && !word.ends_with("ee");  // "seed" is no form of "see"
  const std::string_view base = silent ? word.substr(0, word.size() - 1) : word;
  if (!inflected.starts_with(base)) return false;
  std::string_view ending = inflected.substr(base.size());
  const bool doubled =
      !silent && ending.starts_with(word.back()) && kVowels.find(word.back()) == std::string_view::npos;
  if (doubled) ending.remove_prefix(1);
  return ending == "ed" || ending == "ing" || (doubled && ending.empty());
}

}  // namespace

bool is_inflection(std::string_view a, std::string_view b) {
  return a.size() < b.size() ? is_inflected_from(b, a) : is_inflected_from(a, b);
}

namespace {

bool shares_most(std::string_view a, std::string_view b) {
  const auto common = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return common >= kFormLetters && common * 4 >= 3 * std::max(a.size(), b.size());
}

// Endings are long in Russian: what they are taken off is compared.
bool is_cyrillic_form(std::string_view a, std::string_view b) {
  constexpr size_t kLetter = 2;  // bytes
  if (a.substr(0, kLetter) != b.substr(0, kLetter)) return false;
  const std::string of_a = stem_of(a);
  const std::string of_b = stem_of(b);
  return of_a == of_b || (of_a.size() > kLetter * kFormLetters && shares_most(of_a, of_b)) || shares_most(a, b);
}

}  // namespace

bool is_form(std::string_view a, std::string_view b) {
  if (a.empty() || static_cast<unsigned char>(a.front()) >= 0xE0) return false;
  if (is_cyrillic(a)) return is_cyrillic_form(a, b);
  if (is_inflection(a, b)) return true;
  if (is_noun_of(a, b) || is_noun_of(b, a) || is_german_verb_form(a, b)) return true;
  const auto stem = [](std::string_view word) { return word.substr(0, word.size() - 1); };
  const bool y_and_i = (a.ends_with('y') && b.ends_with('i')) || (a.ends_with('i') && b.ends_with('y'));
  if (y_and_i && a.size() >= kFormLetters && stem(a) == stem(b)) return true;  // "carry" and "carri(ed)"
  return shares_most(a, b);
}

bool is_participle(std::string_view folded) {
  if (folded.size() > kFormLetters && folded.ends_with("ed")) return true;
  constexpr std::string_view kIrregular[] = {"en", "wn", "rn", "ught", "ung", "ost", "old", "uilt", "ept", "aid"};
  const bool irregular = std::any_of(std::begin(kIrregular), std::end(kIrregular),
                                     [&](std::string_view ending) { return folded.ends_with(ending); });
  return irregular && !related_words(folded).empty();
}

}  // namespace mneme::rag
