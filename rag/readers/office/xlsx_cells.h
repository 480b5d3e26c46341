// The cells of Excel's sheets: shared strings, numbers as they are shown, merged cells.
// Internal to rag/readers. Threads: pure functions, values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/office_common.h"

namespace mneme::readers {

enum class NumberForm : uint8_t { kPlain, kDate, kTime, kDuration, kPercent };

struct CellStyles {
  std::vector<NumberForm> forms;  // by cell style: how it shows numbers
  double first_day = 0;           // kDaysTo1904 where days are counted from then
};

inline constexpr double kDaysTo1904 = 1462;  // from the day that others are counted from

// All text of a string item: runs of rich text, without phonetic guides.
std::string item_text(const pugi::xml_node& item, int depth = 0);

std::vector<std::string> shared_strings(const pugi::xml_document& part);
std::vector<NumberForm> number_forms(const pugi::xml_document& styles);

// A cell's place by a reference such as "BC12" or "$BC$12".
struct CellPlace {
  size_t column = SIZE_MAX;  // 0-based; SIZE_MAX: none
  int row = 0;               // 1-based; 0: none
};
CellPlace place_of(std::string_view reference);

class SheetReader {
 public:
  // Borrows both.
  SheetReader(const std::vector<std::string>& strings, const CellStyles& styles) : strings_(strings), styles_(styles) {}

  std::vector<SheetRow> read(const pugi::xml_document& sheet);

  // Cells so far whose text was not among the strings.
  int lost_strings() const { return lost_strings_; }

 private:
  void add_cell(const pugi::xml_node& cell, std::vector<std::string>& cells);
  std::string value_of(const pugi::xml_node& cell);

  const std::vector<std::string>& strings_;
  const CellStyles& styles_;
  int lost_strings_ = 0;
};

}  // namespace mneme::readers
