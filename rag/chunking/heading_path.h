// The breadcrumb of headings above a place in a document. Internal to rag/chunking.
// Ownership: borrows the document. Threads: one thread each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/document.h"

namespace mneme::chunking {

class HeadingPath {
 public:
  explicit HeadingPath(const rag::Document& document)
      : document_(document), pages_stand_alone_(rag::pages_stand_alone(document.format)) {}

  // "Guide > Install" for the block with this index, its own heading included. Indices must not decrease.
  std::string at(uint32_t block);

 private:
  std::string text_of(const rag::Block& heading) const;

  const rag::Document& document_;
  const bool pages_stand_alone_;
  int page_ = 0;
  uint32_t next_ = 0;
  std::vector<std::pair<int, std::string>> open_;  // level and text of the headings that hold
};

// The words of a heading without the marks of Markdown, reStructuredText or AsciiDoc around them; `longest` bytes at
// most.
std::string heading_text(std::string_view block_text, size_t longest);

}  // namespace mneme::chunking
