// What a Word file of 1997 to 2003 says of its characters and paragraphs: lists of changes ("sprm") on pages of 512
// bytes, by the place of the text in the file (MS-DOC 2.6, 2.9.32 and 2.9.174). Internal to rag/readers. Threads:
// immutable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rag/readers/raised_text.h"

namespace mneme::readers {

struct DocCharacters {
  Shift shift = Shift::kNone;
  bool is_deleted = false;  // by tracked changes
  bool is_symbol = false;   // stands for a character of a font of signs
};

struct DocParagraph {
  int style = 0;          // number in the table of styles
  int outline_level = 0;  // from 1; 0: none of its own
  bool in_table = false;
  bool ends_row = false;
  int list = kUnsaid;        // number of the list that numbers it, from 1; 0: none
  int list_level = kUnsaid;  // from 0

  static constexpr int kUnsaid = -1;  // what the style says holds
};

// What a list of changes makes of a paragraph.
DocParagraph changed_by(std::string_view changes, const DocParagraph& before);

// Properties by place. Of pages that are damaged those that can be read.
template <typename Properties>
class DocRuns {
 public:
  // word: the stream WordDocument. pages: the list of its pages in the stream of tables.
  DocRuns(std::string_view word, std::string_view pages);

  // Of the byte at `place` of the stream; the defaults where nothing is said.
  Properties at(uint32_t place) const;

 private:
  struct Run {
    uint32_t begin;
    uint32_t end;
    Properties properties;
  };
  void read_page(std::string_view page);

  std::vector<Run> runs_;  // by begin
};

extern template class DocRuns<DocCharacters>;
extern template class DocRuns<DocParagraph>;

}  // namespace mneme::readers
