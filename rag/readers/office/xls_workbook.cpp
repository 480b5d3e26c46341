#include "rag/readers/office/xls_workbook.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/ascii.h"
#include "rag/readers/office/little_endian.h"

namespace mneme::readers {
namespace {

// Types of records.
constexpr uint16_t kEnd = 0x0a;
constexpr uint16_t kExternSheet = 0x17;
constexpr uint16_t kName = 0x18;
constexpr uint16_t kFrom1904 = 0x22;
constexpr uint16_t kEncrypted = 0x2f;
constexpr uint16_t kFont = 0x31;
constexpr uint16_t kCodePage = 0x42;
constexpr uint16_t kSheet = 0x85;
constexpr uint16_t kStyle = 0xe0;
constexpr uint16_t kStrings = 0xfc;
constexpr uint16_t kBook = 0x1ae;
constexpr uint16_t kFormat = 0x41e;
constexpr uint16_t kBegin = 0x809;
constexpr uint16_t kExcel97 = 0x600;
constexpr uint16_t kExcel95 = 0x500;

constexpr uint16_t kLastRow = 0xffff;
constexpr uint16_t kLastColumn = 0xff;

// "'Ann''s sheet'" of "Ann's sheet"; what is a word stands as it is.
std::string quoted(const std::string& sheet) {
  const auto is_of_word = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || (c & 0x80) != 0; };
  const bool is_word =
      !sheet.empty() && !is_digit(sheet.front()) && std::all_of(sheet.begin(), sheet.end(), is_of_word);
  const bool is_cell = place_of(sheet).column != SIZE_MAX && place_of(sheet).row > 0 && is_digit(sheet.back());
  if (is_word && !is_cell) return sheet;
  std::string name = "'";
  for (const char c : sheet) name.append(c == '\'' ? 2 : 1, c);
  return name + "'";
}

std::string written_row(uint16_t row, uint16_t column_and_flags) {
  constexpr uint16_t kIsRelative = 0x8000;
  return ((column_and_flags & kIsRelative) != 0 ? "" : "$") + std::to_string(row + 1);
}
std::string written_column(uint16_t column_and_flags) {
  constexpr uint16_t kIsRelative = 0x4000;
  return ((column_and_flags & kIsRelative) != 0 ? "" : "$") + column_name(column_and_flags & 0x3fff);
}

// "$B$2:$C$9"; whole columns and rows are written without the others.
std::string written_area(std::string_view area) {
  const uint16_t top = u16_at(area, 0);
  const uint16_t bottom = u16_at(area, 2);
  const uint16_t left = u16_at(area, 4);
  const uint16_t right = u16_at(area, 6);
  if (top == 0 && bottom == kLastRow) return written_column(left) + ":" + written_column(right);
  if ((left & 0x3fff) == 0 && (right & 0x3fff) == kLastColumn) {
    return written_row(top, left) + ":" + written_row(bottom, right);
  }
  return written_column(left) + written_row(top, left) + ":" + written_column(right) + written_row(bottom, right);
}

}  // namespace

Result<XlsWorkbook> XlsWorkbook::open(const CompoundFile& file) {
  std::string stream = file.stream("Workbook");
  if (stream.empty()) stream = file.stream("Book");
  XlsWorkbook workbook(std::move(stream));
  MNEME_RETURN_IF_ERROR(workbook.read());
  return workbook;
}

Status XlsWorkbook::read() {
  BiffRecords records(stream_);
  BiffRecord record;
  if (!records.next(record) || record.type != kBegin) return corruption("damaged: its sheets cannot be found.");
  const uint16_t version = u16_at(record.data(), 0);
  if (version != kExcel97 && version != kExcel95) {
    return unsupported("an Excel file in the format of before 1995; save it as xlsx to index it.");
  }
  texts_.set_bytes(version == kExcel95);
  is_cut_ = true;
  while (records.next(record)) {
    if (record.type == kEncrypted) {
      return unsupported("an Excel file encrypted with a password; save it without one to index it.");
    }
    take(record);
    is_cut_ = record.type != kEnd;
    if (!is_cut_) break;
  }
  return sheets_.empty() ? corruption("damaged: its sheets cannot be found.") : Status();
}

void XlsWorkbook::take(const BiffRecord& record) {
  const std::string_view data = record.data();
  switch (record.type) {
    case kCodePage: texts_.set_code_page(u16_at(data, 0)); break;
    case kFrom1904: styles_.first_day = u16_at(data, 0) != 0 ? kDaysTo1904 : 0; break;
    case kFont: {
      const uint16_t shift = u16_at(data, 8);
      texts_.add_font(shift == 1 ? Shift::kRaised : shift == 2 ? Shift::kLowered : Shift::kNone);
      break;
    }
    case kFormat: take_format(record); break;
    case kStyle: {
      const uint16_t id = u16_at(data, 2);
      const auto own = formats_.find(id);
      styles_.formats.push_back(own == formats_.end() ? format_of_id(id) : own->second);
      break;
    }
    case kSheet: take_sheet(record); break;
    case kStrings: take_strings(record); break;
    case kBook: books_.push_back(u16_at(data, 2) == 0x401); break;
    case kExternSheet: take_ranges(record); break;
    case kName: take_name(record); break;
    default: break;
  }
}

