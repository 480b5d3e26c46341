// Markdown as a flat list of blocks, ready to be laid out. Parsing is md4c's (GitHub dialect, no HTML); what a document
// or a model writes is only ever text: links are shown, never followed by themselves, images are named, never fetched.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ui/widgets/printable.h"

namespace mneme::ui {

struct Inline {
  std::string text;
  bool bold = false;
  bool italic = false;
  bool code = false;
  bool strike = false;
  std::string link;         // target, when it is one
  int citation = 0;         // n of a [n] chip; the text is then "[n]"
  bool line_break = false;  // a forced break before the text
};

using TableRows = std::vector<std::vector<std::vector<Inline>>>;  // rows of cells

enum class MarkdownKind { kParagraph, kHeading, kListItem, kCode, kQuote, kTable, kRule };

struct MarkdownBlock {
  MarkdownKind kind = MarkdownKind::kParagraph;
  int level = 0;                // heading 1-6; nesting of lists and quotes
  std::string marker;           // of a list item: "•", "3.", "☑"
  std::string language;         // of a code block
  std::vector<Inline> inlines;  // code blocks hold one, verbatim
  TableRows rows;               // of a table; the first is the header
};

// Never fails: text that is not Markdown is paragraphs. Bounded: nesting beyond 32 levels is flattened.
std::vector<MarkdownBlock> parse_markdown(std::string_view text);

}  // namespace mneme::ui
