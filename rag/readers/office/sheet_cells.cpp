#include "rag/readers/office/sheet_cells.h"

#include <algorithm>
#include <utility>

namespace mneme::readers {
namespace {

constexpr size_t kWidestGap = 64;     // empty cells in a row that are kept as such
constexpr int kMostMerged = 100'000;  // cells that say what the merged cell above them says

// 0-based column of a reference such as "BC12"; SIZE_MAX when it names none.
size_t column_of(std::string_view reference) {
  size_t column = 0;
  size_t letters = 0;
  for (const char c : reference) {
    if (c < 'A' || c > 'Z' || letters == 3) break;
    column = column * 26 + static_cast<size_t>(c - 'A' + 1);
    ++letters;
  }
  return letters == 0 ? SIZE_MAX : column - 1;
}

// 12 of "BC12".
int row_of(std::string_view reference) {
  return to_int(reference.substr(std::min(reference.find_first_of("0123456789"), reference.size())), 0);
}

}  // namespace

const NumberFormat& CellStyles::format_of(size_t style) const {
  static const NumberFormat kPlain;
  return style < formats.size() ? formats[style] : kPlain;
}

CellPlace place_of(std::string_view reference) {
  CellPlace place;
  if (reference.starts_with('$')) reference.remove_prefix(1);
  place.column = column_of(reference);
  place.row = row_of(reference);
  return place;
}

std::string column_name(size_t column) {
  std::string name;
  for (size_t left = column + 1; left > 0; left = (left - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('A' + (left - 1) % 26));
  }
  return name;
}

void repeat_merged(const std::vector<MergedCells>& merged, std::vector<SheetRow>& rows) {
  int left = kMostMerged;
  for (const MergedCells& cells : merged) {
    const size_t column = cells.first.column;
    const auto first = std::lower_bound(rows.begin(), rows.end(), cells.first.row,
                                        [](const SheetRow& row, int n) { return row.number < n; });
    if (first == rows.end() || first->number != cells.first.row || column >= first->cells.size()) continue;
    const std::string text = first->cells[column];
    if (text.size() > kLongestLabel) continue;
    for (auto row = first + 1; row != rows.end() && row->number <= cells.last_row && left > 0; ++row, --left) {
      if (row->cells.size() <= column) row->cells.resize(column + 1);
      if (row->cells[column].empty()) row->cells[column] = text;
    }
  }
}

void CellCollector::add(std::string text, size_t column, const NumberFormat& format, SheetRow& row) {
  std::vector<std::string>& cells = row.cells;
  if (is_full_ || cells.size() >= kMostColumns || text.empty()) return;
  is_full_ = text.size() > limit_bytes_ - n_bytes_ || n_cells_ == kMostCells;
  if (is_full_) return;
  n_bytes_ += text.size();
  ++n_cells_;
  row.has_amounts = row.has_amounts || format.says_more_than_digits();
  while (column != SIZE_MAX && cells.size() < column && column - cells.size() <= kWidestGap) cells.emplace_back();
  cells.push_back(std::move(text));
}

std::string CellCollector::note_of_left_out() const {
  const std::string limit = n_cells_ == kMostCells ? std::to_string(kMostCells / 1'000'000) + " million"
                                                   : std::to_string(limit_bytes_ >> 20) + " MiB of text";
  return "cells beyond " + limit + " were left out";
}

bool CellCollector::is_inflated(const std::vector<std::string>& stored_texts) const {
  constexpr uint64_t kBytesOfCell = 24;  // of what names a text
  constexpr uint64_t kMostTimes = 8;
  uint64_t stored = n_cells_ * kBytesOfCell;
  for (const std::string& text : stored_texts) stored += text.size();
  return n_bytes_ / kMostTimes > stored;
}

}  // namespace mneme::readers
