#include "rag/readers/office/defined_names.h"

#include <utility>

#include "rag/readers/office/sheet_cells.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostNames = 10'000;
constexpr size_t kLongestFormula = 300;

// "'Ann''s sheet'" to "Ann's sheet".
std::string unquoted(std::string_view sheet) {
  if (!sheet.starts_with('\'') || !sheet.ends_with('\'') || sheet.size() < 2) return std::string(sheet);
  std::string name;
  for (size_t i = 1; i + 1 < sheet.size(); ++i) {
    name.push_back(sheet[i]);
    if (sheet[i] == '\'' && i + 2 < sheet.size() && sheet[i + 1] == '\'') ++i;
  }
  return name;
}

// "$B$2" or "$B$2:$C$9".
bool is_cells(std::string_view text) {
  return !text.empty() && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$:") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

std::string shown_in(const std::vector<SheetRow>& rows, std::string_view cells) {
  if (cells.find(':') != std::string_view::npos) return {};
  const CellPlace place = place_of(cells);
  const SheetRow* row = row_numbered(rows, place.row);
  return row != nullptr && place.column < row->cells.size() ? row->cells[place.column] : std::string();
}

}  // namespace

void DefinedNames::add(std::string name, std::string refers_to, bool is_hidden) {
  const bool is_own = is_hidden || name.starts_with("_xl");
  const bool is_broken = refers_to.find("#REF!") != std::string::npos || refers_to.size() > kLongestFormula;
  if (is_own || is_broken || names_.size() >= kMostNames) return;
  Name known{std::move(name), std::move(refers_to), {}, {}};
  const size_t mark = known.refers_to.rfind('!');
  if (mark != std::string::npos && is_cells(std::string_view(known.refers_to).substr(mark + 1))) {
    known.sheet = unquoted(std::string_view(known.refers_to).substr(0, mark));
    known.cells = known.refers_to.substr(mark + 1);
  }
  names_.push_back(std::move(known));
}

void DefinedNames::add_of_sheet(std::string_view sheet, const std::vector<SheetRow>& rows,
                                DocumentBuilder& builder) const {
  bool first = true;
  for (const Name& name : names_) {
    if (name.cells.empty() || name.sheet != sheet) continue;
    if (std::exchange(first, false)) builder.heading(2, "Defined names");
    builder.table_row({name.name, name.refers_to, shown_in(rows, name.cells)});
  }
}

void DefinedNames::add_others(DocumentBuilder& builder) const {
  bool first = true;
  for (const Name& name : names_) {
    if (!name.cells.empty()) continue;
    if (std::exchange(first, false)) builder.heading(1, "Defined names");
    builder.table_row({name.name, name.refers_to});
  }
}

}  // namespace mneme::readers
