#include "ui/view_model/text_search.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <array>
#include <optional>
#include <string>

#include "base/utf8.h"

namespace mneme::ui {
namespace {

constexpr char32_t kDropped = 0;  // marks, soft hyphens
constexpr char32_t kSpace = ' ';

// The letter that a character is made of, without its marks: "é" is e, "ﬁ" and full-width letters are what they
// stand for.
char32_t base_of(char32_t c) {
  const bool hangul = c >= 0xac00 && c <= 0xd7a3;  // would leave the first consonant alone
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* const normalizer = hangul ? nullptr : unorm2_getNFKDInstance(&error);
  if (normalizer == nullptr || U_FAILURE(error)) return c;
  std::array<UChar, 32> parts{};
  const int32_t length =
      unorm2_getDecomposition(normalizer, static_cast<UChar32>(c), parts.data(), parts.size(), &error);
  if (U_FAILURE(error) || length <= 0) return c;
  int32_t at = 0;
  UChar32 base = 0;
  U16_NEXT(parts.data(), at, length, base);
  return static_cast<char32_t>(base);
}

char32_t folded_slowly(char32_t c) {
  if (u_isUWhiteSpace(static_cast<UChar32>(c))) return kSpace;
  switch (u_charType(static_cast<UChar32>(c))) {
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_FORMAT_CHAR: return kDropped;
    case U_DASH_PUNCTUATION: return '-';
    case U_INITIAL_PUNCTUATION:
    case U_FINAL_PUNCTUATION: return c == 0x2018 || c == 0x2019 ? '\'' : '"';
    default: return static_cast<char32_t>(u_foldCase(static_cast<UChar32>(base_of(c)), U_FOLD_CASE_DEFAULT));
  }
}

char32_t folded(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c == '\n' || c == '\r' || c == '\t' ? kSpace : c;
  if (c >= 0x4e00 && c <= 0x9fff) return c;  // ideographs, which are many and stand for themselves
  return folded_slowly(c);
}

// What is sought, folded: single spaces, none at its ends.
std::u32string folded_text(std::string_view text) {
  std::u32string all;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = folded(utf8::next(text, at));
    if (c != kDropped && (c != kSpace || (!all.empty() && all.back() != kSpace))) all += c;
  }
  while (!all.empty() && all.back() == kSpace) all.pop_back();
  return all;
}

// Where what begins at `at` ends, if it is what is sought.
std::optional<size_t> end_of_place(std::string_view text, size_t at, const std::u32string& sought) {
  size_t k = 0;
  bool behind_space = false;
  while (k < sought.size()) {
    if (at == text.size()) return std::nullopt;
    const char32_t c = folded(utf8::next(text, at));
    if (c == kDropped || (c == kSpace && behind_space)) continue;
    if (c != sought[k]) return std::nullopt;
    behind_space = c == kSpace;
    ++k;
  }
  // With the marks of its last letter.
  for (size_t next = at; next < text.size() && folded(utf8::next(text, next)) == kDropped;) at = next;
  return at;
}

}  // namespace

std::vector<TextPlace> places_of(std::string_view text, std::string_view sought, size_t most) {
  std::vector<TextPlace> places;
  const std::u32string wanted = folded_text(sought);
  if (wanted.empty()) return places;
  for (size_t at = 0; at < text.size() && places.size() < most;) {
    size_t next = at;
    if (folded(utf8::next(text, next)) == wanted.front()) {
      if (const std::optional<size_t> end = end_of_place(text, at, wanted)) {
        places.push_back({at, *end});
        next = *end;
      }
    }
    at = next;
  }
  return places;
}

}  // namespace mneme::ui
