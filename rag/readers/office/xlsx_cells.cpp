#include "rag/readers/office/xlsx_cells.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/ascii.h"
#include "rag/readers/office/zip_package.h"

namespace mneme::readers {
namespace {

constexpr size_t kWidestGap = 64;     // empty cells in a row that are kept as such
constexpr int kMostMerged = 100'000;  // cells that say what the merged cell above them says

// What a format such as "[$-407]d. mmmm yyyy;@" shows. The first section decides; what stands in brackets (languages,
// colours, conditions), between quotation marks or behind a sign that takes the next as it is, is no part of it.
NumberForm form_of_code(std::string_view written) {
  const std::string code = lower_ascii(written);
  if (code.find("[h") != std::string::npos) return NumberForm::kDuration;
  NumberForm form = NumberForm::kPlain;
  bool quoted = false;
  for (size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '"') quoted = !quoted;
    if (quoted || c == '"') continue;
    if (c == ';') break;
    if (c == 'y' || c == 'd') return NumberForm::kDate;
    if (c == 'h') form = NumberForm::kTime;
    if (c == '%') form = NumberForm::kPercent;
    if (c == '\\' || c == '_' || c == '*') ++i;
    if (c == '[') i = std::min(code.find(']', i), code.size() - 1);
  }
  return form;
}

// Of the formats that files need not spell out.
NumberForm form_of_id(int id) {
  if ((id >= 14 && id <= 17) || id == 22) return NumberForm::kDate;
  if (id >= 18 && id <= 21) return NumberForm::kTime;
  if (id == 46) return NumberForm::kDuration;
  return id == 9 || id == 10 ? NumberForm::kPercent : NumberForm::kPlain;
}

// "10:30" of a share of a day; hours may be more than a day has.
std::string time_of(double days) {
  const auto minutes = static_cast<int>(std::lround(days * 1440));
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%02d:%02d", minutes / 60, minutes % 60);
  return text.data();
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
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02d", static_cast<int>(year), static_cast<int>(month),
                static_cast<int>(day));
  std::string date = text.data();
  const double of_day = serial - std::floor(serial);
  const std::string time = time_of(of_day);
  if (time != "00:00" && time != "24:00") date += " " + time;
  return date;
}

// 0.19 to "19%", with at most two digits behind the point.
std::string percent_of(double share) {
  std::array<char, 48> text;
  std::snprintf(text.data(), text.size(), "%.2f", share * 100);
  std::string percent = text.data();
  while (percent.ends_with('0')) percent.pop_back();
  if (percent.ends_with('.')) percent.pop_back();
  return percent + "%";
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

// 12 of "BC12".
int row_of(std::string_view reference) {
  return to_int(reference.substr(std::min(reference.find_first_of("0123456789"), reference.size())), 0);
}

// The number as the sheet shows it; as it stands in the file where that is a plain number.
std::string shown_number(std::string_view value, NumberForm form, double first_day) {
  double number = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
  if (form == NumberForm::kPlain || parsed.ec != std::errc() || !(std::abs(number) < 1e7)) return std::string(value);
  if (form == NumberForm::kPercent) return percent_of(number);
  if (form == NumberForm::kDuration && number >= 0) return time_of(number);
  if (form == NumberForm::kTime && number >= 0) return time_of(number - std::floor(number));
  const std::string date = date_of_serial(number + first_day);
  return date.empty() ? std::string(value) : date;
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

}  // namespace

std::string item_text(const pugi::xml_node& item, int depth) {
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

std::vector<NumberForm> number_forms(const pugi::xml_document& styles) {
  std::map<int, NumberForm> formats;
  const pugi::xml_node root = styles.document_element();
  for (const pugi::xml_node format : child_named(root, "numFmts").children()) {
    formats[to_int(attribute_named(format, "numFmtId"), -1)] = form_of_code(attribute_named(format, "formatCode"));
  }
  std::vector<NumberForm> forms;
  for (const pugi::xml_node style : child_named(root, "cellXfs").children()) {
    const int id = to_int(attribute_named(style, "numFmtId"), -1);
    const auto own = formats.find(id);
    forms.push_back(own == formats.end() ? form_of_id(id) : own->second);
  }
  return forms;
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
    SheetRow row;
    row.number = to_int(attribute_named(node, "r"), rows.empty() ? 1 : rows.back().number + 1);
    for (const pugi::xml_node cell : node.children()) add_cell(cell, row.cells);
    if (!row.cells.empty()) rows.push_back(std::move(row));
  }
  repeat_merged(sheet, rows);
  return rows;
}

void SheetReader::add_cell(const pugi::xml_node& cell, std::vector<std::string>& cells) {
  std::string text = value_of(cell);
  if (text.empty() || cells.size() >= kMostColumns) return;
  const size_t column = place_of(attribute_named(cell, "r")).column;
  while (column != SIZE_MAX && cells.size() < column && column - cells.size() <= kWidestGap) cells.emplace_back();
  cells.push_back(std::move(text));
}

std::string SheetReader::value_of(const pugi::xml_node& cell) {
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
  if (type.empty() || type == "n") {
    const int style = to_int(attribute_named(cell, "s"), 0);
    const bool known = style >= 0 && static_cast<size_t>(style) < styles_.forms.size();
    return shown_number(value, known ? styles_.forms[static_cast<size_t>(style)] : NumberForm::kPlain,
                        styles_.first_day);
  }
  return std::string(value);
}

}  // namespace mneme::readers
