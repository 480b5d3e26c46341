#include "rag/text/words/words.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/apostrophe.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "storage/catalogue/english_forms.h"
#include "storage/catalogue/light_stemmer.h"

namespace mneme::rag {

enum class CharClass : uint8_t { kOther, kWord, kPair, kMark };

struct FoldedCharacter {
  CharClass kind = CharClass::kOther;
  char32_t folded = 0;  // the base letter in lower case; 0: dropped
};

namespace {

constexpr char32_t kSharpS = 0xDF;  // "Straße" is written "STRASSE" in capitals, and "Strasse" in Switzerland

void append_folded(std::string& text, char32_t folded) {
  if (folded == kSharpS) {
    text += "ss";
  } else {
    utf8::append(text, folded);
  }
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

bool is_ascii_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c);
}

bool is_pair_script(char32_t c) {
  if (c < 0x0E00) return false;
  if (c >= 0x4E00 && c <= 0x9FFF) return true;    // ideographs
  if (c >= 0x3041 && c <= 0x30FF) return true;    // kana
  if (c >= 0xAC00 && c <= 0xD7A3) return true;    // Hangul
  if (c >= 0x0E00 && c <= 0x0EFF) return true;    // Thai, Lao
  if (c >= 0x1000 && c <= 0x109F) return true;    // Myanmar
  if (c >= 0x1780 && c <= 0x17FF) return true;    // Khmer
  if (c >= 0x3400 && c <= 0x4DBF) return true;    // ideographs, extension A
  if (c >= 0x20000 && c <= 0x323AF) return true;  // further extensions
  return c >= 0xF900 && c <= 0xFAFF;              // compatibility ideographs
}

CharClass classify_slow(char32_t c) {
  if (is_apostrophe(c)) return CharClass::kOther;  // one of them is a letter to Unicode
  const int8_t type = u_charType(static_cast<UChar32>(c));
  if (is_pair_script(c)) {
    // Thai vowel signs are marks, yet part of the writing: they stay in the pairs.
    return u_isalnum(static_cast<UChar32>(c)) || type == U_NON_SPACING_MARK || type == U_COMBINING_SPACING_MARK
               ? CharClass::kPair
               : CharClass::kOther;
  }
  if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK) return CharClass::kMark;
  if (u_isalnum(static_cast<UChar32>(c)) || type == U_COMBINING_SPACING_MARK) return CharClass::kWord;
  return CharClass::kOther;
}

// Letters that decomposition leaves alone but that people write in several ways, as the index has them, and the digits
// of other scripts.
char32_t unified(char32_t c) {
  switch (c) {
    case 0x0649:
    case 0x06CC: return 0x064A;  // alef maksura, Farsi yeh: yeh
    case 0x0629: return 0x0647;  // teh marbuta: heh
    case 0x0671: return 0x0627;  // alef wasla: alef
    case 0x06A9: return 0x0643;  // keheh: kaf
    case 0x0131: return 'i';     // dotless i
    case 0x0142: return 'l';
    case 0x00F8: return 'o';
    case 0x0111: return 'd';
    default: break;
  }
  const int32_t digit = c >= 0x80 ? u_charDigitValue(static_cast<UChar32>(c)) : -1;
  return digit >= 0 ? static_cast<char32_t>('0' + digit) : c;
}

// Small alphabets and kana are looked up; what is rare asks ICU each time.
constexpr size_t kTableSize = 0x2000;
FoldedCharacter fold_slow(char32_t c) {
  constexpr char32_t kTatweel = 0x0640;  // only stretches the line
  FoldedCharacter entry{c == kTatweel ? CharClass::kMark : classify_slow(c), 0};
  if (entry.kind == CharClass::kMark || entry.kind == CharClass::kOther) return entry;
  static const UNormalizer2* const kNfkc = [] {
    UErrorCode error = U_ZERO_ERROR;
    return unorm2_getNFKDInstance(&error);
  }();
  UChar decomposed[32];
  UErrorCode error = U_ZERO_ERROR;
  UChar32 base = static_cast<UChar32>(c);
  const bool hangul = c >= 0xAC00 && c <= 0xD7A3;  // decomposing would leave the first consonant alone
  if (kNfkc != nullptr && !hangul) {
    const int32_t length = unorm2_getDecomposition(kNfkc, base, decomposed, 32, &error);
    if (U_SUCCESS(error) && length > 0) {
      int32_t i = 0;
      U16_NEXT(decomposed, i, length, base);
    }
  }
  entry.folded = unified(static_cast<char32_t>(u_foldCase(base, U_FOLD_CASE_DEFAULT)));
  return entry;
}

const std::array<FoldedCharacter, kTableSize>& fold_table() {
  static const std::array<FoldedCharacter, kTableSize> table = [] {
    std::array<FoldedCharacter, kTableSize> built;
    for (size_t c = 0; c < kTableSize; ++c) built[c] = fold_slow(static_cast<char32_t>(c));
    return built;
  }();
  return table;
}

