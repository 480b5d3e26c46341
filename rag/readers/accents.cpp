#include "rag/readers/accents.h"

#include <unicode/unorm2.h>

#include "base/utf8.h"

namespace mneme::readers {

std::string with_accent(std::string_view letter, char32_t mark) {
  if (letter.empty()) return {};
  constexpr char32_t kDotlessI = 0x131;
  constexpr char32_t kDotlessJ = 0x237;
  size_t behind = 0;
  char32_t base = utf8::next(letter, behind);
  if (base == kDotlessI) base = U'i';
  if (base == kDotlessJ) base = U'j';
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* const nfc = unorm2_getNFCInstance(&error);
  const UChar32 composed =
      U_SUCCESS(error) ? unorm2_composePair(nfc, static_cast<UChar32>(base), static_cast<UChar32>(mark)) : UChar32{-1};
  std::string text;
  utf8::append(text, composed >= 0 ? static_cast<char32_t>(composed) : base);
  if (composed < 0) utf8::append(text, mark);
  return text.append(letter.substr(behind));
}

}  // namespace mneme::readers
