#include "storage/catalogue/light_stemmer.h"

#include <array>
#include <string_view>

#include "storage/catalogue/english_forms.h"

namespace mneme::storage {
namespace {

bool is_consonant(std::string_view word, size_t i) {
  switch (word[i]) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u': return false;
    case 'y': return i == 0 || !is_consonant(word, i - 1);
    default: return true;
  }
}

bool has_vowel(std::string_view stem) {
  for (size_t i = 0; i < stem.size(); ++i) {
    if (!is_consonant(stem, i)) return true;
  }
  return false;
}

// Porter's m: how many vowel-consonant sequences the stem has.
int measure(std::string_view stem) {
  int count = 0;
  bool after_vowel = false;
  for (size_t i = 0; i < stem.size(); ++i) {
    const bool consonant = is_consonant(stem, i);
    if (consonant && after_vowel) ++count;
    after_vowel = !consonant;
  }
  return count;
}

// consonant-vowel-consonant at the end, the last not w, x or y: "hop", as in hoping.
bool ends_cvc(std::string_view stem) {
  const size_t n = stem.size();
  if (n < 3 || !is_consonant(stem, n - 1) || is_consonant(stem, n - 2) || !is_consonant(stem, n - 3)) return false;
  return stem[n - 1] != 'w' && stem[n - 1] != 'x' && stem[n - 1] != 'y';
}

// "cries" and "cried" to "cri", as "cry" becomes; but "ties" and "tied" to "tie".
bool strip_ies(std::string& word) {
  if (!word.ends_with("ies") && !word.ends_with("ied")) return false;
  constexpr size_t kShort = 4;
  word.resize(word.size() - (word.size() > kShort ? 2 : 1));
  return true;
}

void strip_plural(std::string& word) {
  if (!word.ends_with('s')) return;
  if (word.ends_with("sses")) {
    word.resize(word.size() - 2);
    return;
  }
  // "gas", "has" and "yes" are no plurals.
  const size_t n = word.size();
  const bool one_syllable = !is_consonant(word, n - 2) && !has_vowel(std::string_view(word).substr(0, n - 2));
  if (!word.ends_with("ss") && !word.ends_with("us") && !one_syllable) word.pop_back();
}

// After "ed" or "ing" came off: give back what English takes away before them.
void repair_stem(std::string& word) {
  const size_t n = word.size();
  const bool cut = word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz");
  const bool glued = word.ends_with('u') && measure(word) == 0;
  if (word.ends_with("ick") && measure(word) > 1) {
    word.pop_back();  // "panicked"
  } else if (n >= 2 && word[n - 1] == word[n - 2] && is_consonant(word, n - 1)) {
    const bool may_be_own = word[n - 1] == 'l' || word[n - 1] == 's' || word[n - 1] == 'z';
    if (!may_be_own || is_doubled_l(word)) word.pop_back();
  } else if (cut || glued || (measure(word) == 1 && ends_cvc(word))) {
    word.push_back('e');
  }
}

void strip_participle(std::string& word) {
  const std::string_view view = word;
  if (view.ends_with("eed")) {
    if (measure(view.substr(0, view.size() - 3)) > 0) word.pop_back();
    return;
  }
  for (const std::string_view suffix : {std::string_view("ed"), std::string_view("ing")}) {
    if (!view.ends_with(suffix)) continue;
    const std::string_view stem = view.substr(0, view.size() - suffix.size());
    if (!has_vowel(stem)) return;
    word.resize(stem.size());
    repair_stem(word);
    return;
  }
}

void strip_final_e(std::string& word) {
  if (!word.ends_with('e')) return;
  const std::string_view stem = std::string_view(word).substr(0, word.size() - 1);
  const int m = measure(stem);
  if (m > 1 || (m == 1 && !ends_cvc(stem))) word.pop_back();
}

// "cry" as "cries"; "day" and "by" stay.
void change_final_y(std::string& word) {
  const size_t n = word.size();
  if (n > 2 && word.back() == 'y' && is_consonant(word, n - 2)) word.back() = 'i';
}

bool is_whole(std::string_view word) {
  return base_of_irregular(word) == word;
}

void stem_english(std::string& word) {
  if (const std::string_view base = base_of_irregular(word); !base.empty()) {
    word = base;
    if (is_whole(word)) return;
  }
  if (!strip_ies(word)) {
    strip_plural(word);
    if (is_whole(word)) return;  // "evenings"
    strip_participle(word);
  }
  change_final_y(word);
  strip_final_e(word);
  spell_american(word);
}

// Every Arabic letter here takes two bytes of UTF-8.
constexpr size_t kArabicLetter = 2;

void stem_arabic(std::string& word) {
  static constexpr std::array<std::string_view, 7> kPrefixes = {"\u0648\u0627\u0644",
                                                                "\u0628\u0627\u0644",
                                                                "\u0643\u0627\u0644",
                                                                "\u0641\u0627\u0644",
                                                                "\u0627\u0644",
                                                                "\u0644\u0644",
                                                                "\u0648"};
  static constexpr std::array<std::string_view, 9> kSuffixes = {"\u0647\u0627", "\u0627\u0646", "\u0627\u062a",
                                                                "\u0648\u0646", "\u064a\u0646", "\u064a\u0647",
                                                                "\u0647",       "\u064a",       "\u0627"};
  for (const std::string_view prefix : kPrefixes) {
    // "and" is one letter and easily part of the word: it needs three letters behind it, the articles two.
    const size_t keep = (prefix.size() == kArabicLetter ? 3 : 2) * kArabicLetter;
    if (word.size() < prefix.size() + keep || !word.starts_with(prefix)) continue;
    word.erase(0, prefix.size());
    break;
  }
  for (const std::string_view suffix : kSuffixes) {
    if (word.size() < suffix.size() + 2 * kArabicLetter || !word.ends_with(suffix)) continue;
    word.resize(word.size() - suffix.size());
  }
}

bool is_arabic(std::string_view word) {
  const auto first = static_cast<unsigned char>(word[0]);
  return first >= 0xd8 && first <= 0xdb;  // U+0600..U+06FF
}

}  // namespace

void light_stem(std::string& word) {
  if (word.empty()) return;
  if (is_arabic(word)) return stem_arabic(word);
  if (word.size() < 3) return;
  for (const char c : word) {
    if (c < 'a' || c > 'z') return;
  }
  stem_english(word);
}

}  // namespace mneme::storage