// Kana are decomposed (a voiced one is its base and a mark); ideographs stand for themselves.
constexpr char32_t kKanaBegin = 0x3000;
constexpr char32_t kKanaEnd = 0x3100;
constexpr char32_t kIdeographsBegin = 0x4E00;
constexpr char32_t kIdeographsEnd = 0x9FA6;  // of Unicode 1.1: in every ICU

const std::array<FoldedCharacter, kKanaEnd - kKanaBegin>& kana_table() {
  static const std::array<FoldedCharacter, kKanaEnd - kKanaBegin> table = [] {
    std::array<FoldedCharacter, kKanaEnd - kKanaBegin> built;
    for (char32_t c = kKanaBegin; c < kKanaEnd; ++c) built[c - kKanaBegin] = fold_slow(c);
    return built;
  }();
  return table;
}

FoldedCharacter fold_of(char32_t c) {
  if (c < kTableSize) return fold_table()[c];
  if (c >= kIdeographsBegin && c < kIdeographsEnd) return {CharClass::kPair, c};
  if (c >= kKanaBegin && c < kKanaEnd) return kana_table()[c - kKanaBegin];
  return fold_slow(c);
}

// Endings of nouns, adjectives and verbs in Russian, the longer before what they end with. Light: what is left need not
// be a word, and irregular forms stay apart. Folded, so that й is и.
constexpr std::string_view kCyrillicEndings[] = {
    // Ukrainian, in letters that Russian has not
    "іями", "ією", "ові", "еві", "іі", "ію", "ія", "ів", "ім", "іи", "ає", "ує", "є", "і",
    // Russian, and much of Ukrainian
    "ением", "анием", "ения", "ение", "ению", "ении", "ания", "ание", "анию", "ании", "иями", "ность", "ости", "ами",
    "ями", "ими", "ыми", "его", "ого", "ему", "ому", "иях", "ием", "иеи", "ешь", "ишь", "ете", "ите", "ать", "ить",
    "ять", "еть", "ала", "ила", "али", "или", "ует", "уют", "ах", "ях", "ам", "ям", "ом", "ем", "ов", "ев", "еи", "ои",
    "ии", "ыи", "ью", "ия", "ию", "ии", "ие", "ые", "ое", "ее", "их", "ых", "ую", "юю", "ая", "яя", "им", "ым", "ет",
    "ит", "ут", "ют", "ат", "ят", "ал", "ил", "ть", "а", "я", "о", "е", "и", "ы", "у", "ю", "ь", "и"};
constexpr size_t kLeastCyrillic = 6;  // bytes: three letters

std::string_view stem_of_cyrillic(std::string_view word) {
  for (const std::string_view reflexive : {std::string_view("ся"), std::string_view("сь")}) {
    if (word.ends_with(reflexive) && word.size() >= reflexive.size() + 2 * kLeastCyrillic) {
      word.remove_suffix(reflexive.size());
    }
  }
  for (const std::string_view ending : kCyrillicEndings) {
    if (!word.ends_with(ending) || word.size() < ending.size() + kLeastCyrillic) continue;
    word.remove_suffix(ending.size());
    break;
  }
  return word;
}

bool is_arabic(std::string_view word) {
  const auto lead = static_cast<unsigned char>(word.front());
  return lead >= 0xD8 && lead <= 0xDB;
}

// As the index has it: articles, "and" and endings taken off.
std::string stem_of_arabic(std::string_view word) {
  std::string stem(word);
  storage::light_stem(stem);
  return stem;
}

}  // namespace

void WordScanner::fold(char32_t character) {
  append_folded(folded_, character);
}

bool WordScanner::next(Word& word) {
  FoldedCharacter first;
  size_t after = 0;
  do {
    folded_.clear();
    if (!find_word(first, after)) return false;
  } while (first.kind == CharClass::kPair ? !take_pair(first, after, word) : !take_word(word));
  return true;
}

// Steps to the next character that belongs to a word; false at the end. `first` and `after` (where it ends) are of
// characters beyond ASCII.
bool WordScanner::find_word(FoldedCharacter& first, size_t& after) {
  first = {CharClass::kWord, 0};
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (is_ascii(c)) {  // most of most texts
      if (is_ascii_word(c)) return true;
      ++offset_;
      continue;
    }
    after = offset_;
    first = fold_of(utf8::next(text_, after));
    if (first.kind == CharClass::kWord || first.kind == CharClass::kPair) return true;
    first = {CharClass::kWord, 0};
    offset_ = after;
  }
  return false;
}

// The character and the one behind it, of a script without spaces; it alone where no such one follows, unless it has
// been given as the second of a pair.
bool WordScanner::take_pair(const FoldedCharacter& first, size_t after, Word& word) {
  word.byte_begin = offset_;
  word.pair = true;
  const bool had_pair = run_continues_ && pair_offset_ == offset_;
  offset_ = after;  // the next pair begins at the second character
  FoldedCharacter second;
  size_t second_end = after;
  if (after < text_.size()) second = fold_of(utf8::next(text_, second_end));
  run_continues_ = second.kind == CharClass::kPair;
  if (!run_continues_ && had_pair) return false;
  fold(first.folded);
  if (run_continues_) {
    fold(second.folded);
    pair_offset_ = after;
  }
  word.byte_end = run_continues_ ? second_end : after;
  word.text = folded_;
  return true;
}

