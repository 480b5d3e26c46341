#include "rag/readers/office/ppt_records.h"

#include <algorithm>

#include "rag/readers/office/little_endian.h"

namespace mneme::readers {

bool PptRecords::next(PptRecord& record) {
  constexpr size_t kHeader = 8;
  constexpr uint16_t kContainer = 0xf;
  if (at_ > bytes_.size() || bytes_.size() - at_ < kHeader) return false;
  const uint16_t kind = u16_at(bytes_, at_);
  const size_t size = u32_at(bytes_, at_ + 4);
  const size_t left = bytes_.size() - at_ - kHeader;
  record = {u16_at(bytes_, at_ + 2), static_cast<uint16_t>(kind >> 4), (kind & 0xf) == kContainer, size > left,
            bytes_.substr(at_ + kHeader, size)};
  at_ += kHeader + std::min(size, left);
  return true;
}

PptRecord child_of_type(std::string_view body, uint16_t type) {
  PptRecords records(body);
  PptRecord record;
  while (records.next(record)) {
    if (record.type == type) return record;
  }
  return {};
}

}  // namespace mneme::readers
