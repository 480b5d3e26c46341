#include "rag/readers/office/xlsx_cells.h"

#include <algorithm>
#include <map>

#include "rag/readers/office/zip_package.h"
#include "rag/readers/raised_text.h"

namespace mneme::readers {
namespace {

constexpr int kLastRow = 1 << 24;  // more than any program has

Shift shift_of(const pugi::xml_node& run) {
  const std::string_view place = attribute_named(child_named(child_named(run, "rPr"), "vertAlign"), "val");
  if (place == "superscript") return Shift::kRaised;
  return place == "subscript" ? Shift::kLowered : Shift::kNone;
}

std::vector<MergedCells> merged_cells(const pugi::xml_document& sheet) {
  std::vector<MergedCells> all;
  for (const pugi::xml_node node : child_named(sheet.document_element(), "mergeCells").children()) {
    const std::string_view range = attribute_named(node, "ref");
    all.push_back({place_of(range), place_of(range.substr(std::min(range.find(':') + 1, range.size()))).row});
  }
  return all;
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

void SharedStrings::add(const pugi::xml_node& list) {
  for (const pugi::xml_node item : list.children()) {
    if (is_full_ || local_name(item) != "si") continue;
    std::string text = item_text(item);
    const uint64_t bytes = text.size() + sizeof(std::string);
    is_full_ = bytes > left_bytes_;
    if (is_full_) continue;
    left_bytes_ -= bytes;
    strings_.push_back(std::move(text));
  }
}

void repeat_merged_cells(const pugi::xml_document& sheet, std::vector<SheetRow>& rows) {
  repeat_merged(merged_cells(sheet), rows);
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

void SheetReader::add_rows(const pugi::xml_node& data, std::vector<SheetRow>& rows) {
  for (const pugi::xml_node node : data.children()) {
    if (is_full()) break;
    if (local_name(node) != "row") continue;
    SheetRow row;
    row.number = to_int(attribute_named(node, "r"), last_row_ < kLastRow ? last_row_ + 1 : kLastRow);
    last_row_ = row.number;
    size_t next = 0;  // column
    for (const pugi::xml_node cell : node.children()) {
      if (local_name(cell) != "c") continue;
      const size_t column = place_of(attribute_named(cell, "r")).column;
      if (column != SIZE_MAX) next = column;
      add_cell(cell, next++, row);
    }
    if (!row.cells.empty()) rows.push_back(std::move(row));
  }
}

void SheetReader::add_cell(const pugi::xml_node& cell, size_t column, SheetRow& row) {
  if (is_full() || row.cells.size() >= kMostColumns) return;
  const NumberFormat& format = format_of(cell);
  const bool has_result = child_named(cell, "v") || child_named(cell, "is") || !child_named(cell, "f");
  without_results_ += has_result ? 0 : 1;
  cells_.add(value_of(cell, format), column, format, row);
}

// Of a number; the plain one of all else.
const NumberFormat& SheetReader::format_of(const pugi::xml_node& cell) const {
  const std::string_view type = attribute_named(cell, "t");
  const bool is_number = type.empty() || type == "n";
  const int style = to_int(attribute_named(cell, "s"), 0);
  return styles_.format_of(is_number && style >= 0 ? static_cast<size_t>(style) : SIZE_MAX);
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
