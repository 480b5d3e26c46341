#include "rag/readers/picture/picture_facts.h"

#include <algorithm>

namespace mneme::readers {
namespace {

using std::string_view_literals::operator""sv;

constexpr size_t kMostPages = 1000;     // of a TIFF
constexpr size_t kMostEntries = 4096;   // of one of its pages
constexpr size_t kMostSegments = 4096;  // of a JPEG

uint64_t number_at(std::string_view bytes, size_t at, size_t size, bool big_endian) {
  uint64_t value = 0;
  if (at > bytes.size() || bytes.size() - at < size) return 0;
  for (size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[at + (big_endian ? i : size - 1 - i)]);
    value = value << 8 | byte;
  }
  return value;
}
uint64_t big(std::string_view bytes, size_t at, size_t size) {
  return number_at(bytes, at, size, true);
}
uint64_t little(std::string_view bytes, size_t at, size_t size) {
  return number_at(bytes, at, size, false);
}

bool is_tiff(std::string_view bytes) {
  return bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv);
}

void take_larger(uint64_t width, uint64_t height, PictureFacts& facts) {
  if (width == 0 || height == 0) return;
  if (facts.width == 0 || width > facts.width * facts.height / height) {
    facts.width = width;
    facts.height = height;
  }
}

// The pages of a TIFF, which Exif is written as, too.
PictureFacts facts_of_tiff(std::string_view bytes) {
  constexpr uint64_t kWidth = 256;
  constexpr uint64_t kHeight = 257;
  constexpr uint64_t kOrientation = 274;
  constexpr uint64_t kShort = 3;
  constexpr size_t kEntryBytes = 12;
  const bool big_endian = bytes.starts_with("MM");
  const auto number = [&](size_t at, size_t size) { return number_at(bytes, at, size, big_endian); };
  PictureFacts facts;
  uint64_t page = number(4, 4);
  for (size_t n = 0; n < kMostPages && page != 0 && page < bytes.size(); ++n) {
    const size_t n_entries = std::min<size_t>(number(page, 2), kMostEntries);
    uint64_t width = 0;
    uint64_t height = 0;
    for (size_t i = 0; i < n_entries; ++i) {
      const size_t entry = page + 2 + i * kEntryBytes;
      const uint64_t tag = number(entry, 2);
      const uint64_t value = number(entry + 8, number(entry + 2, 2) == kShort ? 2 : 4);
      if (tag == kWidth) width = value;
      if (tag == kHeight) height = value;
      if (tag == kOrientation && n == 0 && value >= 1 && value <= 8) facts.orientation = static_cast<int>(value);
    }
    take_larger(width, height, facts);
    page = number(page + 2 + n_entries * kEntryBytes, 4);
  }
  return facts;
}

PictureFacts facts_of_jpeg(std::string_view bytes) {
  PictureFacts facts;
  size_t at = 2;
  for (size_t n = 0; n < kMostSegments && at + 4 <= bytes.size() && bytes[at] == '\xff'; ++n) {
    const auto marker = static_cast<unsigned char>(bytes[at + 1]);
    const size_t size = big(bytes, at + 2, 2);
    const std::string_view segment = bytes.substr(at + 4, size < 2 ? 0 : size - 2);
    const bool frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (marker == 0xe1 && segment.starts_with("Exif\0\0"sv))
      facts.orientation = facts_of_tiff(segment.substr(6)).orientation;
    if (frame) take_larger(big(segment, 3, 2), big(segment, 1, 2), facts);
    if (frame || marker == 0xda || size < 2) break;
    at += 2 + size;
  }
  return facts;
}

PictureFacts facts_of_webp(std::string_view bytes) {
  PictureFacts facts;
  const std::string_view chunk = bytes.substr(std::min<size_t>(12, bytes.size()), 4);
  if (chunk == "VP8X") take_larger(little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1, facts);
  if (chunk == "VP8 ") take_larger(little(bytes, 26, 2) & 0x3fff, little(bytes, 28, 2) & 0x3fff, facts);
  if (chunk == "VP8L") {
    const uint64_t bits = little(bytes, 21, 4);
    take_larger((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1, facts);
  }
  return facts;
}

bool is_jpeg(std::string_view bytes) {
  return bytes.starts_with("\xff\xd8\xff");
}
bool is_png(std::string_view bytes) {
  return bytes.starts_with("\x89PNG\r\n\x1a\n");
}
bool is_webp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP");
}
// "BM" begins many a text: the size of its second head tells.
bool is_bmp(std::string_view bytes) {
  const uint64_t head = little(bytes, 14, 4);
  return bytes.starts_with("BM") &&
         (head == 12 || head == 40 || head == 52 || head == 56 || head == 108 || head == 124);
}

}  // namespace

bool is_picture(std::string_view beginning) {
  return is_jpeg(beginning) || is_png(beginning) || is_tiff(beginning) || is_webp(beginning) || is_bmp(beginning);
}

PictureFacts picture_facts(std::string_view bytes) {
  PictureFacts facts;
  if (is_tiff(bytes)) facts = facts_of_tiff(bytes);
  if (is_jpeg(bytes)) facts = facts_of_jpeg(bytes);
  if (is_webp(bytes)) facts = facts_of_webp(bytes);
  if (is_png(bytes)) take_larger(big(bytes, 16, 4), big(bytes, 20, 4), facts);
  if (is_bmp(bytes)) {
    const uint64_t height = little(bytes, 22, 4);  // one that counts down is negative
    take_larger(little(bytes, 18, 4), height > 0x7fffffff ? 0x100000000 - height : height, facts);
  }
  return facts;
}

}  // namespace mneme::readers
