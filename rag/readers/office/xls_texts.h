// How Excel's files before 2007 write texts: in UTF-16, of which upper halves of zero are left out, with runs of fonts
// (BIFF8), or in bytes of a code page (before 1997). Internal to rag/readers. Threads: immutable once set up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rag/readers/office/biff_records.h"
#include "rag/readers/raised_text.h"

namespace mneme::readers {

class XlsTexts {
 public:
  enum class Count : uint8_t { kOneByte, kTwoBytes };

  // Those before 1997 are written in bytes.
  void set_bytes(bool are_bytes) { are_bytes_ = are_bytes; }
  bool are_bytes() const { return are_bytes_; }
  void set_code_page(int code_page);
  // The fonts, in their order: whether what is set in them is raised.
  void add_font(Shift shift) { fonts_.push_back(shift); }

  // A text behind its count of characters. Raised parts say so.
  std::string read(BiffBytes& bytes, Count count) const;
  // One whose count stands elsewhere.
  std::string read_counted(BiffBytes& bytes, size_t count) const;

 private:
  Shift shift_of(size_t font) const;
  std::string with_shifts(const std::u16string& units, BiffBytes& bytes, size_t n_runs) const;

  bool are_bytes_ = false;
  std::string encoding_ = "windows-1252";
  std::vector<Shift> fonts_;
};

}  // namespace mneme::readers
