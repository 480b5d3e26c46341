#include "storage/catalogue/chunk_lengths.h"

#include <algorithm>
#include <limits>

namespace mneme::storage {
namespace {

constexpr size_t kMostPages = 8192;

}  // namespace

void ChunkLengths::add(ChunkId chunk, uint32_t length) {
  if (chunk <= last_) return;
  last_ = chunk;
  if (length > std::numeric_limits<uint16_t>::max()) return;
  const auto row = static_cast<uint64_t>(chunk);
  if (Page* const page = growing_page(row / kPageRows); page != nullptr) {
    (*page)[row % kPageRows] = static_cast<uint16_t>(length);
  }
}

// The last page, for this object alone; null: no further page may be had.
ChunkLengths::Page* ChunkLengths::growing_page(uint64_t number) {
  if (pages_.empty() || pages_.back().number != number) {
    if (pages_.size() >= kMostPages) return nullptr;
    pages_.push_back({number, std::make_shared<Page>()});
  } else if (pages_.back().page.use_count() > 1) {
    pages_.back().page = std::make_shared<Page>(*pages_.back().page);
  }
  return pages_.back().page.get();
}

const ChunkLengths::Page* ChunkLengths::page(uint64_t number) const {
  const auto at = std::lower_bound(pages_.begin(), pages_.end(), number,
                                   [](const Numbered& page, uint64_t wanted) { return page.number < wanted; });
  return at != pages_.end() && at->number == number ? at->page.get() : nullptr;
}

uint32_t ChunkLengths::of(ChunkId chunk) const {
  const auto row = static_cast<uint64_t>(chunk);
  const Page* const known = page(row / kPageRows);
  return known == nullptr ? 0 : (*known)[row % kPageRows];
}

}  // namespace mneme::storage
