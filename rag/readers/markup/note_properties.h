// What programs for notes keep in the Markdown of a note: Joplin's fields behind its text, properties and drawers of
// Logseq. Internal to rag/readers. Threads: as the document.
#pragma once

#include <string_view>

#include "rag/document.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {

// A document's text without the fields that Joplin's raw export has behind it; title and day are taken from there.
std::string_view text_above_tail(rag::Document& document);

// Properties of a page at its beginning ("title:: The flat"): a block of code, as front matter is; title, day and
// author into the document. `lines` goes on behind them.
void take_page_properties(rag::Document& document, LineCursor& lines, BlockWriter& blocks);

// Lines of outlines that only programs read: "id:: 65f0", "collapsed:: true", drawers of times.
class OutlineAsides {
 public:
  bool is_aside(std::string_view trimmed);

 private:
  bool in_drawer_ = false;
};

}  // namespace mneme::readers
