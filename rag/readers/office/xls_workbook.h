// What the sheets of an Excel file before 2007 have in common (MS-XLS 2.1.7.20.1, the globals): their names, the texts
// of cells, formats, and the names that are given to cells. Internal to rag/readers. Threads: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "rag/readers/office/biff_records.h"
#include "rag/readers/office/compound_file.h"
#include "rag/readers/office/defined_names.h"
#include "rag/readers/office/sheet_cells.h"
#include "rag/readers/office/xls_texts.h"

namespace mneme::readers {

class XlsWorkbook {
 public:
  struct Sheet {
    std::string name;
    size_t place = 0;  // in the stream
    bool is_hidden = false;
    bool is_code = false;  // a module of macros
  };

  // kUnsupported: encrypted, or older; kCorruption: not to be read. The messages lack the file's name.
  static Result<XlsWorkbook> open(const CompoundFile& file);

  std::string_view stream() const { return stream_; }
  const std::vector<Sheet>& sheets() const { return sheets_; }
  const XlsTexts& texts() const { return texts_; }
  const std::vector<std::string>& strings() const { return strings_; }  // of cells
  const CellStyles& styles() const { return styles_; }
  const DefinedNames& names() const { return names_; }
  // The end of what the sheets have in common was not found.
  bool is_cut() const { return is_cut_; }

 private:
  struct SheetRange {
    uint16_t book = 0;  // which of the books that are referred to
    int16_t first = -1;
    int16_t last = -1;
  };

  explicit XlsWorkbook(std::string stream) : stream_(std::move(stream)) {}
  Status read();
  void take(const BiffRecord& record);
  void take_sheet(const BiffRecord& record);
  void take_format(const BiffRecord& record);
  void take_strings(const BiffRecord& record);
  void take_ranges(const BiffRecord& record);
  void take_name(const BiffRecord& record);
  std::string referred_to(std::string_view formula) const;
  std::string text_referred_to(std::string_view formula) const;
  std::string sheet_referred_to(size_t range) const;

  std::string stream_;
  std::vector<Sheet> sheets_;
  XlsTexts texts_;
  std::vector<std::string> strings_;
  CellStyles styles_;
  std::map<uint16_t, NumberFormat> formats_;  // those that are spelled out
  std::vector<bool> books_;                   // that are referred to: whether it is this one
  std::vector<SheetRange> ranges_;
  DefinedNames names_;
  bool is_cut_ = false;
};

}  // namespace mneme::readers
