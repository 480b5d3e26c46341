#include "storage/catalogue/character_class.h"

#include <array>
#include <atomic>
#include <memory>

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>

#include "base/apostrophe.h"

namespace mneme::storage {
namespace {

constexpr int kPageSize = 256;
constexpr int kPages = 0x110000 / kPageSize;
using Page = std::array<CharInfo, kPageSize>;

bool is_gram_script(UScriptCode script) {
  switch (script) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_KATAKANA_OR_HIRAGANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_YI:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
    case USCRIPT_TIBETAN: return true;
    default: return false;
  }
}

// Accents of these scripts are dropped: words are often written without them.
bool drops_marks(UScriptCode script) {
  switch (script) {
    case USCRIPT_LATIN:
    case USCRIPT_GREEK:
    case USCRIPT_CYRILLIC:
    case USCRIPT_ARMENIAN:
    case USCRIPT_HEBREW:
    case USCRIPT_ARABIC:
    case USCRIPT_INHERITED:
    case USCRIPT_COMMON: return true;
    default: return false;
  }
}

UScriptCode script_of(UChar32 c) {
  // Signs shared by kana (the prolonged sound mark) are Common in the script property.
  if (c == 0x30fc || c == 0xff70 || c == 0x3099 || c == 0x309a) return USCRIPT_KATAKANA;
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &error);
  return U_SUCCESS(error) ? script : USCRIPT_COMMON;
}

CharClass class_of(UChar32 c) {
  if (is_apostrophe(static_cast<char32_t>(c))) return CharClass::kSeparator;  // one of them is a letter to Unicode
  const UScriptCode script = script_of(c);
  switch (u_charType(c)) {
    case U_UPPERCASE_LETTER:
    case U_LOWERCASE_LETTER:
    case U_TITLECASE_LETTER:
    case U_OTHER_LETTER:
    case U_LETTER_NUMBER:
    case U_MODIFIER_LETTER:
      if (c == 0x0640) return CharClass::kIgnore;  // tatweel only stretches the line
      return is_gram_script(script) ? CharClass::kGram : CharClass::kLetter;
    case U_DECIMAL_DIGIT_NUMBER:
    case U_OTHER_NUMBER: return CharClass::kDigit;
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK: return drops_marks(script) ? CharClass::kIgnore : CharClass::kMark;
    case U_COMBINING_SPACING_MARK: return CharClass::kMark;
    case U_FORMAT_CHAR: return CharClass::kIgnore;  // soft hyphen, joiners, direction signs
    default: return CharClass::kSeparator;
  }
}

// Letters that decomposition leaves alone but that people write in several ways.
char32_t unify(char32_t c) {
  switch (c) {
    case 0x0649:
    case 0x06cc: return 0x064a;  // alef maksura, Farsi yeh -> yeh
    case 0x0629: return 0x0647;  // teh marbuta -> heh
    case 0x0671: return 0x0627;  // alef wasla -> alef
    case 0x06a9: return 0x0643;  // keheh -> kaf
    case 0x0131: return 'i';     // dotless i
    case 0x0142: return 'l';
    case 0x00f8: return 'o';
    case 0x0111: return 'd';
    case 0x0451: return 0x0435;  // io -> ie
    default: return c;
  }
}

void add_folded(CharInfo& info, char32_t c) {
  if (info.n_folded < kMaxFolded) info.folded[info.n_folded++] = unify(c);
}

// One character of the compatibility-folded form: accents taken off, kana and Hangul left whole.
void fold_into(CharInfo& info, UChar32 c, const UNormalizer2* nfd) {
  const UScriptCode script = script_of(c);
  if (is_gram_script(script)) return add_folded(info, static_cast<char32_t>(c));
  UErrorCode error = U_ZERO_ERROR;
  UChar parts[24];
  const int32_t length = unorm2_getDecomposition(nfd, c, parts, 24, &error);
  if (length < 0 || U_FAILURE(error)) {  // of one part
    if (class_of(c) != CharClass::kIgnore) add_folded(info, static_cast<char32_t>(c));
    return;
  }
  for (int32_t i = 0; i < length;) {
    UChar32 part;
    U16_NEXT(parts, i, length, part);
    if (class_of(part) != CharClass::kIgnore) add_folded(info, static_cast<char32_t>(part));
  }
}

CharInfo compute(UChar32 c) {
  CharInfo info;
  info.kind = class_of(c);
  if (info.kind == CharClass::kSeparator || info.kind == CharClass::kIgnore) return info;
  info.upper = u_isUUppercase(c) != 0;
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* fold = unorm2_getNFKCCasefoldInstance(&error);
  const UNormalizer2* nfd = unorm2_getNFDInstance(&error);
  UChar source[2];
  int32_t n_source = 0;
  U16_APPEND_UNSAFE(source, n_source, c);
  UChar target[40];
  const int32_t length = U_SUCCESS(error) ? unorm2_normalize(fold, source, n_source, target, 40, &error) : 0;
  if (U_FAILURE(error) || length == 0) {
    add_folded(info, static_cast<char32_t>(c));
    return info;
  }
  for (int32_t i = 0; i < length;) {
    UChar32 part;
    U16_NEXT(target, i, length, part);
    fold_into(info, part, nfd);
  }
  // Half-width kana and the like take the class of what they stand for.
  if (info.n_folded > 0) info.kind = class_of(static_cast<UChar32>(info.folded[0]));
  return info;
}

}  // namespace

const CharInfo& char_info(char32_t character) {
  static std::array<std::atomic<const Page*>, kPages> pages{};
  static const CharInfo kNone{};
  if (character >= 0x110000) return kNone;
  std::atomic<const Page*>& slot = pages[character / kPageSize];
  const Page* page = slot.load(std::memory_order_acquire);
  if (page == nullptr) {
    auto fresh = std::make_unique<Page>();
    const char32_t first = character / kPageSize * kPageSize;
    for (char32_t i = 0; i < kPageSize; ++i) (*fresh)[i] = compute(static_cast<UChar32>(first + i));
    const Page* expected = nullptr;
    // Two threads may fill the same page; the first one stays, for the life of the process.
    if (slot.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) {
      page = fresh.release();
    } else {
      page = expected;
    }
  }
  return (*page)[character % kPageSize];
}

char32_t compose_pair(char32_t first, char32_t second) {
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* nfc = unorm2_getNFCInstance(&error);
  if (U_FAILURE(error)) return 0;
  const UChar32 composed = unorm2_composePair(nfc, static_cast<UChar32>(first), static_cast<UChar32>(second));
  return composed < 0 ? 0 : static_cast<char32_t>(composed);
}

}  // namespace mneme::storage
