#include "rag/text/languages/language.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kMostLanguages = 32;
// What a text's marked letters weigh, all of them a language's, beside a word that no other language has.
constexpr double kOfItsLetters = 0.25;
constexpr double kOfItsVocabulary = 0.3;  // ... and a word that says something

// Letters of a text by their scripts. Kana among ideographs are Japanese.
struct Letters {
  int latin = 0;
  int cyrillic = 0;
  int arabic = 0;
  int ideographs = 0;
  int kana = 0;
  int hangul = 0;
};

Letters letters_of(std::string_view text) {
  Letters letters;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = utf8::next(text, at);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c < 0x250)) ++letters.latin;
    if (c >= 0x400 && c < 0x530) ++letters.cyrillic;
    if (c >= 0x600 && c < 0x700) ++letters.arabic;
    if (c >= 0x4E00 && c < 0xA000) ++letters.ideographs;
    if (c >= 0x3041 && c < 0x3100) ++letters.kana;
    if (c >= 0xAC00 && c < 0xD7A4) ++letters.hangul;
  }
  return letters;
}

bool holds_any(std::string_view text, std::span<const std::string_view> letters) {
  return std::any_of(letters.begin(), letters.end(),
                     [&](std::string_view letter) { return text.find(letter) != std::string_view::npos; });
}

// Which languages, by their places in all_languages(), have a word, and whether one of them is known by it alone.
struct TellingWord {
  uint32_t languages = 0;
  int n_languages = 0;
  bool alone = true;
};

using TellingWords = std::unordered_map<std::string, TellingWord>;

void add_language(size_t language, std::string_view text, TellingWord& word) {
  if ((word.languages & (1U << language)) == 0) ++word.n_languages;
  word.languages |= 1U << language;
  word.alone &= text.size() > 1;
}

// Words that say something, of languages whose facts hold many: where no word of grammar tells ("fietsdiefstal
// gedekt").
const TellingWords& vocabulary() {
  // Of several languages, more than have them in their facts.
  static constexpr WordList kShared =
      "телефон telefon telefonnummer nummer temperatur total minut service servis motor vinst";
  static const TellingWords kWords = [] {
    constexpr size_t kLeast = 5;  // letters
    TellingWords words;
    const std::span<const LanguageFacts* const> all = all_languages();
    for (size_t i = 0; i < all.size(); ++i) {
      const LanguageFacts& facts = *all[i];
      for (const std::string_view list : {facts.families, facts.synonyms, facts.contact.words, facts.own_price.words,
                                          facts.own_rules.permits, facts.own_rules.light_deeds}) {
        for (const std::string& text : words_of(list)) {
          if (text.size() >= kLeast) add_language(i, text, words[text]);
        }
      }
    }
    for (const std::string& shared : folded_words(kShared)) words.erase(shared);
    return words;
  }();
  return kWords;
}

const TellingWords& telling_words() {
  static const TellingWords kWords = [] {
    TellingWords words;
    const std::span<const LanguageFacts* const> all = all_languages();
    for (size_t i = 0; i < all.size(); ++i) {
      for (const WordList list : {all[i]->grammar, all[i]->own_grammar, all[i]->telling}) {
        for (const std::string& text : folded_words(list)) add_language(i, text, words[text]);
      }
    }
    for (const LanguageFacts* facts : all) {
      for (const std::string& text : folded_words(facts->words_of_others)) words[text].alone = false;
    }
    return words;
  }();
  return kWords;
}

// Small letters beyond ASCII, each in UTF-8.
std::vector<std::string> marked_letters_of(std::string_view text) {
  std::vector<std::string> letters;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = utf8::next(text, at);
    if (c < 0x80) continue;
    letters.emplace_back();
    utf8::append(letters.back(), static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
  }
  return letters;
}

// How the words of grammar of each language are written that have marked letters: "när" is Swedish, "når" Norwegian.
class WrittenWords {
 public:
  WrittenWords() {
    const std::span<const LanguageFacts* const> all = all_languages();
    for (size_t i = 0; i < all.size(); ++i) {
      for (const WordList list : {all[i]->grammar, all[i]->own_grammar, all[i]->telling}) {
        for_each_part(list, " ", [&](std::string_view written) { add(i, written); });
      }
    }
  }

  // Whether the language has the word with other marked letters than these, which are not none.
  bool has_otherwise(size_t language, const std::string& folded, const std::vector<std::string>& marked) const {
    const auto [first, last] = words_.equal_range(folded);
    bool otherwise = false;
    for (auto at = first; at != last; ++at) {
      if (at->second.first != language) continue;
      if (at->second.second == marked) return false;
      otherwise = true;
    }
    return otherwise;
  }

 private:
  void add(size_t language, std::string_view written) {
    std::vector<std::string> marked = marked_letters_of(written);
    if (!marked.empty()) words_.emplace(folded_text(written), std::pair(language, std::move(marked)));
  }

