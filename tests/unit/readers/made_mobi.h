// A book for Kindle as Mobipocket's programs wrote them, made in memory: a database of Palm's with two records, what
// the book is and its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers::test {

// In windows-1252.
inline constexpr std::string_view kMobiPages =
    "<html><head></head><body><p><font size=\"7\"><b>One</b></font></p><p>It was low tide, f\xfcr \xc4nne.</p>"
    "<mbp:pagebreak/><p><font size=\"5\"><b>Inner</b></font></p><ul><li>first</li></ul></body></html>";

inline std::string big_endian_32(uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}
inline std::string big_endian_16(uint16_t value) {
  return big_endian_32(value).substr(2);
}

struct MobiBook {
  std::string_view kind = "BOOKMOBI";
  std::string text = std::string(kMobiPages);
  uint16_t compression = 1;  // 1: none; 2: Palm's
  uint16_t encryption = 0;
  uint32_t text_length = 0;  // what the book says; 0: the truth
};

inline std::string exth(uint32_t tag, std::string_view value) {
  return big_endian_32(tag) + big_endian_32(static_cast<uint32_t>(value.size() + 8)) + std::string(value);
}

inline std::string first_record(const MobiBook& book) {
  std::string record = big_endian_16(book.compression) + big_endian_16(0);
  record += big_endian_32(book.text_length ? book.text_length : static_cast<uint32_t>(book.text.size()));
  record += big_endian_16(1) + big_endian_16(4096) + big_endian_16(book.encryption) + big_endian_16(0);
  if (book.kind != "BOOKMOBI") return record;
  constexpr uint32_t kHeader = 232;
  std::string header =
      "MOBI" + big_endian_32(kHeader) + big_endian_32(2) + big_endian_32(1252) + big_endian_32(1) + big_endian_32(6);
  while (header.size() < kHeader) header += big_endian_32(0xffffffff);
  header.replace(128 - 16, 4, big_endian_32(0x40));  // there is metadata
  header.replace(242 - 16, 2, big_endian_16(0));     // nothing behind the text of a record
  const std::string entries = exth(100, "Ruth Amsel") + exth(503, "The Net Loft") + exth(106, "2031-05-09");
  return record + header + "EXTH" + big_endian_32(static_cast<uint32_t>(entries.size() + 12)) + big_endian_32(3) +
         entries + std::string(4, '\0');
}

inline std::string make_mobi(const MobiBook& book) {
  const std::vector<std::string> records = {first_record(book), book.text};
  std::string file = "Loft";
  file.resize(60);
  file += std::string(book.kind) + std::string(8, '\0') + big_endian_16(static_cast<uint16_t>(records.size()));
  size_t at = file.size() + records.size() * 8 + 2;
  for (const std::string& record : records) {
    file += big_endian_32(static_cast<uint32_t>(at)) + std::string(4, '\0');
    at += record.size();
  }
  file += std::string(2, '\0');
  for (const std::string& record : records) file += record;
  return file;
}

}  // namespace mneme::readers::test
