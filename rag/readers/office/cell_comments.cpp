#include "rag/readers/office/cell_comments.h"

#include <utility>

#include "rag/readers/office/sheet_cells.h"

namespace mneme::readers {

CellComment note_on_cell(std::string cell, std::string author, std::string text) {
  const std::string head = author + ":";
  if (text.starts_with(head)) text.erase(0, head.size());
  return {std::move(cell), std::move(author), std::move(text)};
}

void add_cell_comments(const std::vector<CellComment>& comments, const std::vector<SheetRow>& rows,
                       DocumentBuilder& builder) {
  for (const CellComment& comment : comments) {
    const int number = place_of(comment.cell).row;
    const SheetRow* row = row_numbered(rows, number);
    std::string where = clean_text(comment.cell);
    const std::string says = row == nullptr ? std::string() : joined_cells(row->cells);
    if (!says.empty() && says.size() <= kLongestLabel) where += " (" + says + ")";
    builder.set_lines(number, number);
    builder.paragraph(comment_line(comment.author, where, comment.text));
  }
  builder.set_lines(0, 0);
}

}  // namespace mneme::readers
