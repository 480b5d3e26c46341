// Source code and configuration: blocks of code between blank lines that stand before unindented lines, so that a
// function with blank lines inside stays one block.
#include "rag/readers/format_list.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {

void parse_source(rag::Document& document) {
  BlockWriter blocks(document);
  LineCursor lines(document.text);
  Line line;
  bool after_blank = true;
  while (lines.next(line)) {
    if (line.blank()) {
      after_blank = true;
      continue;
    }
    const bool closes = line.text[0] == '}' || line.text[0] == ')' || line.text[0] == ']';
    const bool new_piece = after_blank && line.indent() == 0 && !closes;
    if (!blocks.open() || new_piece) {
      blocks.begin(rag::BlockKind::kCode, line);
    } else {
      blocks.extend(line);
    }
    after_blank = false;
  }
}

}  // namespace mneme::readers
