// The rows of a damaged catalogue's tables and indexes (SQLite's trees of pages), without those in pages that cannot be
// read. It goes around them, and tells which rows may have been there.
//
// Where what is damaged leads to other pages, these are still in the file, but nothing leads to them any more:
// for_each_stray() gives what they hold. Pages in no use are not among them, so nothing comes back that was removed.
// Ownership: borrows the file. Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/status.h"
#include "storage/salvage/btree_page.h"
#include "storage/salvage/damaged_file.h"

namespace mneme::storage {

// SQLite's own bound; trees of catalogues are three or four pages high.
inline constexpr int kMaxTreeDepth = 20;

struct SalvagedRow {
  int64_t rowid = 0;  // of tables
  std::vector<RecordValue> values{};
};

// Numbers of rows, from the first to the last.
struct RowSpan {
  int64_t first = INT64_MIN;
  int64_t last = INT64_MAX;
  bool holds(int64_t row) const { return first <= row && row <= last; }
};

// What of a tree could not be read.
struct TreeLosses {
  std::vector<RowSpan> ranges{};  // of an index: one for each place, saying nothing
  bool any() const { return !ranges.empty(); }
  bool may_have_held(int64_t row) const;
};

class TreeReader {
 public:
  // The values are valid during the call.
  using Visit = std::function<Status(const SalvagedRow& row)>;

  static Result<TreeReader> over(DamagedFile& file);

  // The rows of the tree that begins at page `root`, in their order. kind: of its leaves.
  Status walk(uint32_t root, PageKind kind, TreeLosses& losses, const Visit& visit);
  // Rows in pages of this kind that no walk has come by: to be called after all walks.
  Status for_each_stray(PageKind kind, const Visit& visit);

 private:
  explicit TreeReader(DamagedFile& file) : file_(file), met_(size_t{file.n_pages()} + 1) {}
  Status meet_free_pages();
  Status walk_page(uint32_t page, const RowSpan& range, int depth, TreeLosses& losses);
  Status walk_cells(const BtreePage& page, RowSpan range, int depth, TreeLosses& losses);
  Status give(const BtreeCell& cell, TreeLosses& losses);
  Result<bool> collect_payload(const BtreeCell& cell);
  // False where a tree cannot go there: it has been there, or it is no page.
  bool meet(uint32_t page);

  DamagedFile& file_;
  std::vector<bool> met_;
  // Of the walk under way.
  PageKind kind_ = PageKind::kTableLeaf;
  const Visit* visit_ = nullptr;
  std::vector<std::byte> payload_;
  std::vector<std::byte> overflow_;
};

}  // namespace mneme::storage
