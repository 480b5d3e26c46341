#include "rag/readers/office/xlsx_cells.h"

#include <algorithm>
#include <map>

#include "rag/readers/office/zip_package.h"
#include "rag/readers/raised_text.h"

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

// What is written once over several rows is true of each of them.
void repeat_merged(const pugi::xml_document& sheet, std::vector<SheetRow>& rows) {
  int left = kMostMerged;
  for (const pugi::xml_node merged : child_named(sheet.document_element(), "mergeCells").children()) {
    const std::string_view range = attribute_named(merged, "ref");
    const CellPlace first_cell = place_of(range);
    const int bottom = place_of(range.substr(std::min(range.find(':') + 1, range.size()))).row;
    const size_t column = first_cell.column;
    const auto first = std::lower_bound(rows.begin(), rows.end(), first_cell.row,
                                        [](const SheetRow& row, int n) { return row.number < n; });
    if (first == rows.end() || first->number != first_cell.row || column >= first->cells.size()) continue;
    const std::string text = first->cells[column];
    if (text.size() > kLongestLabel) continue;
    for (auto row = first + 1; row != rows.end() && row->number <= bottom && left > 0; ++row, --left) {
      if (row->cells.size() <= column) row->cells.resize(column + 1);
      if (row->cells[column].empty()) row->cells[column] = text;
    }
  }
}

Shift shift_of(const pugi::xml_node& run) {
  const std::string_view place = attribute_named(child_named(child_named(run, "rPr"), "vertAlign"), "val");
  if (place == "superscript") return Shift::kRaised;
  return place == "subscript" ? Shift::kLowered : Shift::kNone;
}

}  // namespace

std::string item_text(const pugi::xml_node& item, int depth) {
  std::string text;
  for (const pugi::xml_node child : item.children()) {
    const std::string_view name = local_name(child);
    if (name == "t") text += child.child_value();
    if (name == "r" && depth < 4) append_shifted(text, item_text(child, depth + 1), shift_of(child));
  }
  return text;
}

std::vector<std::string> shared_strings(const pugi::xml_document& tree) {
  std::vector<std::string> strings;
  for (const pugi::xml_node item : tree.document_element().children()) {
    if (local_name(item) == "si") strings.push_back(item_text(item));
  }
  return strings;
}

std::vector<NumberFormat> number_formats(const pugi::xml_document& styles) {
  std::map<int, NumberFormat> spelled_out;
  const pugi::xml_node root = styles.document_element();
  for (const pugi::xml_node format : child_named(root, "numFmts").children()) {
    spelled_out[to_int(attribute_named(format, "numFmtId"), -1)] =
        format_of_code(attribute_named(format, "formatCode"));
  }
  std::vector<NumberFormat> formats;
  for (const pugi::xml_node style : child_named(root, "cellXfs").children()) {
    const int id = to_int(attribute_named(style, "numFmtId"), -1);
    const auto own = spelled_out.find(id);
    formats.push_back(own == spelled_out.end() ? format_of_id(id) : own->second);
  }
  return formats;
}

CellPlace place_of(std::string_view reference) {
  CellPlace place;
  if (reference.starts_with('$')) reference.remove_prefix(1);
  place.column = column_of(reference);
  place.row = row_of(reference);
  return place;
}

std::vector<SheetRow> SheetReader::read(const pugi::xml_document& sheet) {
  std::vector<SheetRow> rows;
  for (const pugi::xml_node node : child_named(sheet.document_element(), "sheetData").children()) {
    if (is_full_) break;
    SheetRow row;
    row.number = to_int(attribute_named(node, "r"), rows.empty() ? 1 : rows.back().number + 1);
    for (const pugi::xml_node cell : node.children()) add_cell(cell, row);
    if (!row.cells.empty()) rows.push_back(std::move(row));
  }
  repeat_merged(sheet, rows);
  return rows;
}

void SheetReader::add_cell(const pugi::xml_node& cell, SheetRow& row) {
  std::vector<std::string>& cells = row.cells;
  if (is_full_ || cells.size() >= kMostColumns) return;
  const NumberFormat& format = format_of(cell);
  std::string text = value_of(cell, format);
  if (text.empty()) return;
  is_full_ = text.size() > limit_bytes_ - n_bytes_;
  if (is_full_) return;
  n_bytes_ += text.size();
  ++n_cells_;
  row.has_amounts = row.has_amounts || format.says_more_than_digits();
  const size_t column = place_of(attribute_named(cell, "r")).column;
  while (column != SIZE_MAX && cells.size() < column && column - cells.size() <= kWidestGap) cells.emplace_back();
  cells.push_back(std::move(text));
}

bool SheetReader::is_inflated() const {
  constexpr uint64_t kBytesOfCell = 24;  // of the mark-up that names a text
  constexpr uint64_t kMostTimes = 8;
  uint64_t stored = n_cells_ * kBytesOfCell;
  for (const std::string& text : strings_) stored += text.size();
  return n_bytes_ / kMostTimes > stored;
}

// Of a number; the plain one of all else.
const NumberFormat& SheetReader::format_of(const pugi::xml_node& cell) const {
  static const NumberFormat kPlain;
  const std::string_view type = attribute_named(cell, "t");
  const int style = to_int(attribute_named(cell, "s"), 0);
  const bool known = style >= 0 && static_cast<size_t>(style) < styles_.formats.size();
  return known && (type.empty() || type == "n") ? styles_.formats[static_cast<size_t>(style)] : kPlain;
}

std::string SheetReader::value_of(const pugi::xml_node& cell, const NumberFormat& format) {
  const std::string_view type = attribute_named(cell, "t");
  const std::string_view value = child_named(cell, "v").child_value();
  if (type == "s") {
    const int index = to_int(value, -1);
    if (index >= 0 && static_cast<size_t>(index) < strings_.size()) return strings_[static_cast<size_t>(index)];
    ++lost_strings_;
    return {};
  }
  if (type == "inlineStr") return item_text(child_named(cell, "is"));
  if (type == "b") return value == "1" ? "TRUE" : "FALSE";
  const bool is_number = type.empty() || type == "n";
  return is_number ? shown_number(value, format, styles_.first_day) : std::string(value);
}

}  // namespace mneme::readers
