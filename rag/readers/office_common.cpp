#include "rag/readers/office_common.h"

#include <algorithm>
#include <charconv>

#include "rag/readers/front_matter.h"

namespace mneme::readers {

Status take_core_properties(SideParts& parts, rag::Document& document) {
  pugi::xml_document core;
  MNEME_RETURN_IF_ERROR(parts.read_if_there("docProps/core.xml", "its properties (title, author, date)", core));
  for (const pugi::xml_node property : core.document_element().children()) {
    std::string_view key = local_name(property);
    if (key == "creator") key = "author";
    if (key == "modified") continue;
    take_metadata(document, key, clean_text(property.child_value()));
  }
  return {};
}

void title_from_heading(rag::Document& document) {
  if (!document.title.empty()) return;
  for (size_t i = 0; i < document.blocks.size() && i < 5; ++i) {
    const rag::Block& block = document.blocks[i];
    if (block.kind != rag::BlockKind::kHeading) continue;
    document.title = document.text.substr(block.byte_begin, block.byte_end - block.byte_begin);
    return;
  }
}

std::string main_part(ZipPackage& zip, const std::string& usual) {
  pugi::xml_document tree;
  if (zip.has(usual) || !zip.has("_rels/.rels") || !zip.read_xml("_rels/.rels", tree).ok()) return usual;
  for (const pugi::xml_node link : tree.document_element().children()) {
    if (attribute_named(link, "Type").ends_with("/officeDocument")) {
      return resolve_member("", attribute_named(link, "Target"));
    }
  }
  return usual;
}

void add_numbered(int heading_level, std::string_view text, const ListPlace& place, DocumentBuilder& builder) {
  if (heading_level > 0) {
    builder.heading(heading_level, place.before(text));
  } else if (place.is_listed && !place.is_clause) {
    builder.list_item(text, place.level, place.number.empty() ? "-" : std::string_view(place.number));
  } else {
    builder.paragraph(place.before(text));
  }
}

std::string comment_line(std::string_view author, std::string_view where, std::string_view text) {
  const std::string said = clean_text(text);
  if (said.empty()) return {};
  const std::string by = clean_text(author);
  std::string line = "Comment";
  if (!by.empty()) line.append(" by ").append(by);
  if (!where.empty()) line.append(" on ").append(where);
  return line.append(": ").append(said);
}

int to_int(std::string_view text, int otherwise) {
  int value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() ? value : otherwise;
}

namespace {

bool is_number(std::string_view text) {
  text = trim(text);
  return !text.empty() && text.find_first_not_of("0123456789.,-+%eE$ ") == std::string_view::npos;
}

// Names of columns may be years; amounts are not.
bool is_year(std::string_view text) {
  text = trim(text);
  return text.size() == 4 && (text.starts_with("19") || text.starts_with("20")) && is_number(text);
}

}  // namespace

bool is_header_row(const std::vector<std::string>& row, const std::vector<std::string>& next) {
  size_t filled = 0;
  size_t years = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    if (trim(row[i]).empty()) continue;
    ++filled;
    if (is_year(row[i]) && i < next.size() && !is_year(next[i])) {
      ++years;
    } else if (is_number(row[i]) || row[i].size() > 80) {
      return false;
    }
  }
  size_t below = 0;
  for (const std::string& cell : next) below += !trim(cell).empty();
  // Years alone are data; beside a word, or an empty corner, they are names.
  const bool named = years < filled || (!row.empty() && trim(row.front()).empty());
  return filled >= 2 && 2 * filled >= row.size() && below >= 2 && named;
}

const SheetRow* row_numbered(const std::vector<SheetRow>& rows, int number) {
  const auto row = std::lower_bound(rows.begin(), rows.end(), number,
                                    [](const SheetRow& before, int wanted) { return before.number < wanted; });
  return row == rows.end() || row->number != number ? nullptr : &*row;
}

void add_sheet(std::string_view name, int number, const std::vector<SheetRow>& rows, DocumentBuilder& builder) {
  constexpr size_t kLastHeader = 5;  // titles may stand above the names of the columns
  builder.set_page(number);
  builder.heading(1, name);
  bool searching = rows.size() > 2;
  for (size_t r = 0; r < rows.size(); ++r) {
    builder.set_lines(rows[r].number, rows[r].number);
    searching = searching && r < kLastHeader && r + 1 < rows.size();
    if (builder.full()) break;
    if (searching && !rows[r].has_amounts && is_header_row(rows[r].cells, rows[r + 1].cells)) {
      builder.heading(2, joined_cells(rows[r].cells));
      searching = false;
    } else {
      builder.table_row(rows[r].cells);
    }
  }
  builder.set_lines(0, 0);
}

}  // namespace mneme::readers
