// What workbooks of every kind have in common: cells in rows, within a limit; what merged cells say; places of cells.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/office/number_format.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {

struct CellStyles {
  std::vector<NumberFormat> formats;  // by cell style: how it shows numbers
  double first_day = 0;               // kDaysTo1904 where days are counted from then

  // The plain one where there is no such style.
  const NumberFormat& format_of(size_t style) const;
};

inline constexpr double kDaysTo1904 = 1462;  // from the day that others are counted from

// A cell's place by a reference such as "BC12" or "$BC$12".
struct CellPlace {
  size_t column = SIZE_MAX;  // 0-based; SIZE_MAX: none
  int row = 0;               // 1-based; 0: none
};
CellPlace place_of(std::string_view reference);
// "BC" of a column counted from 0.
std::string column_name(size_t column);

// Cells that show what the first of them says.
struct MergedCells {
  CellPlace first;
  int last_row = 0;
};
// What is written once over several rows is true of each of them.
void repeat_merged(const std::vector<MergedCells>& merged, std::vector<SheetRow>& rows);

// Takes the cells of all sheets of a workbook. A text is stored once and may stand in millions of cells.
class CellCollector {
 public:
  static constexpr uint64_t kMostCells = 20'000'000;

  explicit CellCollector(uint64_t text_limit_bytes) : limit_bytes_(text_limit_bytes) {}

  // Empty texts are passed over. column: SIZE_MAX: the next one. format: of a number, the plain one of all else.
  void add(std::string text, size_t column, const NumberFormat& format, SheetRow& row);

  // Whether cells were left out for the limit, of texts or of cells.
  bool is_full() const { return is_full_; }
  // A note that says so.
  std::string note_of_left_out() const;
  // Whether those that were read are a few texts many times, far more than the file holds: nobody's table.
  bool is_inflated(const std::vector<std::string>& stored_texts) const;

 private:
  const uint64_t limit_bytes_;
  uint64_t n_bytes_ = 0;  // of all cells so far
  uint64_t n_cells_ = 0;
  bool is_full_ = false;
};

}  // namespace mneme::readers
