#include "rag/text/words.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/utf8.h"

namespace mneme::rag {

namespace {

enum class CharClass : uint8_t { kOther, kWord, kPair, kMark };

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

// Small alphabets and kana are looked up; what is rare asks ICU each time.
constexpr size_t kTableSize = 0x2000;
struct FoldEntry {
  CharClass kind = CharClass::kOther;
  char32_t folded = 0;  // the base letter in lower case; 0: dropped
};

FoldEntry fold_slow(char32_t c) {
  FoldEntry entry{classify_slow(c), 0};
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
  entry.folded = static_cast<char32_t>(u_foldCase(base, U_FOLD_CASE_DEFAULT));
  return entry;
}

const std::array<FoldEntry, kTableSize>& fold_table() {
  static const std::array<FoldEntry, kTableSize> table = [] {
    std::array<FoldEntry, kTableSize> built;
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

const std::array<FoldEntry, kKanaEnd - kKanaBegin>& kana_table() {
  static const std::array<FoldEntry, kKanaEnd - kKanaBegin> table = [] {
    std::array<FoldEntry, kKanaEnd - kKanaBegin> built;
    for (char32_t c = kKanaBegin; c < kKanaEnd; ++c) built[c - kKanaBegin] = fold_slow(c);
    return built;
  }();
  return table;
}

FoldEntry fold_of(char32_t c) {
  if (c < kTableSize) return fold_table()[c];
  if (c >= kIdeographsBegin && c < kIdeographsEnd) return {CharClass::kPair, c};
  if (c >= kKanaBegin && c < kKanaEnd) return kana_table()[c - kKanaBegin];
  return fold_slow(c);
}

const std::unordered_set<std::string_view>& stop_words() {
  // The commonest function and question words; folded, so without diacritics.
  static const std::unordered_set<std::string_view> words = {
      // English
      "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been",
      "before", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have",
      "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
      "me", "more", "most", "my", "no", "nor", "not", "of", "on", "once", "only", "or", "other", "our", "out", "over",
      "own", "s", "same", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them", "then",
      "there", "these", "they", "this", "those", "to", "too", "under", "up", "us", "very", "was", "we", "were", "what",
      "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
      "please", "tell", "many", "much", "kind", "type", "name", "may", "might", "shall", "must", "upon", "between",
      "during",
      // German
      "der", "die", "das", "den", "dem", "des", "ein", "eine", "einer", "eines", "einem", "einen", "und", "oder", "ist",
      "sind", "war", "waren", "wird", "werden", "wurde", "im", "zu", "zum", "zur", "mit", "von", "vom", "auf", "fur",
      "nicht", "wie", "wer", "wo", "wann", "warum", "welche", "welcher", "welches", "sich", "auch", "aus", "bei",
      "nach", "ich", "er", "sie", "es", "wir", "ihr", "als", "dass", "dieser", "diese", "dieses", "hat", "haben",
      // French, Spanish, Italian, Portuguese
      "le", "la", "les", "un", "une", "du", "et", "ou", "est", "sont", "dans", "sur", "pour", "par", "pas", "que",
      "qui", "quoi", "quel", "quelle", "comment", "ce", "ces", "cette", "il", "elle", "ils", "au", "aux", "avec", "ne",
      "se", "el", "los", "las", "una", "unos", "y", "o", "de", "del", "en", "con", "por", "para", "como", "donde",
      "cual", "quien", "cuando", "es", "son", "su", "sus", "al", "lo", "gli", "uno", "di", "da", "che", "chi", "cosa",
      "come", "dove", "quando", "sono", "nel", "nella", "della", "delle", "dei", "os", "um", "uma", "do", "dos", "em",
      "no", "na", "nos", "nas", "com", "qual", "quais", "onde", "sao",
      // Russian
      "и", "в", "во", "не", "на", "с", "со", "что", "как", "а", "то", "он", "она", "они", "это", "по", "из", "у", "за",
      "от", "к", "ко", "о", "об", "для", "где", "когда", "кто", "какой", "какая", "был", "была", "были", "же", "бы",
      // Arabic
      "في", "من", "على", "الى", "إلى", "ما", "متى", "هو", "هي", "هل", "عن", "مع", "كم", "اين", "كيف", "لماذا", "التي",
      "الذي",
      // Japanese and Chinese pairs
      "です", "ます", "した", "して", "する", "って", "には", "とは", "のは", "では", "から", "この", "その", "なに",
      "どの", "どこ", "いつ", "だれ", "ある", "いる", "った", "てい", "れた", "され", "こと", "もの", "なん", "です",
      "すか", "何で", "のか", "什么", "哪个", "哪些", "怎么", "如何", "为什", "是什", "的是", "是谁", "哪里", "多少",
      "的？", "么？"};
  return words;
}

}  // namespace

void WordScanner::fold(char32_t character) {
  utf8::append(folded_, character);
}

bool WordScanner::next(Word& word) {
  folded_.clear();
  while (offset_ < text_.size()) {
    const size_t begin = offset_;
    const unsigned char byte = static_cast<unsigned char>(text_[begin]);
    if (byte < 0x80) {
      // Plain ASCII is most of most texts.
      const auto is_word = [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      };
      if (!is_word(byte)) {
        ++offset_;
        continue;
      }
    } else {
      size_t after = begin;
      const FoldEntry entry = fold_of(utf8::next(text_, after));
      if (entry.kind == CharClass::kOther || entry.kind == CharClass::kMark) {
        offset_ = after;
        continue;
      }
      if (entry.kind == CharClass::kPair) {
        size_t second_end = after;
        FoldEntry second;
        if (after < text_.size()) second = fold_of(utf8::next(text_, second_end));
        offset_ = after;  // the next pair begins at the second character
        const bool had_pair = run_continues_ && pair_offset_ == begin;
        fold(entry.folded);
        word.byte_begin = begin;
        word.pair = true;
        if (second.kind == CharClass::kPair && after < text_.size()) {
          fold(second.folded);
          word.byte_end = second_end;
          word.text = folded_;
          run_continues_ = true;
          pair_offset_ = after;
          return true;
        }
        run_continues_ = false;
        if (had_pair) {  // the end of a run has been part of a pair already
          folded_.clear();
          continue;
        }
        word.byte_end = after;
        word.text = folded_;
        return true;
      }
    }
    word.byte_begin = begin;
    word.pair = false;
    while (offset_ < text_.size()) {
      const unsigned char c = static_cast<unsigned char>(text_[offset_]);
      if (c < 0x80) {
        if (c >= 'A' && c <= 'Z') {
          folded_.push_back(static_cast<char>(c + 32));
        } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
          folded_.push_back(static_cast<char>(c));
        } else {
          break;
        }
        ++offset_;
        continue;
      }
      size_t after = offset_;
      const FoldEntry entry = fold_of(utf8::next(text_, after));
      if (entry.kind != CharClass::kWord && entry.kind != CharClass::kMark) break;
      if (entry.folded != 0) fold(entry.folded);
      offset_ = after;
    }
    word.byte_end = offset_;
    word.text = folded_;
    if (!folded_.empty()) return true;
  }
  return false;
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
    const FoldEntry entry = fold_of(utf8::next(text, offset));
    if (entry.kind == CharClass::kMark) continue;
    if (entry.kind == CharClass::kOther) {
      gap = true;
      continue;
    }
    if (gap && !folded.empty()) folded.push_back(' ');
    gap = false;
    utf8::append(folded, entry.folded);
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

bool is_stop_word(std::string_view folded) {
  return stop_words().contains(folded);
}

std::string_view stem_of(std::string_view folded) {
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
