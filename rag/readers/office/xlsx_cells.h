// The cells of Excel's sheets since 2007: shared strings, numbers as they are shown, merged cells.
// Internal to rag/readers. Threads: pure functions, values.
#pragma once

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "rag/readers/office/number_format.h"
#include "rag/readers/office/sheet_cells.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {

// All text of a string item: runs of rich text, without phonetic guides.
std::string item_text(const pugi::xml_node& item, int depth = 0);

// The texts that cells refer to by number, as many as limit_bytes of memory hold.
class SharedStrings {
 public:
  explicit SharedStrings(uint64_t limit_bytes) : left_bytes_(limit_bytes) {}

  // Those of the list of items, or of a piece of it, behind those that are there.
  void add(const pugi::xml_node& list);
  const std::vector<std::string>& all() const { return strings_; }
  bool is_full() const { return is_full_; }

 private:
  std::vector<std::string> strings_;
  uint64_t left_bytes_;
  bool is_full_ = false;  // some were left out
};
std::vector<NumberFormat> number_formats(const pugi::xml_document& styles);

// What is written once over several rows, as the rest of a sheet says.
void repeat_merged_cells(const pugi::xml_document& sheet, std::vector<SheetRow>& rows);

class SheetReader {
 public:
  // Borrows strings and styles. text_limit_bytes: of all cells that are read, those of all sheets together.
  SheetReader(const std::vector<std::string>& strings, const CellStyles& styles, uint64_t text_limit_bytes)
      : strings_(strings), styles_(styles), cells_(text_limit_bytes) {}

  // Before the first row of each sheet.
  void begin_sheet() { last_row_ = 0; }
  // The rows of a sheet's data, or of a piece of it, behind those that are there, up to the limit. Rows and cells that
  // do not say where they stand come next to those before them, empty ones counted.
  void add_rows(const pugi::xml_node& data, std::vector<SheetRow>& rows);

  // Cells so far whose text was not among the strings.
  int lost_strings() const { return lost_strings_; }
  // Cells so far with a formula whose result the file does not have: programs that do not calculate write such files.
  int without_results() const { return without_results_; }
  bool is_full() const { return cells_.is_full(); }
  std::string note_of_left_out() const { return cells_.note_of_left_out(); }
  bool is_inflated() const { return cells_.is_inflated(strings_); }

 private:
  void add_cell(const pugi::xml_node& cell, size_t column, SheetRow& row);
  std::string value_of(const pugi::xml_node& cell, const NumberFormat& format);
  const NumberFormat& format_of(const pugi::xml_node& cell) const;

  const std::vector<std::string>& strings_;
  const CellStyles& styles_;
  CellCollector cells_;
  int last_row_ = 0;  // the number of the one before, of this sheet
  int lost_strings_ = 0;
  int without_results_ = 0;
};

}  // namespace mneme::readers
