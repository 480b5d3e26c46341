// Pages and records of a SQLite database, taken apart without SQLite (https://www.sqlite.org/fileformat2.html, sections
// 1.6 and 2.1): SQLite stops at the first page of a table that it cannot read, however much lies behind it.
// Pages are hostile: every offset, length and count is looked at before it is followed.
// Ownership: what is returned borrows the bytes. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace mneme::storage {

enum class PageKind : uint8_t { kIndexInterior = 2, kTableInterior = 5, kIndexLeaf = 10, kTableLeaf = 13 };

constexpr bool is_of_table(PageKind kind) {
  return kind == PageKind::kTableInterior || kind == PageKind::kTableLeaf;
}
constexpr bool is_leaf(PageKind kind) {
  return kind == PageKind::kTableLeaf || kind == PageKind::kIndexLeaf;
}

struct BtreeCell {
  uint32_t left_child = 0;     // of interior pages
  int64_t rowid = 0;           // of tables; in an interior page the largest one below left_child
  uint64_t payload_bytes = 0;  // 0: none (interior pages of tables)
  ByteSpan local{};            // what of the payload lies in this page
  uint32_t overflow = 0;       // the page where it goes on; 0: all of it is here
};

struct BtreePage {
  PageKind kind = PageKind::kTableLeaf;
  std::vector<BtreeCell> cells{};
  uint32_t right_child = 0;  // of interior pages
};

// usable_bytes: of a page, without what is reserved at its end. header_bytes: what stands before the page's own header
// (100 in the first page, else 0). Unset: no page of a tree, or one that contradicts itself; kLeftOut: of a page that
// is known to be damaged, the cells that can be.
enum class BadCells : uint8_t { kRefused, kLeftOut };
std::optional<BtreePage> parse_btree_page(ByteSpan page, size_t usable_bytes, size_t header_bytes,
                                          BadCells bad_cells = BadCells::kRefused);

struct RecordValue {
  enum class Kind { kNull, kInteger, kReal, kText, kBlob };
  Kind kind = Kind::kNull;
  int64_t integer = 0;
  ByteSpan bytes{};  // of texts and blobs
};

std::optional<std::vector<RecordValue>> parse_record(ByteSpan payload);

// Big-endian numbers, as they stand in pages. The caller has looked at the length.
uint32_t read_u32(ByteSpan bytes, size_t at);

}  // namespace mneme::storage
