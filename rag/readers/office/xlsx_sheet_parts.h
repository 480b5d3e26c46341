// What belongs to one sheet of a workbook beside its cells: comments, text boxes, charts, SmartArt, and what is printed
// above and below. Internal to rag/readers. Ownership: borrows the parts. Threads: one thread each.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/office/xlsx_comments.h"
#include "rag/readers/office_common.h"
#include "rag/readers/running_texts.h"

namespace mneme::readers {

class SheetParts {
 public:
  SheetParts(SideParts& parts, int depth) : parts_(parts), depth_(depth) {}

  // part: the sheet's; label: its name for notes. Errors of all: those of SideParts::read().
  Status read(const std::string& part, const std::string& label, const XlsxComments& comments);
  // Whether there is anything to write.
  bool empty() const;
  Status write(const std::vector<SheetRow>& rows, DocumentBuilder& builder);

 private:
  void find_drawings(const pugi::xml_node& node, int depth_left);

  SideParts& parts_;
  const int depth_;
  std::string label_;
  std::vector<CellComment> comments_;
  pugi::xml_document shapes_;          // the sheet's drawing
  PartLinks shape_links_;              // of it
  std::vector<std::string> drawings_;  // ids of links to charts and diagrams
};

// The texts of a sheet's header and footer.
void take_printed_texts(const pugi::xml_document& sheet, RunningTexts& running);

}  // namespace mneme::readers
