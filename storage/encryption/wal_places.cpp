#include "storage/encryption/wal_places.h"

#include <algorithm>

namespace mneme::storage {
namespace {

constexpr int64_t kLogHeadBytes = 32;
constexpr int64_t kFrameHeadBytes = 24;
constexpr int64_t kFrameHeadRoom = 32;

constexpr uint32_t kMagic = 0x377f0682;  // the lowest bit tells the byte order of checksums
constexpr size_t kPageSizeAt = 8;

uint32_t big_endian(ByteSpan bytes) {
  uint32_t value = 0;
  for (const std::byte byte : bytes.first(4)) value = value << 8 | std::to_integer<uint32_t>(byte);
  return value;
}

}  // namespace

std::optional<WalPlaces> WalPlaces::from_head(ByteSpan head) {
  if (head.size() < kLogHeadBytes || (big_endian(head) & ~1u) != kMagic) return std::nullopt;
  const uint32_t page_bytes = big_endian(head.subspan(kPageSizeAt));
  const bool sound = page_bytes >= 512 && page_bytes <= 65536 && (page_bytes & (page_bytes - 1)) == 0;
  return sound ? std::optional(WalPlaces(page_bytes)) : std::nullopt;
}

std::vector<WalPlaces::Piece> WalPlaces::pieces(int64_t offset, int64_t size) const {
  std::vector<Piece> pieces;
  while (size > 0) {
    Piece piece;
    int64_t left = 0;  // to the end of the part
    if (offset < kLogHeadBytes) {
      piece.at = offset;
      left = kLogHeadBytes - offset;
    } else {
      const int64_t frame = (offset - kLogHeadBytes) / (kFrameHeadBytes + page_bytes_);
      const int64_t within = (offset - kLogHeadBytes) % (kFrameHeadBytes + page_bytes_);
      const bool in_head = within < kFrameHeadBytes;
      piece.at = kLogHeadBytes + frame * (kFrameHeadRoom + page_bytes_) + within +
                 (in_head ? 0 : kFrameHeadRoom - kFrameHeadBytes);
      left = in_head ? kFrameHeadBytes - within : kFrameHeadBytes + page_bytes_ - within;
      piece.padding = in_head && size >= left ? kFrameHeadRoom - kFrameHeadBytes : 0;
    }
    piece.size = std::min(left, size);
    pieces.push_back(piece);
    offset += piece.size;
    size -= piece.size;
  }
  return pieces;
}

int64_t WalPlaces::encrypted_size(int64_t log_size) const {
  if (log_size == 0) return 0;
  const Piece last = pieces(log_size - 1, 1).front();
  return last.at + last.size + last.padding;
}

int64_t WalPlaces::log_size(int64_t encrypted_size) const {
  if (encrypted_size <= kLogHeadBytes) return encrypted_size;
  const int64_t frames = (encrypted_size - kLogHeadBytes) / (kFrameHeadRoom + page_bytes_);
  const int64_t rest = (encrypted_size - kLogHeadBytes) % (kFrameHeadRoom + page_bytes_);
  const int64_t of_frame =
      rest < kFrameHeadRoom ? std::min(rest, kFrameHeadBytes) : rest - kFrameHeadRoom + kFrameHeadBytes;
  return kLogHeadBytes + frames * (kFrameHeadBytes + page_bytes_) + of_frame;
}

}  // namespace mneme::storage
