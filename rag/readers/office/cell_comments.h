// Comments on the cells of sheets, as passages tell them. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/office_common.h"

namespace mneme::readers {

struct CellComment {
  std::string cell;  // "B3"
  std::string author;
  std::string text;
};

// Excel begins a note with its author's name in a line of its own, which is taken away.
CellComment note_on_cell(std::string cell, std::string author, std::string text);

// Below the sheet's rows, each with what its row says.
void add_cell_comments(const std::vector<CellComment>& comments, const std::vector<SheetRow>& rows,
                       DocumentBuilder& builder);

}  // namespace mneme::readers
