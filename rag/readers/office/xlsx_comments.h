// Comments of Excel's sheets: notes on cells, and threads of them with replies.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/readers/office/cell_comments.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {

class XlsxComments {
 public:
  // Who writes threads; links: of the workbook. Errors of both: those of SideParts::read().
  Status read_persons(SideParts& parts, const PartLinks& links);

  // What is said on the cells of one sheet, in the order of the file. links: of the sheet; label: its name for notes.
  Status read(SideParts& parts, const PartLinks& links, const std::string& label,
              std::vector<CellComment>& comments) const;

 private:
  std::map<std::string, std::string, std::less<>> persons_;  // by id
};

}  // namespace mneme::readers
