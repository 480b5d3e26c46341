// Pages of lines to a document: running headers and footers dropped, tables in rows, paragraphs joined over lines,
// columns and pages with their hyphenation undone, headings by size and number.
// Internal to rag/readers. Ownership: borrows the builder. Threads: one thread each.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "rag/readers/document_builder.h"
#include "rag/readers/pdf/pdf_page.h"

namespace mneme::readers {

class PdfAssembler {
 public:
  explicit PdfAssembler(DocumentBuilder& builder) : builder_(builder) {}

  // Pages in order. They are put together in batches, so that memory does not grow with their number.
  void add_page(PdfPage page);
  void finish();

  int pages() const { return pages_; }
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
  void learn_running_lines();
  void learn_words();
  bool is_running(const PdfPage& page, const PdfLine& line) const;
  void assemble_page(PdfPage& page);
  void assemble_block(const PdfPage& page, size_t begin, size_t end);
  void assemble_set_lines(int page, std::span<const PdfLine> lines);
  void begin_paragraph(Paragraph paragraph);
  void append_line(const std::string& line);
  void flush();
  int heading_level(const PdfPage& page, size_t begin, size_t end, const std::string& text) const;

  DocumentBuilder& builder_;
  std::vector<PdfPage> batch_;
  std::map<std::string, int> running_;   // lines near the edges, digits as '#', with the number of pages that have them
  std::set<std::string> running_known_;  // those that have proved to run
  std::set<std::string> hyphenated_;     // "well-known": words with a hyphen of their own, in lower case
  std::vector<int> empty_pages_;
  float body_height_ = 0;
  int pages_ = 0;
  Paragraph open_;
  bool has_open_ = false;
};

}  // namespace mneme::readers
