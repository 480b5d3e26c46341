// The records that PowerPoint's files before 2007 are made of (MS-PPT 2.3.1; drawings: MS-ODRAW 2.2.1): each holds
// bytes or further records. Internal to rag/readers. Ownership: borrow the bytes. Threads: values, pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mneme::readers {

struct PptRecord {
  uint16_t type = 0;
  uint16_t instance = 0;
  bool is_container = false;
  bool is_cut = false;  // the bytes end before it does
  std::string_view body;
};

// Those one behind the other in some bytes.
class PptRecords {
 public:
  explicit PptRecords(std::string_view bytes, size_t at = 0) : bytes_(bytes), at_(at) {}

  bool next(PptRecord& record);

 private:
  std::string_view bytes_;
  size_t at_;
};

// The first of that type among those that `body` holds; an empty one of type 0 where there is none.
PptRecord child_of_type(std::string_view body, uint16_t type);

}  // namespace mneme::readers
