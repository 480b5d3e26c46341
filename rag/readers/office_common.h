// What the readers of office formats share: metadata, comments, numbers, spreadsheet rows.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/document.h"
#include "rag/readers/document_builder.h"
#include "rag/readers/number_labels.h"
#include "rag/readers/office/side_parts.h"
#include "rag/readers/office/zip_package.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {

// Title, author and date of docProps/core.xml (OOXML); nothing when it is missing, and what can be read of a damaged
// one.
Status take_core_properties(SideParts& parts, rag::Document& document);

// The part that is the document: `usual`, or what the package names where there is none of that name.
std::string main_part(ZipPackage& zip, const std::string& usual);

// The first heading becomes the title of a document without one.
void title_from_heading(rag::Document& document);

// A paragraph with its number: a heading, an item of a list, or a paragraph of text.
void add_numbered(int heading_level, std::string_view text, const ListPlace& place, DocumentBuilder& builder);

// "Comment by Ann on B3: Is this net?"; "" where nothing is said. author, where: may be empty.
std::string comment_line(std::string_view author, std::string_view where, std::string_view text);

// Decimal integer at the beginning, `otherwise` when there is none or it is out of range.
int to_int(std::string_view text, int otherwise);

inline constexpr size_t kMostColumns = 1024;  // of one row of a table
// What a cell over several rows says is repeated in each, so that each can be read by itself; longer texts are not.
inline constexpr size_t kLongestLabel = 200;

struct SheetRow {
  int number = 0;  // 1-based row of the sheet
  std::vector<std::string> cells;
  bool has_amounts = false;  // numbers with a currency or unit: it names no columns
};

// The row of that number among rows in order; null when there is none.
const SheetRow* row_numbered(const std::vector<SheetRow>& rows, int number);

// Writes the rows of one sheet, their numbers as lines: a first row of names becomes a heading below that of the sheet,
// so that it travels with every chunk of the sheet.
void add_sheet(std::string_view name, int number, const std::vector<SheetRow>& rows, DocumentBuilder& builder);

// True when a row looks like the names of columns above `next`: cells filled with text, none a number but years over
// what are none.
bool is_header_row(const std::vector<std::string>& row, const std::vector<std::string>& next);

}  // namespace mneme::readers
