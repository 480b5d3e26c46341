// Pages of lines to a document: running headers and footers set apart, tables in rows, paragraphs joined over lines,
// columns and pages with their hyphenation undone, headings by size and number.
// Internal to rag/readers. Ownership: borrows the builder. Threads: one thread each.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/pdf/pdf_code.h"
#include "rag/readers/pdf/pdf_page.h"
#include "rag/readers/pdf/pdf_running_lines.h"
#include "rag/readers/pdf/pdf_table.h"

namespace mneme::readers {

class PdfAssembler {
 public:
  explicit PdfAssembler(DocumentBuilder& builder) : builder_(builder) {}

  // Pages in order. They are put together in batches, so that memory does not grow with their number.
  void add_page(PdfPage page);
  void finish();

  int pages() const { return pages_; }
  // Headers and footers that were left out of the pages; to be written behind all else.
  const RunningTexts& running_texts() const { return running_.texts(); }
  const std::vector<int>& empty_pages() const { return empty_pages_; }

 private:
  struct Paragraph {
    rag::BlockKind kind = rag::BlockKind::kParagraph;
    int level = 0;
    int page = 0;
    std::string text;
    bool ends_short = false;  // its last line stopped well before the margin
    bool ends_full = false;   // it has several, the last up to the margin
  };

  void assemble_batch();
  void learn_words();
  void drop_running_lines(PdfPage& page);
  void assemble_page(PdfPage& page);
  void write_code(int page, std::span<const PdfLine> lines);
  void write_table(int page, const PdfTable& table);
  // Where the lines of a block lie; n_lines is not 0.
  struct BlockShape {
    float left = 1e9F;
    float right = -1e9F;
    float step = 0;  // from most lines to the next
    size_t n_lines = 0;
    bool hanging = false;  // most lines stand further in than the first
  };
  static BlockShape shape_of(std::span<const PdfLine> lines);
  static std::string beginning_of(std::span<const PdfLine> lines);
  void assemble_block(const PdfPage& page, size_t begin, size_t end);
  bool goes_on_in(const std::string& first_line) const;
  bool starts_paragraph(const PdfLine& line, const BlockShape& shape) const;
  void assemble_set_lines(int page, std::span<const PdfLine> lines);
  void begin_paragraph(Paragraph paragraph);
  void append_line(const std::string& line);
  void flush();
  int heading_level(const PdfPage& page, size_t begin, size_t end, const std::string& text) const;

  DocumentBuilder& builder_;
  std::vector<PdfPage> batch_;
  RunningLines running_;
  CodeLines code_;
  std::set<std::string> hyphenated_;  // "well-known": words with a hyphen of their own, in lower case
  std::vector<int> empty_pages_;
  float body_height_ = 0;
  int pages_ = 0;
  Paragraph open_;
  bool has_open_ = false;
};

}  // namespace mneme::readers
