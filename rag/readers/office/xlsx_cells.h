// The cells of Excel's sheets: shared strings, numbers as they are shown, merged cells.
// Internal to rag/readers. Threads: pure functions, values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/office/number_format.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {

struct CellStyles {
  std::vector<NumberFormat> formats;  // by cell style: how it shows numbers
  double first_day = 0;               // kDaysTo1904 where days are counted from then
};

inline constexpr double kDaysTo1904 = 1462;  // from the day that others are counted from

// All text of a string item: runs of rich text, without phonetic guides.
std::string item_text(const pugi::xml_node& item, int depth = 0);

std::vector<std::string> shared_strings(const pugi::xml_document& part);
std::vector<NumberFormat> number_formats(const pugi::xml_document& styles);

// A cell's place by a reference such as "BC12" or "$BC$12".
struct CellPlace {
  size_t column = SIZE_MAX;  // 0-based; SIZE_MAX: none
  int row = 0;               // 1-based; 0: none
};
CellPlace place_of(std::string_view reference);

class SheetReader {
 public:
  // Borrows strings and styles. text_limit_bytes: of all cells that are read, those of all sheets together. A string is
  // stored once and may stand in millions of cells.
  SheetReader(const std::vector<std::string>& strings, const CellStyles& styles, uint64_t text_limit_bytes)
      : strings_(strings), styles_(styles), limit_bytes_(text_limit_bytes) {}

  // The rows of a sheet, up to the limit.
  std::vector<SheetRow> read(const pugi::xml_document& sheet);

  // Cells so far whose text was not among the strings.
  int lost_strings() const { return lost_strings_; }
  // Whether cells were left out for the limit.
  bool is_full() const { return is_full_; }
  // Whether those that were read are a few texts many times, far more than the file holds: nobody's table.
  bool is_inflated() const;

 private:
  void add_cell(const pugi::xml_node& cell, SheetRow& row);
  std::string value_of(const pugi::xml_node& cell, const NumberFormat& format);
  const NumberFormat& format_of(const pugi::xml_node& cell) const;

  const std::vector<std::string>& strings_;
  const CellStyles& styles_;
  const uint64_t limit_bytes_;
  uint64_t n_bytes_ = 0;  // of all cells so far
  uint64_t n_cells_ = 0;
  bool is_full_ = false;
  int lost_strings_ = 0;
};

}  // namespace mneme::readers
