// A passage's sentences, for quoting, with what they are part of: full stops of any writing, and the borders of lines
// that stand alone (list items, table rows, headings). Passages are plain text of any format, so structure is read off
// the lines themselves. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/document.h"

namespace mneme::rag {

enum class SentenceKind : uint8_t {
  kText,
  kHeading,
  kItem,       // of a list; an item of several sentences is several of these
  kTableHead,  // the row that names the columns
  kRow,        // of a table
  kCode,
};

struct Sentence {
  size_t byte_begin = 0;
  size_t byte_end = 0;  // without trailing space
  SentenceKind kind = SentenceKind::kText;
  int group = -1;         // which list or table of the passage, from 0
  int item = -1;          // which item of its list, from 0
  bool ordered = false;   // the items of its list are numbered: steps
  bool leads_in = false;  // a heading of its paragraph only: "11 April." (entry_marks.h)
  bool defined = false;   // the first of what stands below a term that it defines, as in a list of parameters

  bool is_heading() const { return kind == SentenceKind::kHeading; }
};

std::vector<Sentence> split_sentences(std::string_view text, TextForm form = TextForm::kProse);

}  // namespace mneme::rag
