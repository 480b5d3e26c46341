#include "rag/readers/office/xls_sheet.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>
#include <utility>

#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/printed_texts.h"

namespace mneme::readers {
namespace {

// Types of records.
constexpr uint16_t kFormula = 0x06;
constexpr uint16_t kEnd = 0x0a;
constexpr uint16_t kHeader = 0x14;
constexpr uint16_t kFooter = 0x15;
constexpr uint16_t kNote = 0x1c;
constexpr uint16_t kObject = 0x5d;
constexpr uint16_t kSeveralNumbers = 0xbd;
constexpr uint16_t kRichText = 0xd6;
constexpr uint16_t kMerged = 0xe5;
constexpr uint16_t kString = 0xfd;
constexpr uint16_t kBox = 0x1b6;
constexpr uint16_t kNumber = 0x203;
constexpr uint16_t kText = 0x204;
constexpr uint16_t kTruthOrError = 0x205;
constexpr uint16_t kFormulaText = 0x207;
constexpr uint16_t kShortNumber = 0x27e;
constexpr uint16_t kBegin = 0x809;
constexpr uint16_t kChartText = 0x100d;
constexpr uint16_t kChartTextBegins = 0x1025;
constexpr uint16_t kChartTextIsOf = 0x1027;
constexpr uint16_t kChart = 0x20;  // kind of what kBegin begins

std::string_view error_named(uint8_t code) {
  switch (code) {
    case 0x00: return "#NULL!";
    case 0x07: return "#DIV/0!";
    case 0x0f: return "#VALUE!";
    case 0x17: return "#REF!";
    case 0x1d: return "#NAME?";
    case 0x24: return "#NUM!";
    case 0x2a: return "#N/A";
    default: return {};
  }
}

std::string truth_or_error(uint8_t value, bool is_error) {
  if (is_error) return std::string(error_named(value));
  return value != 0 ? "TRUE" : "FALSE";
}

// A whole number or the upper bits of another, in hundredths or not.
double short_number(uint32_t written) {
  const bool is_whole = (written & 2) != 0;
  const double number = is_whole ? static_cast<double>(static_cast<int32_t>(written) >> 2)
                                 : std::bit_cast<double>(uint64_t{written & ~uint32_t{3}} << 32);
  return (written & 1) != 0 ? number / 100 : number;
}

std::string cell_named(uint16_t row, uint16_t column) {
  return column_name(column) + std::to_string(row + 1);
}

bool is_chart(const BiffRecord& record) {
  return record.type == kBegin && u16_at(record.data(), 2) == kChart;
}

}  // namespace

// Charts lie in the sheet as sheets of their own; or are one.
size_t XlsSheetReader::read(size_t place) {
  constexpr int kDeepest = 8;
  BiffRecords records(workbook_.stream(), place);
  BiffRecord record;
  int depth = 0;
  bool in_chart = false;
  while (records.next(record)) {
    if (record.type == kBegin) {
      if (++depth > kDeepest) break;
      in_chart = is_chart(record);
    } else if (record.type == kEnd) {
      if (in_chart) end_chart();
      in_chart = false;
      if (--depth <= 0) return records.place();
    } else if (depth == 0) {
      break;  // no sheet begins here
    } else if (in_chart) {
      take_in_chart(record);
    } else if (depth == 1) {
      take(record);
    }
  }
  is_cut_ = true;
  return records.place();
}

void XlsSheetReader::take(const BiffRecord& record) {
  if (!take_cell(record)) take_beside(record);
}

bool XlsSheetReader::take_cell(const BiffRecord& record) {
  const std::string_view data = record.data();
  Cell cell{u16_at(data, 0), u16_at(data, 2), u16_at(data, 4)};
  switch (record.type) {
    case kNumber:
      cell.number = std::bit_cast<double>(u64_at(data, 6));
      found_.push_back(cell);
      return true;
    case kShortNumber:
      cell.number = short_number(u32_at(data, 6));
      found_.push_back(cell);
      return true;
    case kSeveralNumbers: take_several_numbers(record); return true;
    case kString:
      cell.kind = Kind::kString;
      cell.text = u32_at(data, 6);
      found_.push_back(cell);
      return true;
    case kText:
    case kRichText: {
      BiffBytes bytes(record, 6);
      add_text(cell, workbook_.texts().read(bytes, XlsTexts::Count::kTwoBytes));
      return true;
    }
    case kTruthOrError: add_text(cell, truth_or_error(u8_at(data, 6), u8_at(data, 7) != 0)); return true;
    case kFormula: take_formula(record); return true;
    case kFormulaText:
      if (std::exchange(waits_for_text_, false)) {
        BiffBytes bytes(record);
        add_text(formula_, workbook_.texts().read(bytes, XlsTexts::Count::kTwoBytes));
      }
      return true;
    default: return false;
  }
}

void XlsSheetReader::take_beside(const BiffRecord& record) {
  const bool in_bytes = workbook_.texts().are_bytes();
  const std::string_view data = record.data();
  switch (record.type) {
    case kMerged: take_merged(record); break;
    case kNote: in_bytes ? take_note_in_bytes(record) : take_note(record); break;
    case kObject:
      box_is_note_ = u16_at(data, 4) == 0x19;
      box_ = u16_at(data, 6);
      break;
    case kBox:
      if (!in_bytes) take_box(record);
      break;
    case kHeader:
    case kFooter:
      if (!data.empty()) {
        BiffBytes bytes(record);
        const auto count = in_bytes ? XlsTexts::Count::kOneByte : XlsTexts::Count::kTwoBytes;
        take_printed_text(workbook_.texts().read(bytes, count), running_);
      }
      break;
    default: break;
  }
}

void XlsSheetReader::add_text(Cell cell, std::string text) {
  cell.kind = Kind::kText;
  cell.text = static_cast<uint32_t>(texts_.size());
  texts_.push_back(std::move(text));
  found_.push_back(cell);
}

// What it came to when it was last computed: a number, or behind two bytes of ones something else.
void XlsSheetReader::take_formula(const BiffRecord& record) {
  const std::string_view data = record.data();
  Cell cell{u16_at(data, 0), u16_at(data, 2), u16_at(data, 4)};
  waits_for_text_ = false;
  if (u16_at(data, 12) != 0xffff) {
    cell.number = std::bit_cast<double>(u64_at(data, 6));
    found_.push_back(cell);
    return;
  }
  switch (u8_at(data, 6)) {
    case 0:
      formula_ = cell;
      waits_for_text_ = true;
      break;
    case 1: add_text(cell, truth_or_error(u8_at(data, 8), false)); break;
    case 2: add_text(cell, truth_or_error(u8_at(data, 8), true)); break;
    default: break;
  }
}

void XlsSheetReader::take_several_numbers(const BiffRecord& record) {
  constexpr size_t kFirst = 4;
  constexpr size_t kSize = 6;
  const std::string_view data = record.data();
  uint16_t column = u16_at(data, 2);
  for (size_t at = kFirst; at + kSize + 2 <= data.size(); at += kSize) {
    Cell cell{u16_at(data, 0), column++, u16_at(data, at)};
    cell.number = short_number(u32_at(data, at + 2));
    found_.push_back(cell);
  }
}

void XlsSheetReader::take_merged(const BiffRecord& record) {
  BiffBytes bytes(record);
  for (uint16_t left = bytes.u16(); left > 0 && bytes.ok(); --left) {
    const uint16_t first_row = bytes.u16();
    const uint16_t last_row = bytes.u16();
    const uint16_t column = bytes.u16();
    bytes.skip(2);
    if (bytes.ok()) merged_.push_back({{column, first_row + 1}, last_row + 1});
  }
}

void XlsSheetReader::take_note(const BiffRecord& record) {
  BiffBytes bytes(record);
  const uint16_t row = bytes.u16();
  Note note;
  note.cell = cell_named(row, bytes.u16());
  bytes.skip(2);
  note.box = bytes.u16();
  note.author = workbook_.texts().read(bytes, XlsTexts::Count::kTwoBytes);
  notes_.push_back(std::move(note));
}

// Before 1997 notes hold their texts, which go on in further ones of no row.
void XlsSheetReader::take_note_in_bytes(const BiffRecord& record) {
  BiffBytes bytes(record);
  const uint16_t row = bytes.u16();
  const uint16_t column = bytes.u16();
  const size_t length = bytes.u16();
  std::string text = workbook_.texts().read_counted(bytes, std::min(length, record.data().size()));
  if (row == 0xffff && !notes_.empty()) {
    notes_.back().text += text;
  } else {
    notes_.push_back({cell_named(row, column), {}, 0, std::move(text)});
  }
}

void XlsSheetReader::take_box(const BiffRecord& record) {
  constexpr size_t kLength = 10;
  const size_t length = u16_at(record.data(), kLength);
  if (length == 0 || record.pieces.size() < 2) return;
  BiffBytes bytes(record);
  bytes.begin_piece(1);
  std::string text = workbook_.texts().read_counted(bytes, length);
  if (box_is_note_) {
    note_texts_[box_] = std::move(text);
  } else {
    boxes_.push_back(std::move(text));
  }
}

// Texts come first, what they are of behind them.
void XlsSheetReader::take_in_chart(const BiffRecord& record) {
  if (record.type == kChartTextBegins) chart_text_.clear();
  if (record.type == kChartText) {
    BiffBytes bytes(record, 2);
    chart_text_ = workbook_.texts().read(bytes, XlsTexts::Count::kOneByte);
  } else if (record.type == kChartTextIsOf && !chart_text_.empty()) {
    // Title, then the axes as charts since 2007 have them: that of categories, of values, of series.
    switch (u16_at(record.data(), 0)) {
      case 1: chart_titles_[0] = chart_text_; break;
      case 3: chart_titles_[1] = chart_text_; break;
      case 2: chart_titles_[2] = chart_text_; break;
      case 7: chart_titles_[3] = chart_text_; break;
      default: break;
    }
  }
}

void XlsSheetReader::end_chart() {
  std::string titles;
  for (const auto& [place, title] : std::exchange(chart_titles_, {}))
    titles.append(titles.empty() ? "" : "; ").append(title);
  charts_.push_back(std::move(titles));
}

// A box says what one note says.
std::vector<CellComment> XlsSheetReader::take_comments() {
  std::vector<CellComment> comments;
  for (Note& note : notes_) {
    const auto said = note_texts_.extract(note.box);
    std::string text = said.empty() ? std::move(note.text) : std::move(said.mapped());
    comments.push_back(note_on_cell(std::move(note.cell), std::move(note.author), std::move(text)));
  }
  return comments;
}

std::vector<SheetRow> XlsSheetReader::take_rows() {
  const auto is_before = [](const Cell& a, const Cell& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  };
  if (!std::is_sorted(found_.begin(), found_.end(), is_before))
    std::stable_sort(found_.begin(), found_.end(), is_before);
  std::vector<SheetRow> rows;
  for (auto cell = found_.begin(); cell != found_.end() && !cells_.is_full();) {
    SheetRow row;
    row.number = cell->row + 1;
    for (; cell != found_.end() && cell->row + 1 == row.number && !cells_.is_full(); ++cell) {
      const bool is_number = cell->kind == Kind::kNumber;
      const NumberFormat& format = workbook_.styles().format_of(is_number ? cell->style : SIZE_MAX);
      cells_.add(text_of(*cell, format), cell->column, format, row);
    }
    if (!row.cells.empty()) rows.push_back(std::move(row));
  }
  repeat_merged(merged_, rows);
  return rows;
}

std::string XlsSheetReader::text_of(const Cell& cell, const NumberFormat& format) {
  switch (cell.kind) {
    case Kind::kNumber: return shown_number(number_text(cell.number), format, workbook_.styles().first_day);
    case Kind::kText: return texts_[cell.text];
    case Kind::kString: break;
  }
  if (cell.text < workbook_.strings().size()) return workbook_.strings()[cell.text];
  ++lost_strings_;
  return {};
}

}  // namespace mneme::readers
