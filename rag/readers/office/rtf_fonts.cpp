#include "rag/readers/office/rtf_fonts.h"

#include <utility>

#include "base/utf8.h"
#include "rag/readers/office/symbol_fonts.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostFonts = 4096;
constexpr size_t kLongestName = 64;
constexpr int kSigns = 2;  // the character set of fonts of signs
constexpr uint32_t kOwnCodes = 0xf000;

// 0: none of its own. ANSI (0) and "default" (1) are the file's.
int code_page_of(int charset) {
  switch (charset) {
    case 77: return 10000;
    case 128: return 932;
    case 129: return 949;
    case 134: return 936;
    case 136: return 950;
    case 161: return 1253;
    case 162: return 1254;
    case 163: return 1258;
    case 177: return 1255;
    case 178: return 1256;
    case 186: return 1257;
    case 204: return 1251;
    case 222: return 874;
    case 238: return 1250;
    default: return 0;
  }
}

}  // namespace

std::string encoding_of_code_page(int code_page) {
  if (code_page == 10000) return "macintosh";
  if (code_page == 65001) return "UTF-8";
  if (code_page == 437 || code_page == 850 || code_page == 852 || code_page == 866) {
    return "IBM" + std::to_string(code_page);
  }
  return "windows-" + std::to_string(code_page);
}

void RtfFonts::begin(int number) {
  current_ = number;
  if (fonts_.size() < kMostFonts) fonts_[number] = {};
}

void RtfFonts::set_charset(int charset) {
  const auto font = fonts_.find(current_);
  if (font == fonts_.end()) return;
  font->second.has_signs = charset == kSigns;
  const int code_page = code_page_of(charset);
  if (code_page != 0) font->second.encoding = encoding_of_code_page(code_page);
}

void RtfFonts::set_code_page(int code_page) {
  const auto font = fonts_.find(current_);
  if (font != fonts_.end() && code_page > 0) font->second.encoding = encoding_of_code_page(code_page);
}

void RtfFonts::add_to_name(char c) {
  const auto font = fonts_.find(current_);
  if (font == fonts_.end() || c == ';' || font->second.name.size() >= kLongestName) return;
  if (c != ' ' || !font->second.name.empty()) font->second.name += c;
}

const RtfFonts::Font* RtfFonts::find(int number) const {
  const auto font = fonts_.find(number);
  return font == fonts_.end() ? nullptr : &font->second;
}

std::string RtfFonts::text_of(int font, std::string_view bytes, std::string_view encoding) const {
  const Font* const known = find(font);
  if (known != nullptr && known->has_signs) {
    std::string text;
    for (const char c : bytes) text += symbol_text(known->name, kOwnCodes + static_cast<unsigned char>(c));
    return text;
  }
  const bool has_own = known != nullptr && !known->encoding.empty();
  auto converted = convert_from(bytes, has_own ? std::string_view(known->encoding) : encoding);
  return converted.ok() ? std::move(*converted) : utf8::sanitise(bytes);
}

std::string RtfFonts::character_of(int font, char32_t character) const {
  const Font* const known = find(font);
  const bool is_own = character >= kOwnCodes && character <= kOwnCodes + 0xff;
  if (known != nullptr && known->has_signs && is_own) return symbol_text(known->name, character);
  std::string text;
  utf8::append(text, character);
  return text;
}

}  // namespace mneme::readers
