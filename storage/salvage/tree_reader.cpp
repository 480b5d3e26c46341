#include "storage/salvage/tree_reader.h"

#include <algorithm>

namespace mneme::storage {
namespace {

constexpr size_t header_bytes(uint32_t page) {
  return page == 1 ? 100 : 0;
}

}  // namespace

bool TreeLosses::may_have_held(int64_t row) const {
  return std::any_of(ranges.begin(), ranges.end(), [row](const RowSpan& range) { return range.holds(row); });
}

Result<TreeReader> TreeReader::over(DamagedFile& file) {
  TreeReader reader(file);
  MNEME_RETURN_IF_ERROR(reader.meet_free_pages());
  return reader;
}

bool TreeReader::meet(uint32_t page) {
  if (page == 0 || page >= met_.size() || met_[page]) return false;
  met_[page] = true;
  return true;
}

// Each page of the list names the next one and others in no use. What is behind a damaged one was filled with zeros
// when it was freed (secure_delete), so that no tree is seen in it.
Status TreeReader::meet_free_pages() {
  std::vector<std::byte> page;
  uint32_t next = file_.first_free_page();
  while (meet(next)) {
    MNEME_ASSIGN_OR_RETURN(const bool sound, file_.read(next, page));
    if (!sound) return {};
    const size_t n = std::min<size_t>(read_u32(page, 4), file_.usable_bytes() / 4 - 2);
    for (size_t i = 0; i < n; ++i) meet(read_u32(page, 8 + 4 * i));
    next = read_u32(page, 0);
  }
  return {};
}

Status TreeReader::walk(uint32_t root, PageKind kind, TreeLosses& losses, const Visit& visit) {
  kind_ = kind;
  visit_ = &visit;
  return walk_page(root, RowSpan{}, 0, losses);
}

// range: the rows that the page may hold.
Status TreeReader::walk_page(uint32_t number, const RowSpan& range, int depth, TreeLosses& losses) {
  bool sound = depth < kMaxTreeDepth && meet(number);
  std::vector<std::byte> bytes;
  if (sound) {
    MNEME_ASSIGN_OR_RETURN(sound, file_.read(number, bytes));
  }
  std::optional<BtreePage> page;
  if (sound) page = parse_btree_page(bytes, file_.usable_bytes(), header_bytes(number));
  if (!page || is_of_table(page->kind) != is_of_table(kind_)) {
    losses.ranges.push_back(range);
    return {};
  }
  return walk_cells(*page, range, depth, losses);
}

Status TreeReader::walk_cells(const BtreePage& page, RowSpan range, int depth, TreeLosses& losses) {
  for (const BtreeCell& cell : page.cells) {
    if (!is_leaf(page.kind)) {
      const int64_t last = is_of_table(page.kind) ? cell.rowid : range.last;
      MNEME_RETURN_IF_ERROR(walk_page(cell.left_child, {range.first, last}, depth + 1, losses));
      if (is_of_table(page.kind))
        range.first = std::max(range.first, cell.rowid < INT64_MAX ? cell.rowid + 1 : INT64_MAX);
    }
    if (page.kind != PageKind::kTableInterior) MNEME_RETURN_IF_ERROR(give(cell, losses));
  }
  return is_leaf(page.kind) ? Status() : walk_page(page.right_child, range, depth + 1, losses);
}

Status TreeReader::give(const BtreeCell& cell, TreeLosses& losses) {
  MNEME_ASSIGN_OR_RETURN(const bool whole, collect_payload(cell));
  std::optional<std::vector<RecordValue>> values;
  if (whole) values = parse_record(payload_);
  if (values) return (*visit_)({.rowid = cell.rowid, .values = std::move(*values)});
  losses.ranges.push_back({cell.rowid, cell.rowid});
  return {};
}

// Into payload_; false where a page that it goes on in is damaged.
Result<bool> TreeReader::collect_payload(const BtreeCell& cell) {
  payload_.assign(cell.local.begin(), cell.local.end());
  uint32_t next = cell.overflow;
  while (payload_.size() < cell.payload_bytes) {
    if (!meet(next)) return false;
    MNEME_ASSIGN_OR_RETURN(const bool sound, file_.read(next, overflow_));
    if (!sound) return false;
    const uint64_t n = std::min<uint64_t>(cell.payload_bytes - payload_.size(), file_.usable_bytes() - 4);
    payload_.insert(payload_.end(), overflow_.begin() + 4, overflow_.begin() + 4 + static_cast<std::ptrdiff_t>(n));
    next = read_u32(overflow_, 0);
  }
  return true;
}

Status TreeReader::for_each_stray(PageKind kind, const Visit& visit) {
  kind_ = kind;
  visit_ = &visit;
  const std::vector<bool> met_by_walks = met_;
  std::vector<std::byte> bytes;
  TreeLosses nobodys;
  for (uint32_t number = 2; number < met_.size(); ++number) {
    if (met_by_walks[number]) continue;
    MNEME_ASSIGN_OR_RETURN(const bool sound, file_.read(number, bytes));
    if (!sound) continue;
    const std::optional<BtreePage> page = parse_btree_page(bytes, file_.usable_bytes(), 0);
    // The inner pages of an index hold rows, too.
    if (!page || page->kind == PageKind::kTableInterior || is_of_table(page->kind) != is_of_table(kind)) continue;
    for (const BtreeCell& cell : page->cells) MNEME_RETURN_IF_ERROR(give(cell, nobodys));
  }
  met_ = met_by_walks;  // whoever asks next gets the same
  return {};
}

}  // namespace mneme::storage