void XlsWorkbook::take_sheet(const BiffRecord& record) {
  constexpr uint8_t kCode = 6;
  BiffBytes bytes(record);
  Sheet sheet;
  sheet.place = bytes.u32();
  sheet.is_hidden = (bytes.u8() & 3) != 0;
  sheet.is_code = bytes.u8() == kCode;
  sheet.name = texts_.read(bytes, XlsTexts::Count::kOneByte);
  sheets_.push_back(std::move(sheet));
}

void XlsWorkbook::take_format(const BiffRecord& record) {
  BiffBytes bytes(record);
  const uint16_t id = bytes.u16();
  const auto count = texts_.are_bytes() ? XlsTexts::Count::kOneByte : XlsTexts::Count::kTwoBytes;
  formats_[id] = format_of_code(texts_.read(bytes, count));
}

void XlsWorkbook::take_strings(const BiffRecord& record) {
  BiffBytes bytes(record, 4);
  for (uint32_t left = bytes.u32(); left > 0 && bytes.ok(); --left) {
    std::string text = texts_.read(bytes, XlsTexts::Count::kTwoBytes);
    if (bytes.ok()) strings_.push_back(std::move(text));
  }
}

void XlsWorkbook::take_ranges(const BiffRecord& record) {
  if (texts_.are_bytes()) return;
  BiffBytes bytes(record);
  for (uint16_t left = bytes.u16(); left > 0 && bytes.ok(); --left) {
    SheetRange range;
    range.book = bytes.u16();
    range.first = static_cast<int16_t>(bytes.u16());
    range.last = static_cast<int16_t>(bytes.u16());
    ranges_.push_back(range);
  }
}

void XlsWorkbook::take_name(const BiffRecord& record) {
  constexpr uint16_t kIsHidden = 0x01;
  constexpr uint16_t kIsExcelsOwn = 0x20;
  if (texts_.are_bytes()) return;
  BiffBytes bytes(record);
  const uint16_t flags = bytes.u16();
  bytes.skip(1);
  const size_t length = bytes.u8();
  const size_t formula_size = bytes.u16();
  bytes.skip(8);
  std::string name = texts_.read_counted(bytes, length);
  std::string refers_to = referred_to(bytes.bytes(formula_size));
  if (!bytes.ok() || refers_to.empty()) return;
  names_.add(std::move(name), std::move(refers_to), (flags & (kIsHidden | kIsExcelsOwn)) != 0);
}

// Of a formula that is one cell, one area or one value; "" of others.
std::string XlsWorkbook::referred_to(std::string_view formula) const {
  constexpr uint8_t kText = 0x17;
  constexpr uint8_t kWhole = 0x1e;
  constexpr uint8_t kNumber = 0x1f;
  constexpr uint8_t kCell = 0x3a;
  constexpr uint8_t kArea = 0x3b;
  const uint8_t token = u8_at(formula, 0);
  // The same token comes for a reference, a value and an array.
  const uint8_t kind = token >= 0x40 ? static_cast<uint8_t>((token & 0x1f) | 0x20) : token;
  if (token == kWhole && formula.size() == 3) return std::to_string(u16_at(formula, 1));
  if (token == kNumber && formula.size() == 9) return number_text(std::bit_cast<double>(u64_at(formula, 1)));
  if (token == kText) return text_referred_to(formula);
  std::string cells;
  if (kind == kCell && formula.size() == 7) {
    const uint16_t column = u16_at(formula, 5);
    cells = written_column(column) + written_row(u16_at(formula, 3), column);
  } else if (kind == kArea && formula.size() == 11) {
    cells = written_area(formula.substr(3));
  } else {
    return {};
  }
  const std::string sheet = sheet_referred_to(u16_at(formula, 1));
  return sheet.empty() ? std::string() : sheet + "!" + cells;
}

// A text as formulas write it, in quotation marks.
std::string XlsWorkbook::text_referred_to(std::string_view formula) const {
  const BiffRecord record{0, 0, {formula.substr(1)}};
  BiffBytes bytes(record);
  std::string text = "\"";
  for (const char c : texts_.read(bytes, XlsTexts::Count::kOneByte)) text.append(c == '"' ? 2 : 1, c);
  const bool is_all = bytes.ok() && bytes.is_at_end();
  return is_all ? text + "\"" : std::string();
}

std::string XlsWorkbook::sheet_referred_to(size_t range) const {
  if (range >= ranges_.size()) return {};
  const auto& [book, first, last] = ranges_[range];
  const bool is_one_of_these = book < books_.size() && books_[book] && first >= 0 && first == last &&
                               static_cast<size_t>(first) < sheets_.size();
  return is_one_of_these ? quoted(sheets_[static_cast<size_t>(first)].name) : std::string();
}

}  // namespace mneme::readers
