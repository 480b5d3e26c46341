#include "ui/widgets/excerpt.h"

#include <algorithm>

#include "base/utf8.h"
#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/row_text.h"
#include "rag/quoting/outline/source_lines.h"
#include "rag/text/markup/rules.h"
#include "ui/widgets/html_tags.h"
#include "ui/widgets/markdown.h"

namespace mneme::ui {
namespace {

// "price{: data-type="term"}": attributes, which some dialects of Markdown put behind a span.
void erase_attributes(std::string& text) {
  for (size_t at = text.find("{:"); at != std::string::npos; at = text.find("{:", at)) {
    const size_t end = text.find_first_of("}\n", at);
    if (end == std::string::npos || text[end] != '}') return;
    text.erase(at, end + 1 - at);
  }
}

// Rows of a table whose head stands above the cut are no table to the parser: their cells, and the text behind them.
std::string take_headless_rows(std::string_view& markdown) {
  const auto first_line = [](std::string_view text) { return text.substr(0, std::min(text.find('\n'), text.size())); };
  const auto is_rule = [](std::string_view line) {
    return !line.empty() && line.find_first_not_of("|-: ") == line.npos;
  };
  const std::string_view first = first_line(markdown);
  if (!first.starts_with('|') || is_rule(first_line(markdown.substr(std::min(first.size() + 1, markdown.size())))))
    return {};
  std::string rows;
  while (markdown.starts_with('|')) {
    const std::string_view row = first_line(markdown);
    std::string cells;
    for (const std::string& cell : rag::row_cells(row)) cells += (cells.empty() ? "" : "  ·  ") + cell;
    rows += (rows.empty() ? "" : "\n") + cells;
    markdown.remove_prefix(std::min(row.size() + 1, markdown.size()));
  }
  return rows;
}

// At most limit_bytes, up to the end of a word; where the words are longer than that (scripts without spaces), of a
// character.
size_t cut_of(std::string_view text, size_t limit_bytes) {
  constexpr size_t kLongestWord = 40;  // bytes
  const size_t end = utf8::floor_boundary(text, limit_bytes);
  if (end == text.size() || text[end] == ' ' || text[end] == '\n') return end;
  const size_t space = text.substr(0, end).find_last_of(" \n");
  return space == text.npos || end - space > kLongestWord ? end : space;
}

}  // namespace

std::string plain_excerpt(std::string_view markdown, size_t limit_bytes) {
  markdown = without_front_matter(markdown);  // of its title a card says, the rest is for programs
  // Blocks of a longer cut are parsed whole; one that the cut falls into loses little.
  std::string excerpt = take_headless_rows(markdown);
  const std::string_view head = markdown.substr(0, cut_of(markdown, 4 * limit_bytes));
  for (const MarkdownBlock& block : parse_markdown(without_tags(rag::without_rules(rag::with_plain_roles(head))))) {
    if (!excerpt.empty()) excerpt += '\n';
    if (!block.marker.empty()) excerpt += block.marker + " ";
    for (const Inline& in : block.inlines) excerpt += (in.line_break ? "\n" : "") + in.text;
    for (const auto& row : block.rows) {
      if (!excerpt.empty() && excerpt.back() != '\n') excerpt += '\n';
      for (size_t i = 0; i < row.size(); ++i) {
        if (i > 0) excerpt += "  ·  ";
        for (const Inline& in : row[i]) excerpt += in.text;
      }
    }
    erase_attributes(excerpt);
    if (excerpt.size() > limit_bytes) break;
  }
  if (excerpt.size() <= limit_bytes && head.size() == markdown.size()) return excerpt;
  excerpt.resize(cut_of(excerpt, limit_bytes));
  excerpt.resize(excerpt.find_last_not_of(" \n.,;:") + 1);  // no four dots in a row, no dots on a line of their own
  return excerpt + "…";
}

std::vector<std::string> code_excerpt(std::string_view code, size_t most_lines) {
  size_t end = 0;
  size_t n_lines = 0;
  for (; n_lines < most_lines && end < code.size(); ++n_lines)
    end = std::min(code.find('\n', end), code.size() - 1) + 1;
  const std::string text = printable(rag::unindented(code.substr(0, end)));
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t stop = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, stop - begin));
    begin = stop + 1;
  }
  const auto is_blank = [](const std::string& line) { return line.find_first_not_of(' ') == line.npos; };
  while (!lines.empty() && is_blank(lines.back())) lines.pop_back();
  if (end < code.size() && !lines.empty()) lines.emplace_back("…");
  return lines;
}

}  // namespace mneme::ui
