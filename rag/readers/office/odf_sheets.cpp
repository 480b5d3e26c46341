#include "rag/readers/office/odf_sheets.h"

#include <algorithm>

#include "rag/readers/office/zip_package.h"

namespace mneme::readers {

OdfSheets::OdfSheets(OdfWalker& walker, DocumentBuilder& builder, const pugi::xml_node& content,
                     uint64_t text_limit_bytes)
    : walker_(walker), builder_(builder), text_limit_bytes_(text_limit_bytes) {
  for (const pugi::xml_node style : child_named(content, "automatic-styles").children()) {
    const pugi::xml_node properties = child_named(style, "table-properties");
    if (attribute_named(properties, "display") == "false") hidden_styles_.emplace(attribute_named(style, "name"));
  }
}

void OdfSheets::add(const pugi::xml_node& table, bool is_last) {
  if (!is_within_) begin(table);
  read_rows(table, 0);
  if (const pugi::xml_node shapes = child_named(table, "shapes")) shapes_.push_back(shapes);
  if (is_last) write();
}

void OdfSheets::begin(const pugi::xml_node& table) {
  is_within_ = true;
  ++number_;
  name_ = attribute_named(table, "name");
  if (hidden_styles_.contains(attribute_named(table, "style-name"))) name_ += " (hidden sheet)";
  rows_.clear();
  n_bytes_ = 0;
  comments_.clear();
  next_row_ = 1;
  walker_.begin_table();
}

void OdfSheets::read_rows(const pugi::xml_node& parent, int depth) {
  for (const pugi::xml_node row : parent.children()) {
    if (n_bytes_ > text_limit_bytes_) return;
    const std::string_view name = local_name(row);
    if (name == "table-row") {
      take_row(row);
    } else if (depth < 8 && name.starts_with("table-") && name != "table-column") {
      read_rows(row, depth + 1);
    }
  }
}

void OdfSheets::take_row(const pugi::xml_node& row) {
  SheetRow entry{next_row_, walker_.cells_of(row)};
  for (const OdfNote& note : walker_.take_notes()) {
    const std::string says = joined_cells(entry.cells);
    std::string where = "row " + std::to_string(next_row_);
    if (!says.empty() && says.size() <= kLongestLabel) where += " (" + says + ")";
    comments_.emplace_back(next_row_, comment_line(note.author, where, note.text));
  }
  const int repeats = std::clamp(to_int(attribute_named(row, "number-rows-repeated"), 1), 1, 1 << 20);
  next_row_ += std::min(repeats, (1 << 24) - next_row_);
  for (const std::string& cell : entry.cells) n_bytes_ += cell.size();
  if (!entry.cells.empty()) rows_.push_back(std::move(entry));
}

void OdfSheets::write() {
  is_within_ = false;
  builder_.set_page(number_);
  if (!rows_.empty() || !comments_.empty()) add_sheet(name_, number_, rows_, builder_);
  for (const auto& [number, line] : comments_) {
    builder_.set_lines(number, number);
    builder_.paragraph(line);
  }
  builder_.set_lines(0, 0);
  for (const pugi::xml_node& shapes : std::exchange(shapes_, {})) walker_.walk(shapes);
  walker_.add_boxes(0);
}

}  // namespace mneme::readers
