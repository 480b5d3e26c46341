// Excel (xlsx): sheets as rows of cells, dates as dates, the row of names kept with every chunk.
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "base/ascii.h"
#include "rag/readers/format_list.h"
#include "rag/readers/office_common.h"
#include "rag/readers/zip_package.h"

namespace mneme::readers {
namespace {

constexpr size_t kWidestGap = 64;      // empty cells in a row that are kept as such
constexpr size_t kMostColumns = 1024;  // of one row

// All text of a string item: runs of rich text, without phonetic guides.
std::string item_text(const pugi::xml_node& item, int depth = 0) {
  std::string text;
  for (const pugi::xml_node child : item.children()) {
    const std::string_view name = local_name(child);
    if (name == "t") text += child.child_value();
    if (name == "r" && depth < 4) text += item_text(child, depth + 1);
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

bool is_date_code(std::string_view code) {
  bool quoted = false;
  for (const char c : lower_ascii(code)) {
    if (c == '"') quoted = !quoted;
    if (c == '[' || c == ';') break;  // colours and conditions say nothing; the first section decides
    if (!quoted && (c == 'y' || c == 'd')) return true;
  }
  return false;
}

// Cell styles (indices into cellXfs) that show numbers as dates.
std::set<int> date_styles(const pugi::xml_document& styles) {
  std::set<int> date_formats;
  for (int id = 14; id <= 22; ++id) date_formats.insert(id);
  std::set<int> cells;
  const pugi::xml_node root = styles.document_element();
  for (const pugi::xml_node format : child_named(root, "numFmts").children()) {
    if (is_date_code(attribute_named(format, "formatCode"))) {
      date_formats.insert(to_int(attribute_named(format, "numFmtId"), -1));
    }
  }
  int index = 0;
  for (const pugi::xml_node style : child_named(root, "cellXfs").children()) {
    if (date_formats.count(to_int(attribute_named(style, "numFmtId"), -1))) cells.insert(index);
    ++index;
  }
  return cells;
}

// Days since 1899-12-30 as Excel counts them, to "2024-05-31" or "2024-05-31 10:30"; "" when out of range.
std::string date_of_serial(double serial) {
  if (!(serial >= 60 && serial < 2958466)) return {};
  const auto days = static_cast<int64_t>(serial);
  // Civil date from days (Howard Hinnant's algorithm), counted from 0000-03-01.
  const int64_t z = days - 25569 + 719468;
  const int64_t era = z / 146097;
  const int64_t day_of_era = z - era * 146097;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  std::array<char, 48> text;
  const int minutes = static_cast<int>(std::lround((serial - std::floor(serial)) * 1440));
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02d", static_cast<int>(year), static_cast<int>(month),
                static_cast<int>(day));
  std::string date = text.data();
  if (minutes > 0 && minutes < 1440) {
    std::snprintf(text.data(), text.size(), " %02d:%02d", minutes / 60, minutes % 60);
    date += text.data();
  }
  return date;
}

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

class SheetReader {
 public:
  SheetReader(const std::vector<std::string>& strings, const std::set<int>& dates) : strings_(strings), dates_(dates) {}

  std::vector<SheetRow> read(const pugi::xml_document& sheet) const {
    std::vector<SheetRow> rows;
    for (const pugi::xml_node node : child_named(sheet.document_element(), "sheetData").children()) {
      SheetRow row;
      row.number = to_int(attribute_named(node, "r"), rows.empty() ? 1 : rows.back().number + 1);
      for (const pugi::xml_node cell : node.children()) add_cell(cell, row.cells);
      if (!row.cells.empty()) rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  void add_cell(const pugi::xml_node& cell, std::vector<std::string>& cells) const {
    std::string text = value_of(cell);
    if (text.empty() || cells.size() >= kMostColumns) return;
    const size_t column = column_of(attribute_named(cell, "r"));
    while (column != SIZE_MAX && cells.size() < column && column - cells.size() <= kWidestGap) cells.emplace_back();
    cells.push_back(std::move(text));
  }

  std::string value_of(const pugi::xml_node& cell) const {
    const std::string_view type = attribute_named(cell, "t");
    const std::string_view value = child_named(cell, "v").child_value();
    if (type == "s") {
      const int index = to_int(value, -1);
      return index >= 0 && static_cast<size_t>(index) < strings_.size() ? strings_[static_cast<size_t>(index)] : "";
    }
    if (type == "inlineStr") return item_text(child_named(cell, "is"));
    if (type == "b") return value == "1" ? "TRUE" : "FALSE";
    if (type.empty() || type == "n") {
      if (dates_.count(to_int(attribute_named(cell, "s"), -1))) {
        double serial = 0;
        std::from_chars(value.data(), value.data() + value.size(), serial);
        std::string date = date_of_serial(serial);
        if (!date.empty()) return date;
      }
    }
    return std::string(value);
  }

  const std::vector<std::string>& strings_;
  const std::set<int>& dates_;
};

}  // namespace

Status read_xlsx(ReadContext& context, Input input) {
  auto package = ZipPackage::open(context, std::move(input));
  if (!package.ok()) return package.status();
  ZipPackage& zip = **package;
  rag::Document document;
  document.format = "xlsx";
  take_core_properties(zip, document);
  pugi::xml_document workbook;
  MNEME_RETURN_IF_ERROR(zip.read_xml("xl/workbook.xml", workbook));
  const auto targets = read_relationships(zip, "xl/workbook.xml");
  pugi::xml_document part;
  if (zip.has("xl/sharedStrings.xml")) MNEME_RETURN_IF_ERROR(zip.read_xml("xl/sharedStrings.xml", part));
  const std::vector<std::string> strings = shared_strings(part);
  part.reset();
  if (zip.has("xl/styles.xml")) MNEME_RETURN_IF_ERROR(zip.read_xml("xl/styles.xml", part));
  const std::set<int> dates = date_styles(part);
  DocumentBuilder builder(document, context.limits().text_bytes);
  const SheetReader reader(strings, dates);
  int number = 0;
  for (const pugi::xml_node sheet : child_named(workbook.document_element(), "sheets").children()) {
    ++number;
    const auto target = targets.find(std::string(attribute_named(sheet, "id")));
    if (target == targets.end() || !zip.has(target->second)) continue;
    MNEME_RETURN_IF_ERROR(zip.read_xml(target->second, part));
    const std::vector<SheetRow> rows = reader.read(part);
    if (!rows.empty()) add_sheet(attribute_named(sheet, "name"), number, rows, builder);
    MNEME_RETURN_IF_ERROR(context.check(zip.name()));
  }
  if (builder.empty()) return unsupported(printable(zip.name()) + " holds no text.");
  return context.emit(zip.name(), std::move(document));
}

}  // namespace mneme::readers
