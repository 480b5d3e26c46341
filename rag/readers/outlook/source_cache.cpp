#include "rag/readers/outlook/source_cache.h"

#include <algorithm>

namespace mneme::readers {
namespace {

constexpr size_t kPiece = size_t{32} << 10;
constexpr size_t kMostPieces = 256;

}  // namespace

Result<const std::string*> SourceCache::piece(uint64_t number) {
  if (const auto known = known_.find(number); known != known_.end()) {
    pieces_.splice(pieces_.begin(), pieces_, known->second);
    return &pieces_.front().bytes;
  }
  Piece piece{.number = number, .bytes = std::string(kPiece, '\0')};
  MNEME_ASSIGN_OR_RETURN(const size_t got, context_->fetch(*name_, *source_, number * kPiece, piece.bytes));
  piece.bytes.resize(got);
  if (pieces_.size() >= kMostPieces) {
    known_.erase(pieces_.back().number);
    pieces_.pop_back();
  }
  pieces_.push_front(std::move(piece));
  known_[number] = pieces_.begin();
  return &pieces_.front().bytes;
}

Result<std::string> SourceCache::read(uint64_t at, size_t size) {
  std::string bytes;
  if (at >= source_->size()) return bytes;
  size = static_cast<size_t>(std::min<uint64_t>(size, source_->size() - at));
  bytes.reserve(size);
  while (bytes.size() < size) {
    const uint64_t place = at + bytes.size();
    MNEME_ASSIGN_OR_RETURN(const std::string* const held, piece(place / kPiece));
    const size_t within = place % kPiece;
    if (within >= held->size()) break;
    bytes.append(*held, within, size - bytes.size());
  }
  return bytes;
}

}  // namespace mneme::readers
