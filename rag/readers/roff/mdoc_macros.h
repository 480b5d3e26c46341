// The macros of mdoc(7) that make blocks; those of words are in mdoc_words.h. Ownership: borrows lines and page.
// Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/roff/manual_page.h"
#include "rag/readers/roff/mdoc_words.h"
#include "rag/readers/roff/roff_lines.h"

namespace mneme::readers {

class MdocMacros {
 public:
  MdocMacros(const RoffLines& lines, ManualPage& page, rag::Document& document)
      : lines_(lines), page_(page), document_(document) {}

  void take(const RoffLine& line);

 private:
  enum class ListKind { kBullets, kNumbers, kTags, kColumns };
  struct List {
    ListKind kind;
    int n_items = 0;
  };

  bool take_structure(std::string_view request, const std::vector<std::string>& words);
  bool take_display(std::string_view request, const std::vector<std::string>& words);
  void begin_list(const std::vector<std::string>& words);
  void take_item(const std::vector<std::string>& words);
  void take_columns(const std::vector<std::string>& words);
  void put(std::string_view words);

  const RoffLines& lines_;
  ManualPage& page_;
  rag::Document& document_;
  MdocWords inline_;
  std::vector<List> lists_;
  bool in_synopsis_ = false;
};

}  // namespace mneme::readers
