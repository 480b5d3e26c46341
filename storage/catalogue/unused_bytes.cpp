#include "storage/catalogue/unused_bytes.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace mneme::storage {
namespace {

constexpr size_t kLeafHeaderBytes = 8;
constexpr size_t kInteriorHeaderBytes = 12;
constexpr size_t kBlockHeadBytes = 4;  // where the next freed block is, and how long this one

size_t number_at(ByteSpan page, size_t at) {
  return std::to_integer<size_t>(page[at]) << 8 | std::to_integer<size_t>(page[at + 1]);
}

struct Gap {
  size_t begin = 0;
  size_t end = 0;
};

std::optional<size_t> list_begin(ByteSpan page, size_t header) {
  if (page.size() < header + kInteriorHeaderBytes) return std::nullopt;
  switch (std::to_integer<int>(page[header])) {
    case 2:
    case 5: return header + kInteriorHeaderBytes;
    case 10:
    case 13: return header + kLeafHeaderBytes;
    default: return std::nullopt;
  }
}

std::optional<Gap> gap_of(ByteSpan page, size_t header) {
  const std::optional<size_t> list = list_begin(page, header);
  if (!list) return std::nullopt;
  const size_t n_cells = number_at(page, header + 3);
  const size_t said = number_at(page, header + 5);
  const Gap gap{.begin = *list + 2 * n_cells, .end = said == 0 ? 65536 : said};
  if (gap.begin > gap.end || gap.end > page.size()) return std::nullopt;
  for (size_t i = 0; i < n_cells; ++i) {
    const size_t cell = number_at(page, *list + 2 * i);
    if (cell < gap.end || cell >= page.size()) return std::nullopt;
  }
  return gap;
}

bool holds_something(ByteSpan bytes) {
  if (bytes.empty()) return false;
  return bytes[0] != std::byte{0} || std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) != 0;
}

bool freed_blocks_hold_something(ByteSpan page, size_t header, size_t cells) {
  size_t lowest = cells;
  for (size_t block = number_at(page, header + 1); block != 0;) {
    if (block < lowest || page.size() - block < kBlockHeadBytes) return true;  // no list that SQLite has made
    const size_t size = number_at(page, block + 2);
    if (size < kBlockHeadBytes || size > page.size() - block) return true;
    if (holds_something(page.subspan(block + kBlockHeadBytes, size - kBlockHeadBytes))) return true;
    lowest = block + size;
    block = number_at(page, block);
    if (block >= page.size()) return true;
  }
  return false;
}

}  // namespace

void clear_gap(MutableByteSpan page, size_t header_bytes) {
  const std::optional<Gap> gap = gap_of(page, header_bytes);
  if (gap) std::fill(page.begin() + gap->begin, page.begin() + gap->end, std::byte{0});
}

bool holds_leftovers(ByteSpan page, size_t header_bytes) {
  const std::optional<Gap> gap = gap_of(page, header_bytes);
  if (!gap) return false;
  return holds_something(page.subspan(gap->begin, gap->end - gap->begin)) ||
         freed_blocks_hold_something(page, header_bytes, gap->end);
}

}  // namespace mneme::storage
