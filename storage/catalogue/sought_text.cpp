#include "storage/catalogue/sought_text.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/apostrophe.h"
#include "base/utf8.h"
#include "storage/catalogue/character_class.h"

namespace mneme::storage {
namespace {

bool is_space(char32_t c) {
  return c < 0x80 ? c == ' ' || (c >= '\t' && c <= '\r') : u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}

// "！" is "!", "Ⓝ" is "n".
char32_t compatible(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* const normalizer = unorm2_getNFKDInstance(&error);
  std::array<UChar, 32> parts{};
  const int32_t length = U_FAILURE(error) ? 0
                                          : unorm2_getDecomposition(normalizer, static_cast<UChar32>(c), parts.data(),
                                                                    static_cast<int32_t>(parts.size()), &error);
  return length == 1 && U_SUCCESS(error) ? static_cast<char32_t>(u_foldCase(parts[0], U_FOLD_CASE_DEFAULT)) : c;
}

// Signs that may make one letter of themselves and the one before: voicing marks, parts of Hangul syllables.
bool joins(char32_t c) {
  return c == 0x3099 || c == 0x309a || c == 0xff9e || c == 0xff9f || (c >= 0x1160 && c <= 0x11ff);
}

char32_t folded_sign(char32_t c) {
  if (is_apostrophe(c)) return '\'';
  switch (u_charType(static_cast<UChar32>(c))) {
    case U_DASH_PUNCTUATION: return '-';
    case U_INITIAL_PUNCTUATION:
    case U_FINAL_PUNCTUATION: return '"';
    default: return c == U'„' ? U'"' : compatible(c);
  }
}

}  // namespace

// What the characters at `at_` stand for: a kana and its voicing mark, the parts of a Hangul syllable are one.
void SoughtCharacters::take_letter(const CharInfo& info) {
  std::copy(info.folded, info.folded + info.n_folded, rest_.begin());
  n_rest_ = info.n_folded;
  while (n_rest_ == 1 && at_ < text_.size()) {
    size_t behind = at_;
    const char32_t mark = utf8::next(text_, behind);
    if (!joins(mark) || char_info(mark).n_folded != 1) return;
    const char32_t both = compose_pair(rest_[0], char_info(mark).folded[0]);
    if (both == 0) return;
    rest_[0] = both;
    at_ = behind;
  }
}

char32_t SoughtCharacters::next_slowly() {
  while (n_rest_ == 0) {
    if (at_ == text_.size()) return kEnd;
    const char32_t c = utf8::next(text_, at_);
    const bool space = is_space(c);
    if (space && std::exchange(behind_space_, true)) continue;
    if (space) return ' ';
    const CharInfo& info = char_info(c);
    if (info.kind == CharClass::kIgnore) continue;
    behind_space_ = false;
    if (info.kind == CharClass::kSeparator) return folded_sign(c);
    take_letter(info);
  }
  const char32_t c = rest_.front();
  std::copy(rest_.begin() + 1, rest_.begin() + n_rest_, rest_.begin());
  --n_rest_;
  return c;
}

void SoughtCharacters::pass_marks() {
  for (size_t behind = at_; behind < text_.size();) {
    const char32_t c = utf8::next(text_, behind);
    if (c < 0x80 || char_info(c).kind != CharClass::kIgnore) return;
    at_ = behind;
  }
}

std::string sought_text(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  SoughtCharacters characters(text);
  for (char32_t c = characters.next(); c != SoughtCharacters::kEnd; c = characters.next()) {
    if (c == ' ' && folded.empty()) continue;
    if (c < 0x80) {
      folded += static_cast<char>(c);
    } else {
      utf8::append(folded, c);
    }
  }
  if (folded.ends_with(' ')) folded.pop_back();
  return folded;
}

}  // namespace mneme::storage
