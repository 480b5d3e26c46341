// Builds the text of a document whose format is not plain text: blocks one after another, clean UTF-8, bounded.
// Ownership: borrows the document. Threads: one thread each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/document.h"

namespace mneme::readers {

// A line that its author ended on purpose (<br>, Shift+Return): Unicode's line separator. Paragraphs, quotations and
// list items keep it as the end of a line, addresses and verses so as lines; in headings and cells it is a space.
inline constexpr std::string_view kLineBreak = "\xe2\x80\xa8";

class DocumentBuilder {
 public:
  // After `text_limit_bytes` further blocks are dropped and full() is true.
  DocumentBuilder(rag::Document& document, uint64_t text_limit_bytes) : document_(document), limit_(text_limit_bytes) {}

  void set_page(int page) { page_ = page; }
  int page() const { return page_; }
  // Lines of the source that the next blocks come from; 0: the format has none.
  void set_lines(int begin, int end) {
    line_begin_ = begin;
    line_end_ = end;
  }

  // White space is collapsed, but not in code. Text without any word is dropped; a paragraph or quotation in which two
  // line breaks follow each other ends there, and another begins.
  void add(rag::BlockKind kind, std::string_view text, int heading_level = 0);
  void heading(int level, std::string_view text) { add(rag::BlockKind::kHeading, text, level); }
  void paragraph(std::string_view text) { add(rag::BlockKind::kParagraph, text); }
  // marker: what stands before an item, "-" or its number.
  void list_item(std::string_view text, int depth = 0, std::string_view marker = "-");
  void code(std::string_view text) { add(rag::BlockKind::kCode, text); }
  // Cells are joined by " | "; empty cells at the end are left out, a row of empty cells altogether.
  void table_row(const std::vector<std::string>& cells);

  bool full() const { return full_; }
  bool empty() const { return document_.blocks.empty(); }
  rag::Document& document() { return document_; }

 private:
  void add_lines(rag::BlockKind kind, std::string_view text);
  void append_block(rag::BlockKind kind, std::string_view clean, int level);

  rag::Document& document_;
  uint64_t limit_;
  bool full_ = false;
  int page_ = 0;
  int line_begin_ = 0;
  int line_end_ = 0;
};

// Cells as table_row() writes them; a row whose first cell is empty begins with a bar ("| | Jan | Feb").
std::string joined_cells(const std::vector<std::string>& cells);

// Runs of white space (no-break spaces and line breaks included) to one space, none at the ends; malformed UTF-8 to
// U+FFFD, control characters and soft hyphens dropped.
std::string clean_text(std::string_view text);

}  // namespace mneme::readers
