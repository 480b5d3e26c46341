#include "rag/text/variants/chinese_characters.h"

#include <unicode/translit.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>

#include "base/utf8.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

bool has_kana(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const char32_t c = utf8::next(text, at);
    if (c >= 0x3041 && c <= 0x30FF) return true;
  }
  return false;
}

std::string converted(std::string_view text, const char* by) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<icu::Transliterator> converter(
      icu::Transliterator::createInstance(icu::UnicodeString(by), UTRANS_FORWARD, error));
  if (U_FAILURE(error) || converter == nullptr) return std::string(text);
  icu::UnicodeString characters =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  converter->transliterate(characters);
  std::string result;
  characters.toUTF8String(result);
  return result;
}

}  // namespace

std::vector<std::string> in_other_characters(std::string_view text) {
  std::vector<std::string> others;
  if (!written_without_spaces(text) || has_kana(text)) return others;
  for (const char* const by : {"Traditional-Simplified", "Simplified-Traditional"}) {
    std::string other = converted(text, by);
    if (other != text) others.push_back(std::move(other));
  }
  return others;
}

}  // namespace mneme::rag
