#include "rag/readers/office/biff_records.h"

#include <algorithm>

#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

constexpr size_t kHeader = 4;
constexpr uint16_t kContinue = 0x3c;

}  // namespace

bool BiffRecords::next(BiffRecord& record) {
  record.pieces.clear();
  record.place = at_;
  record.type = u16_at(stream_, at_);
  if (!take_piece(record)) return false;
  while (at_ + kHeader <= stream_.size() && u16_at(stream_, at_) == kContinue && take_piece(record)) {
  }
  return true;
}

bool BiffRecords::take_piece(BiffRecord& record) {
  if (at_ > stream_.size() || stream_.size() - at_ < kHeader) return false;
  const size_t size = u16_at(stream_, at_ + 2);
  if (stream_.size() - at_ - kHeader < size) return false;
  record.pieces.push_back(stream_.substr(at_ + kHeader, size));
  at_ += kHeader + size;
  return true;
}

bool BiffBytes::find_bytes() {
  while (left() == 0 && piece_ + 1 < pieces_.size()) {
    ++piece_;
    at_ = 0;
  }
  ok_ = ok_ && left() > 0;
  return ok_;
}

uint8_t BiffBytes::u8() {
  return find_bytes() ? u8_at(pieces_[piece_], at_++) : uint8_t{0};
}

uint16_t BiffBytes::u16() {
  const uint16_t low = u8();
  return static_cast<uint16_t>(low | u8() << 8);
}

uint32_t BiffBytes::u32() {
  const uint32_t low = u16();
  return low | uint32_t{u16()} << 16;
}

void BiffBytes::skip(size_t count) {
  while (count > 0 && find_bytes()) {
    const size_t some = std::min(count, left());
    at_ += some;
    count -= some;
  }
}

void BiffBytes::begin_piece(size_t number) {
  piece_ = number;
  at_ = 0;
  ok_ = ok_ && number < pieces_.size();
}

std::string BiffBytes::bytes(size_t count) {
  std::string all;
  while (all.size() < count && find_bytes()) {
    const std::string_view some = pieces_[piece_].substr(at_, count - all.size());
    all += some;
    at_ += some.size();
  }
  return all;
}

std::u16string BiffBytes::characters(size_t count, bool is_wide) {
  std::u16string units;
  while (units.size() < count) {
    if (left() == 0) {
      if (!find_bytes()) break;
      is_wide = (u8() & 1) != 0;
      continue;
    }
    const size_t size = is_wide ? 2 : 1;
    if (left() < size) {  // half a character
      ok_ = false;
      break;
    }
    units.push_back(is_wide ? char16_t{u16_at(pieces_[piece_], at_)} : char16_t{u8_at(pieces_[piece_], at_)});
    at_ += size;
  }
  return units;
}

}  // namespace mneme::readers