  std::unordered_multimap<std::string, std::pair<size_t, std::vector<std::string>>> words_;
};

struct Votes {
  double weight = 0.0;
  int n_words = 0;
  bool tells = false;  // a word that is enough
};

// The first word counts twice: with it a question asks, and what it quotes of another language stands behind it.
std::array<Votes, kMostLanguages> votes_of(std::string_view text, const TellingWords& telling) {
  static const WrittenWords kWritten;
  std::array<Votes, kMostLanguages> votes;
  double first = 2.0;
  WordScanner scanner(text);
  for (Word word; scanner.next(word); first = 1.0) {
    const auto found = telling.find(std::string(word.text));
    if (found == telling.end()) continue;
    const std::vector<std::string> marked =
        marked_letters_of(text.substr(word.byte_begin, word.byte_end - word.byte_begin));
    for (size_t i = 0; i < votes.size(); ++i) {
      if ((found->second.languages & (1U << i)) == 0) continue;
      if (!marked.empty() && kWritten.has_otherwise(i, found->first, marked)) continue;
      votes[i].weight += first / found->second.n_languages;
      ++votes[i].n_words;
      votes[i].tells |= found->second.alone || votes[i].n_words > 1;
    }
  }
  return votes;
}

// The share of them that a language has; 0 where there are none.
double share_of(const LanguageFacts& language, const std::vector<std::string>& marked) {
  if (marked.empty()) return 0.0;
  const auto n = std::count_if(marked.begin(), marked.end(), [&](const std::string& letter) {
    return language.marked_letters.find(letter) != std::string_view::npos;
  });
  return static_cast<double>(n) / static_cast<double>(marked.size());
}

// Of languages in one script. Marked letters and words that say something decide between those that words of grammar
// speak for, and alone where none do.
Language by_words(std::string_view text) {
  const std::array<Votes, kMostLanguages> votes = votes_of(text, telling_words());
  const std::array<Votes, kMostLanguages> said = votes_of(text, vocabulary());
  const std::vector<std::string> marked = marked_letters_of(text);
  const bool silent = std::all_of(votes.begin(), votes.end(), [](const Votes& vote) { return vote.n_words == 0; });
  const std::span<const LanguageFacts* const> all = all_languages();
  Language best = Language::kUnknown;
  double most = 0.0;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool enough = said[i].n_words > 0 || all[i]->language == Language::kEnglish;
    const bool told = votes[i].tells || (votes[i].n_words > 0 && enough);
    if (!told && !silent) continue;
    const double weight =
        votes[i].weight + kOfItsLetters * share_of(*all[i], marked) + kOfItsVocabulary * said[i].weight;
    constexpr double kLeast = 1e-9;  // sums of thirds differ in their last bits
    if (weight <= most + kLeast) continue;
    most = weight;
    best = all[i]->language;
  }
  return best;
}

// Ukrainian is told from Russian by its letters, and by its words where a question has none of them ("яка площа").
Language of_cyrillic(std::string_view text) {
  constexpr std::string_view kUkrainian[] = {"і", "ї", "є", "ґ", "І", "Ї", "Є", "Ґ"};
  constexpr std::string_view kOther[] = {"ў", "ј", "љ", "њ", "ћ", "ђ"};  // of Belarusian and Serbian
  if (holds_any(text, kOther)) return Language::kUnknown;
  const bool ukrainian = holds_any(text, kUkrainian) || by_words(text) == Language::kUkrainian;
  return ukrainian ? Language::kUkrainian : Language::kRussian;
}

Language find_language(std::string_view text) {
  // Letters that Persian and Urdu have besides.
  constexpr std::string_view kNotArabic[] = {"پ", "چ", "ژ", "گ", "ی", "ک", "ے", "ٹ", "ڈ"};
  const Letters letters = letters_of(text);
  const int wide = letters.ideographs + letters.kana + letters.hangul;
  if (letters.hangul > 0 && 2 * letters.hangul >= wide) return Language::kKorean;
  if (wide > 0 && 2 * wide >= letters.latin) return letters.kana > 0 ? Language::kJapanese : Language::kChinese;
  if (letters.cyrillic > letters.latin) return of_cyrillic(text);
  if (letters.arabic > letters.latin) return holds_any(text, kNotArabic) ? Language::kUnknown : Language::kArabic;
  return by_words(text);
}

}  // namespace

// One question is asked about again and again.
Language language_of(std::string_view text) {
  thread_local std::string last_text;
  thread_local Language last = Language::kUnknown;
  if (text != last_text || text.empty()) {
    last = find_language(text);
    last_text = text;
  }
  return last;
}

bool is_romance(Language language) {
  return language == Language::kFrench || language == Language::kSpanish || language == Language::kItalian ||
         language == Language::kPortuguese;
}

}  // namespace mneme::rag
