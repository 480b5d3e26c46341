// The sheets of an OpenDocument spreadsheet: rows of cells, what is said on them, shapes below. A sheet comes whole, or
// in pieces, one after the other.
// Internal to rag/readers. Ownership: borrows walker and builder. Threads: one thread each.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/office/odf_walker.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {

class OdfSheets {
 public:
  // content: the document element of content.xml, whose styles say which sheets are hidden. text_limit_bytes: of the
  // rows of a sheet; further ones are left out, as the builder leaves them out.
  OdfSheets(OdfWalker& walker, DocumentBuilder& builder, const pugi::xml_node& content, uint64_t text_limit_bytes);

  // A table:table, or a piece of one. The last piece writes the sheet.
  void add(const pugi::xml_node& table, bool is_last);

  // Whether trees of pieces so far are still needed when the sheet is written.
  bool holds_nodes() const { return !shapes_.empty() || walker_.has_boxes(); }

 private:
  void begin(const pugi::xml_node& table);
  void read_rows(const pugi::xml_node& parent, int depth);
  void take_row(const pugi::xml_node& row);
  void write();

  OdfWalker& walker_;
  DocumentBuilder& builder_;
  const uint64_t text_limit_bytes_;
  std::set<std::string, std::less<>> hidden_styles_;
  int number_ = 0;  // of the sheet
  bool is_within_ = false;
  std::string name_;
  std::vector<SheetRow> rows_;
  uint64_t n_bytes_ = 0;                               // of them
  std::vector<std::pair<int, std::string>> comments_;  // by the number of the row
  std::vector<pugi::xml_node> shapes_;
  int next_row_ = 1;
};

}  // namespace mneme::readers
