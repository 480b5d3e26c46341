// One sheet of an Excel file before 2007: its cells, and what stands beside them. Internal to rag/readers. Threads: one
// thread each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rag/readers/office/biff_records.h"
#include "rag/readers/office/cell_comments.h"
#include "rag/readers/office/sheet_cells.h"
#include "rag/readers/office/xls_workbook.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {

class XlsSheetReader {
 public:
  // Borrows all of them. cells, running: of all sheets.
  XlsSheetReader(const XlsWorkbook& workbook, CellCollector& cells, RunningTexts& running)
      : workbook_(workbook), cells_(cells), running_(running) {}

  // Reads the records from `place` of the workbook's stream to the sheet's end. Returns where that is.
  size_t read(size_t place);

  // The end was not found.
  bool is_cut() const { return is_cut_; }
  int lost_strings() const { return lost_strings_; }

  // Up to the limit; once.
  std::vector<SheetRow> take_rows();
  std::vector<CellComment> take_comments();
  const std::vector<std::string>& boxes() const { return boxes_; }    // what text boxes say, with line breaks
  const std::vector<std::string>& charts() const { return charts_; }  // their titles, "; " between

 private:
  enum class Kind : uint8_t { kNumber, kText, kString };
  struct Cell {
    uint16_t row = 0;
    uint16_t column = 0;
    uint16_t style = 0;
    Kind kind = Kind::kNumber;
    uint32_t text = 0;  // index among texts_, or the workbook's strings
    double number = 0;
  };
  struct Note {
    std::string cell;
    std::string author;
    uint16_t box = 0;  // the one that says it
    std::string text;  // that it has itself
  };

  void take(const BiffRecord& record);
  bool take_cell(const BiffRecord& record);
  void take_beside(const BiffRecord& record);
  void take_in_chart(const BiffRecord& record);
  void end_chart();
  void add_text(Cell cell, std::string text);
  void take_formula(const BiffRecord& record);
  void take_several_numbers(const BiffRecord& record);
  void take_merged(const BiffRecord& record);
  void take_note(const BiffRecord& record);
  void take_note_in_bytes(const BiffRecord& record);
  void take_box(const BiffRecord& record);
  std::string text_of(const Cell& cell, const NumberFormat& format);

  const XlsWorkbook& workbook_;
  CellCollector& cells_;
  RunningTexts& running_;
  std::vector<Cell> found_;
  std::vector<std::string> texts_;  // that cells have themselves
  std::vector<MergedCells> merged_;
  std::vector<Note> notes_;
  std::map<uint16_t, std::string> note_texts_;  // by the number of the box
  std::vector<std::string> boxes_;
  std::vector<std::string> charts_;
  std::map<int, std::string> chart_titles_;  // of the chart that is being read, in order
  std::string chart_text_;                   // that was read last
  uint16_t box_ = 0;                         // the one that was named last
  bool box_is_note_ = false;
  Cell formula_;  // whose text comes in a record of its own
  bool waits_for_text_ = false;
  bool is_cut_ = false;
  int lost_strings_ = 0;
};

}  // namespace mneme::readers
