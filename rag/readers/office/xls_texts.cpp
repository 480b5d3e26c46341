#include "rag/readers/office/xls_texts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "rag/readers/office/rtf_fonts.h"
#include "rag/readers/office/utf16_text.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

// Flags of a text.
constexpr uint8_t kIsWide = 0x01;
constexpr uint8_t kHasPhonetic = 0x04;
constexpr uint8_t kHasRuns = 0x08;

}  // namespace

void XlsTexts::set_code_page(int code_page) {
  constexpr int kAscii = 367;
  constexpr int kMac = 0x8000;
  constexpr int kWindows = 0x8001;
  constexpr int kUtf16 = 1200;
  if (code_page == kAscii || code_page == kWindows || code_page == kUtf16 || code_page == 0) return;
  encoding_ = encoding_of_code_page(code_page == kMac ? 10000 : code_page);
}

std::string XlsTexts::read(BiffBytes& bytes, Count count) const {
  return read_counted(bytes, count == Count::kOneByte ? bytes.u8() : bytes.u16());
}

std::string XlsTexts::read_counted(BiffBytes& bytes, size_t count) const {
  if (are_bytes_) {
    const std::string written = bytes.bytes(count);
    auto text = convert_from(written, encoding_);
    return text.ok() ? std::move(*text) : utf8::sanitise(written);
  }
  const uint8_t flags = bytes.u8();
  const size_t n_runs = (flags & kHasRuns) != 0 ? bytes.u16() : 0;
  const size_t phonetic_size = (flags & kHasPhonetic) != 0 ? bytes.u32() : 0;
  const std::u16string units = bytes.characters(count, (flags & kIsWide) != 0);
  std::string text = with_shifts(units, bytes, n_runs);
  bytes.skip(phonetic_size);
  return text;
}

// Each run says from which character on which font is used.
std::string XlsTexts::with_shifts(const std::u16string& units, BiffBytes& bytes, size_t n_runs) const {
  std::string text;
  size_t done = 0;
  Shift shift = Shift::kNone;
  const auto append_up_to = [&](size_t end) {
    if (end <= done) return;
    append_shifted(text, utf8_of(std::u16string_view(units).substr(done, end - done)), shift);
    done = end;
  };
  for (size_t i = 0; i < n_runs && bytes.ok(); ++i) {
    append_up_to(std::min<size_t>(bytes.u16(), units.size()));
    shift = shift_of(bytes.u16());
  }
  append_up_to(units.size());
  return text;
}

// There is no font of the number 4.
Shift XlsTexts::shift_of(size_t font) const {
  const size_t index = font > 4 ? font - 1 : font;
  return index < fonts_.size() ? fonts_[index] : Shift::kNone;
}

}  // namespace mneme::readers
