// Excel files of 1995 to 2003 (xls): sheets as rows of cells, as those since 2007 are read (reader_xlsx.cpp).
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/office/cell_comments.h"
#include "rag/readers/office/compound_readers.h"
#include "rag/readers/office/ole_properties.h"
#include "rag/readers/office/sheet_cells.h"
#include "rag/readers/office/xls_sheet.h"
#include "rag/readers/office/xls_workbook.h"
#include "rag/readers/office_common.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {
namespace {

class OldWorkbookReader {
 public:
  OldWorkbookReader(ReadContext& context, const std::string& name, const XlsWorkbook& workbook,
                    DocumentBuilder& builder)
      : context_(context),
        name_(name),
        workbook_(workbook),
        builder_(builder),
        cells_(context.limits().text_bytes),
        bytes_left_(workbook.stream().size()) {}

  Status read() {
    int number = 0;
    for (const XlsWorkbook::Sheet& sheet : workbook_.sheets()) {
      ++number;
      if (!sheet.is_code) MNEME_RETURN_IF_ERROR(add_sheet_of(sheet, number));
      MNEME_RETURN_IF_ERROR(context_.check(name_));
    }
    workbook_.names().add_others(builder_);
    running_.write(builder_);
    write_notes();
    return {};
  }

  bool is_cut() const { return n_cut_ > 0; }

 private:
  Status add_sheet_of(const XlsWorkbook::Sheet& sheet, int number) {
    XlsSheetReader reader(workbook_, cells_, running_);
    // Sheets do not overlap: more than there is would be read by no file of Excel's.
    const size_t size = bytes_left_ > 0 ? reader.read(sheet.place) - sheet.place : 0;
    const bool is_cut = bytes_left_ == 0 || reader.is_cut();
    bytes_left_ -= std::min(bytes_left_, size);
    const std::vector<SheetRow> rows = reader.take_rows();
    if (cells_.is_full() && cells_.is_inflated(workbook_.strings())) return too_much_text(name_, context_.limits());
    lost_strings_ += reader.lost_strings();
    if (is_cut && n_cut_++ < kMostNotes) {
      builder_.document().notes.push_back("the sheet " + clean_text(sheet.name) +
                                          (rows.empty() ? " could not be read" : " could not be read to the end"));
    }
    write(sheet, number, rows, reader);
    return {};
  }

  void write(const XlsWorkbook::Sheet& sheet, int number, const std::vector<SheetRow>& rows, XlsSheetReader& reader) {
    const std::vector<CellComment> comments = reader.take_comments();
    if (rows.empty() && comments.empty() && reader.boxes().empty() && reader.charts().empty()) return;
    add_sheet(sheet.is_hidden ? sheet.name + " (hidden sheet)" : sheet.name, number, rows, builder_);
    add_cell_comments(comments, rows, builder_);
    for (const std::string& box : reader.boxes()) {
      for (size_t begin = 0; begin < box.size();) {
        const size_t end = std::min(box.find('\n', begin), box.size());
        builder_.paragraph(std::string_view(box).substr(begin, end - begin));
        begin = end + 1;
      }
    }
    for (const std::string& titles : reader.charts()) {
      if (!titles.empty()) builder_.paragraph("Chart: " + titles);
    }
    workbook_.names().add_of_sheet(sheet.name, rows, builder_);
  }

  void write_notes() {
    std::vector<std::string>& notes = builder_.document().notes;
    if (n_cut_ > kMostNotes) notes.push_back(std::to_string(n_cut_ - kMostNotes) + " more sheets could not be read");
    if (workbook_.is_cut()) notes.emplace_back("what the sheets have in common could not be read to the end");
    if (cells_.is_full()) {
      notes.push_back(cells_.note_of_left_out());
    }
    if (lost_strings_ > 0) {
      notes.push_back(std::to_string(lost_strings_) + " cells refer to texts that the file does not hold");
    }
  }

  static constexpr int kMostNotes = 20;

  ReadContext& context_;
  const std::string& name_;
  const XlsWorkbook& workbook_;
  DocumentBuilder& builder_;
  CellCollector cells_;
  RunningTexts running_;
  size_t bytes_left_;  // of the stream, less what sheets were
  int n_cut_ = 0;
  int lost_strings_ = 0;
};

}  // namespace

Status read_workbook(ReadContext& context, const std::string& name, const CompoundFile& file) {
  const Result<XlsWorkbook> workbook = XlsWorkbook::open(file);
  if (!workbook.ok()) return workbook.status().with_context(printable(name) + ": ");
  rag::Document document;
  document.format = "xls";
  take_ole_properties(file.stream(kSummaryStream), document);
  DocumentBuilder builder(document, context.limits().text_bytes);
  OldWorkbookReader reader(context, name, *workbook, builder);
  MNEME_RETURN_IF_ERROR(reader.read());
  if (builder.empty()) {
    return reader.is_cut() ? corruption(printable(name) + " is damaged: its sheets cannot be read.")
                           : unsupported(printable(name) + " holds no text.");
  }
  return context.emit(name, std::move(document));
}

}  // namespace mneme::readers
