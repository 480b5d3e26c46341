#include "rag/readers/pdf/visual_order.h"

#include <unicode/normalizer2.h>
#include <unicode/ubidi.h>
#include <unicode/unistr.h>

#include <memory>
#include <vector>

#include "base/utf8.h"

namespace mneme::readers {
namespace {

struct BidiClose {
  void operator()(UBiDi* bidi) const { ubidi_close(bidi); }
};

bool is_presentation_form(UChar32 c) {
  return (c >= 0xfb1d && c <= 0xfdff) || (c >= 0xfe70 && c <= 0xfefc);
}

struct Letters {
  size_t from_right = 0;
  size_t from_left = 0;
};
Letters count_letters(std::string_view text) {
  Letters letters;
  for (size_t i = 0; i < text.size();) {
    const UCharDirection direction = u_charDirection(static_cast<UChar32>(utf8::next(text, i)));
    letters.from_right += direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC;
    letters.from_left += direction == U_LEFT_TO_RIGHT;
  }
  return letters;
}

bool is_stop(UChar32 c) {
  return c == '.' || c == ':' || c == '!' || c == '?' || c == 0x61f;
}

// A stop at the right end, and none at the left, ends a line that is read from the left all the same.
UBiDiLevel level_of(const icu::UnicodeString& text, const Letters& letters) {
  const bool stops_right = is_stop(text[text.length() - 1]) && !is_stop(text[0]);
  return letters.from_right > letters.from_left && !stops_right ? 1 : 0;
}

icu::UnicodeString with_plain_letters(const icu::UnicodeString& text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* compatible = icu::Normalizer2::getNFKCInstance(error);
  if (U_FAILURE(error)) return text;
  icu::UnicodeString plain;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const icu::UnicodeString letter(text.char32At(i));
    plain.append(is_presentation_form(text.char32At(i)) ? compatible->normalize(letter, error) : letter);
  }
  return U_FAILURE(error) ? text : plain;
}

// Alef, alef, lam does not occur: it is the article before a word that begins with alef.
void mend_articles(icu::UnicodeString& text) {
  constexpr char16_t kAlef = 0x627;
  constexpr char16_t kLam = 0x644;
  for (int32_t i = 0; i + 2 < text.length(); ++i) {
    const char16_t middle = text[i + 1];
    const bool alef = middle == kAlef || middle == 0x622 || middle == 0x623 || middle == 0x625;
    if (text[i] != kAlef || !alef || text[i + 2] != kLam) continue;
    text.setCharAt(i + 1, kLam);
    text.setCharAt(i + 2, middle);
  }
}

}  // namespace

bool reads_from_right(std::string_view text) {
  const Letters letters = count_letters(text);
  return letters.from_right > letters.from_left;
}

std::string reading_order(std::string_view visual) {
  const Letters letters = count_letters(visual);
  if (letters.from_right == 0) return std::string(visual);
  const icu::UnicodeString text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(visual.data(), static_cast<int32_t>(visual.size())));
  const std::unique_ptr<UBiDi, BidiClose> bidi(ubidi_open());
  if (bidi == nullptr || text.isEmpty()) return std::string(visual);
  UErrorCode error = U_ZERO_ERROR;
  ubidi_setReorderingMode(bidi.get(), UBIDI_REORDER_INVERSE_LIKE_DIRECT);
  ubidi_setPara(bidi.get(), text.getBuffer(), text.length(), level_of(text, letters), nullptr, &error);
  std::vector<UChar> ordered(static_cast<size_t>(text.length()) + 1);
  const int32_t length = ubidi_writeReordered(bidi.get(), ordered.data(), static_cast<int32_t>(ordered.size()),
                                              UBIDI_DO_MIRRORING, &error);
  if (U_FAILURE(error)) return std::string(visual);
  icu::UnicodeString logical = with_plain_letters(icu::UnicodeString(ordered.data(), length));
  mend_articles(logical);
  std::string result;
  logical.toUTF8String(result);
  return result;
}

}  // namespace mneme::readers
