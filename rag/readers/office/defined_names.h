// The names that a workbook gives to cells, ranges and numbers. Internal to rag/readers. Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/office_common.h"

namespace mneme::readers {

class DefinedNames {
 public:
  // One that people have given: what Excel keeps for itself (areas of print, filters) and what is broken is passed
  // over. refers_to: "Rates!$B$2", a number, a formula.
  void add(std::string name, std::string refers_to, bool is_hidden);

  // Writes the names of cells of this sheet, each with what stands there ("VAT | Rates!$B$2 | 19%").
  void add_of_sheet(std::string_view sheet, const std::vector<SheetRow>& rows, DocumentBuilder& builder) const;
  // Those that stand for a number or a formula.
  void add_others(DocumentBuilder& builder) const;

 private:
  struct Name {
    std::string name;
    std::string refers_to;
    std::string sheet;  // "": none
    std::string cells;  // "$B$2" or a range of them
  };
  std::vector<Name> names_;
};

}  // namespace mneme::readers
