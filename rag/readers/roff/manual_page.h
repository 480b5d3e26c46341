// A manual page as it is written down: headings, paragraphs, items with what they explain, code, rows of tables. Both
// macro packages write with it. Ownership: borrows the builder. Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/document_builder.h"

namespace mneme::readers {

class ManualPage {
 public:
  explicit ManualPage(DocumentBuilder& builder) : builder_(builder) {}
  ~ManualPage() = default;
  ManualPage(const ManualPage&) = delete;
  ManualPage& operator=(const ManualPage&) = delete;

  // The line of the file that is being read.
  void set_line(int number) { line_ = number; }

  // What "TH" or "Dt" says of it, as written: "LS", "1".
  void set_name(std::string_view name, std::string_view section);
  void heading(int level, std::string_view text);
  // Words behind those of the block that is open; in code a line.
  void text(std::string_view words);
  // The block's own text, for those who put words behind it by rules of theirs.
  std::string& open_text();
  void break_line();
  void paragraph();  // another one begins
  // An item begins: a bullet, a number, or what it explains ("-a, --all").
  void item(std::string_view marker, int depth);
  void further_marker(std::string_view marker);  // of the item that has just begun
  void begin_code();
  void end_code();
  bool in_code() const { return kind_ == rag::BlockKind::kCode; }
  void table_row(const std::vector<std::string>& cells);
  // Writes what is open, and the title that name and section give.
  void finish();

 private:
  void flush();
  void take_description(std::string_view paragraph);

  DocumentBuilder& builder_;
  rag::BlockKind kind_ = rag::BlockKind::kParagraph;
  std::string text_;
  std::string marker_;
  int depth_ = 0;
  int line_ = 0;
  int first_line_ = 0;  // of the block that is open
  int last_line_ = 0;
  std::string name_;
  std::string section_;
  std::string description_;  // "list directory contents"
};

}  // namespace mneme::readers