// Letters, digits and their marks up to what is none; false when nothing of them is left after folding.
bool WordScanner::take_word(Word& word) {
  word.byte_begin = offset_;
  word.pair = false;
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (is_ascii(c)) {
      if (!is_ascii_word(c)) break;
      folded_.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
      ++offset_;
      continue;
    }
    size_t after = offset_;
    const FoldedCharacter character = fold_of(utf8::next(text_, after));
    if (character.kind != CharClass::kWord && character.kind != CharClass::kMark) break;
    if (character.folded != 0) fold(character.folded);
    offset_ = after;
  }
  word.byte_end = offset_;
  word.text = folded_;
  return !folded_.empty();
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  WordScanner scanner(text);
  Word word;
  while (scanner.next(word)) words.emplace_back(word.text);
  return words;
}

std::string folded_text(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  bool gap = false;
  size_t offset = 0;
  while (offset < text.size()) {
    const FoldedCharacter entry = fold_of(utf8::next(text, offset));
    if (entry.kind == CharClass::kMark) continue;
    if (entry.kind == CharClass::kOther) {
      gap = true;
      continue;
    }
    if (gap && !folded.empty()) folded.push_back(' ');
    gap = false;
    append_folded(folded, entry.folded);
  }
  return folded;
}

bool written_without_spaces(std::string_view text) {
  int pairs = 0;
  int words = 0;
  WordScanner scanner(text);
  for (Word word; scanner.next(word); ++words) pairs += word.pair ? 1 : 0;
  return 2 * pairs > words;
}

namespace {

constexpr std::string_view kVowels = "aeiou";

bool is_consonant(char c) {
  return c >= 'a' && c <= 'z' && kVowels.find(c) == kVowels.npos;
}

// "Planned", "planning": the letter is doubled for the ending. That of "rolled", "pressed" is the word's own.
bool is_doubled_for_ending(std::string_view stem, size_t n_taken) {
  constexpr std::string_view kOwn = "lszf";
  const size_t n = stem.size();
  return n_taken >= 2 && n >= 4 && stem[n - 1] == stem[n - 2] && is_consonant(stem[n - 1]) &&
         kOwn.find(stem[n - 1]) == kOwn.npos;
}

// "Battery", whose plural has an i; "day" has none.
bool changes_y(std::string_view stem) {
  constexpr std::string_view kNeverInflected[] = {"many", "only", "very"};
  const bool inflected =
      std::find(std::begin(kNeverInflected), std::end(kNeverInflected), stem) == std::end(kNeverInflected);
  return stem.size() >= 4 && stem.ends_with('y') && is_consonant(stem[stem.size() - 2]) && inflected;
}

}  // namespace

bool is_cyrillic(std::string_view word) {
  return word.size() > 1 &&
         (static_cast<unsigned char>(word[0]) == 0xD0 || static_cast<unsigned char>(word[0]) == 0xD1);
}

std::string regular_stem_of(std::string_view folded) {
  if (is_cyrillic(folded)) return std::string(stem_of_cyrillic(folded));
  if (!folded.empty() && is_arabic(folded)) return stem_of_arabic(folded);
  if (folded.size() > 4 && folded.ends_with("xes")) return std::string(folded.substr(0, folded.size() - 2));
  std::string stem(english_stem_of(folded));
  if (is_doubled_for_ending(stem, folded.size() - stem.size())) stem.pop_back();
  if (changes_y(stem)) stem.back() = 'i';
  return stem;
}

std::string stem_of(std::string_view folded) {
  if (const std::string_view base = storage::base_of_irregular(folded); !base.empty()) {
    return base == folded ? std::string(folded) : stem_of(base);
  }
  std::string stem = regular_stem_of(folded);
  storage::spell_american(stem);
  return stem;
}

std::string_view english_stem_of(std::string_view folded) {
  // The plural and verb endings of Porter's first step, and nothing that could join different words.
  const auto ends = [&](std::string_view ending) { return folded.ends_with(ending); };
  if (folded.size() < 4 || static_cast<unsigned char>(folded.back()) >= 0x80) return folded;
  if (ends("ies") && folded.size() > 4) return folded.substr(0, folded.size() - 2);
  if (ends("sses")) return folded.substr(0, folded.size() - 2);
  if (ends("s") && !ends("ss") && !ends("us") && !ends("is")) folded.remove_suffix(1);
  if (folded.ends_with("ing") && folded.size() > 6) return folded.substr(0, folded.size() - 3);
  if (folded.ends_with("ed") && folded.size() > 5) return folded.substr(0, folded.size() - 2);
  if (folded.ends_with("y") && folded.size() > 4) return folded;
  if (folded.ends_with("e") && folded.size() > 4) folded.remove_suffix(1);
  return folded;
}

}  // namespace mneme::rag
