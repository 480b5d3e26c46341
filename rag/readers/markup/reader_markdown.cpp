// Markdown: CommonMark's block structure with pipe tables and front matter, by lines, so that every block keeps its
// exact place in the file (parsers that render give no offsets). Inline markup stays in the text.
#include <optional>
#include <string_view>

#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/markup/note_properties.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

struct Fence {
  char mark = 0;
  size_t length = 0;
};

std::optional<Fence> opening_fence(std::string_view trimmed) {
  if (trimmed.size() < 3 || (trimmed[0] != '`' && trimmed[0] != '~')) return std::nullopt;
  size_t length = 0;
  while (length < trimmed.size() && trimmed[length] == trimmed[0]) ++length;
  if (length < 3) return std::nullopt;
  // An info string with backticks is inline code that happens to start a line.
  if (trimmed[0] == '`' && trimmed.find('`', length) != std::string_view::npos) return std::nullopt;
  return Fence{trimmed[0], length};
}

bool closes(const Fence& fence, std::string_view trimmed) {
  return trimmed.size() >= fence.length && all_of_char(trimmed, fence.mark);
}

// Level of "# Title"; 0: none.
int atx_level(std::string_view trimmed) {
  size_t level = 0;
  while (level < trimmed.size() && trimmed[level] == '#') ++level;
  if (level == 0 || level > 6) return 0;
  const bool separated = level == trimmed.size() || trimmed[level] == ' ' || trimmed[level] == '\t';
  return separated ? static_cast<int>(level) : 0;
}

int setext_level(std::string_view trimmed) {
  if (trimmed.empty()) return 0;
  if (all_of_char(trimmed, '=')) return 1;
  return all_of_char(trimmed, '-') ? 2 : 0;
}

// Bytes of a list marker with its white space ("- ", "12. "); 0: none.
size_t list_marker(std::string_view trimmed) {
  if (trimmed.empty()) return 0;
  size_t mark = 0;
  if (trimmed[0] == '-' || trimmed[0] == '*' || trimmed[0] == '+') {
    mark = 1;
  } else {
    while (mark < trimmed.size() && mark < 9 && trimmed[mark] >= '0' && trimmed[mark] <= '9') ++mark;
    if (mark == 0 || mark >= trimmed.size() || (trimmed[mark] != '.' && trimmed[mark] != ')')) return 0;
    ++mark;
  }
  if (mark == trimmed.size()) return mark;
  return trimmed[mark] == ' ' || trimmed[mark] == '\t' ? mark + 1 : 0;
}

bool thematic_break(std::string_view trimmed) {
  if (trimmed.size() < 3) return false;
  const char mark = trimmed[0];
  if (mark != '-' && mark != '*' && mark != '_') return false;
  size_t marks = 0;
  for (const char c : trimmed) {
    if (c == mark) {
      ++marks;
    } else if (c != ' ' && c != '\t') {
      return false;
    }
  }
  return marks >= 3;
}

// "|---|:--:|"
bool table_delimiter(std::string_view trimmed) {
  return trimmed.find('-') != std::string_view::npos && trimmed.find('|') != std::string_view::npos &&
         trimmed.find_first_not_of("|-: \t") == std::string_view::npos;
}

class MarkdownParser {
 public:
  explicit MarkdownParser(rag::Document& document)
      : document_(document), blocks_(document), lines_(text_above_tail(document)) {}

  void run() {
    take_front_matter(document_, lines_, blocks_);
    take_page_properties(document_, lines_, blocks_);
    Line line;
    while (lines_.next(line)) {
      if (!outline_.is_aside(line.trimmed())) take(line);
    }
    if (document_.blocks.size() > 1) take_stated_day();
  }

 private:
  void take(const Line& line) {
    const std::string_view trimmed = line.trimmed();
    if (trimmed.empty()) {
      end_paragraph();
      return;
    }
    const size_t indent = line.indent();
    if (const auto fence = opening_fence(trimmed)) return take_fence(line, *fence);
    // Less indented than its text: the list item is over, unless the line continues its paragraph.
    if (indent < list_indent_ && !blocks_.open(rag::BlockKind::kListItem)) list_indent_ = 0;
    const bool nested_item = list_indent_ > 0 && list_marker(trimmed) > 0;
    if (indent >= list_indent_ + 4 && !blocks_.open() && !nested_item) return take_indented_code(line);
    if (trimmed.starts_with("<!--") && take_comment(line)) return;
    if (const int level = atx_level(trimmed); level > 0 && indent < list_indent_ + 4) return take_heading(line, level);
    if (take_setext(line, trimmed)) return;
    if (thematic_break(trimmed)) return end_paragraph();
    if (take_table(line, trimmed)) return;
    if (trimmed[0] == '>') return take_quote(line);
    if (const size_t marker = list_marker(trimmed)) return take_list_item(line, indent + marker);
    if (blocks_.open()) {
      blocks_.extend(line);
    } else if (list_indent_ > 0 && indent >= list_indent_) {
      blocks_.begin(rag::BlockKind::kListItem, line);  // a further paragraph of the item
    } else {
      list_indent_ = 0;
      blocks_.begin(rag::BlockKind::kParagraph, line);
    }
  }

  void end_paragraph() {
    blocks_.close();
    in_table_ = false;
  }

  // "Created: March 12, 2026 6:05 PM" below the title, as Notion has it.
  void take_stated_day() {
    const rag::Block& below = document_.blocks[1];
    if (document_.blocks[0].kind != rag::BlockKind::kHeading || below.kind != rag::BlockKind::kParagraph) return;
    LineCursor lines(std::string_view(document_.text).substr(below.byte_begin, below.byte_end - below.byte_begin));
    Line line;
    while (lines.next(line)) {
      const size_t colon = line.text.find(": ");
      if (colon > 20) return;  // or there is none
      const std::string_view key = line.text.substr(0, colon);
      if (key.starts_with("Created")) take_metadata(document_, key, line.text.substr(colon + 2));
    }
  }

  // "<!-- .. -->" of whole lines is for tools and writers, and is left out. One with text behind it, or without an end,
  // is read as text.
  bool take_comment(const Line& first) {
    const std::string_view text = document_.text;
    const size_t inside = first.begin + first.text.find('<') + 4;
    if (comment_.end < inside) {  // else it is the end of this one as well
      comment_.end = text.find("-->", inside);
      if (comment_.end != std::string_view::npos) {
        const std::string_view behind = text.substr(comment_.end + 3);
        comment_.ends_line = trim(behind.substr(0, behind.find_first_of("\r\n"))).empty();
      }
    }
    if (comment_.end == std::string_view::npos || !comment_.ends_line) return false;
    end_paragraph();
    Line line;
    while (lines_.offset() <= comment_.end && lines_.next(line)) {
    }
    return true;
  }

  void take_fence(const Line& first, const Fence& fence) {
    end_paragraph();
    blocks_.begin(rag::BlockKind::kCode, first);
    Line line;
    while (lines_.next(line)) {
      if (!line.blank()) blocks_.extend(line);
      if (closes(fence, line.trimmed())) break;
    }
    blocks_.close();
  }

  void take_indented_code(const Line& first) {
    const size_t least = list_indent_ + 4;
    blocks_.begin(rag::BlockKind::kCode, first);
    Line line;
    while (lines_.peek(line) && (line.blank() || line.indent() >= least)) {
      lines_.next(line);
      if (!line.blank()) blocks_.extend(line);
    }
    blocks_.close();
  }

  void take_heading(const Line& line, int level) {
    end_paragraph();
    list_indent_ = 0;
    blocks_.single(rag::BlockKind::kHeading, line, level);
    std::string_view text = line.trimmed();
    text.remove_prefix(static_cast<size_t>(level));
    note_title(text, level);
  }

  void note_title(std::string_view text, int level) {
    const size_t colon = text.find(": ");
    if (colon < 12 && document_.blocks.size() < 6) {  // npos is not
      const std::string_view key = trim(text.substr(0, colon));
      const bool known = equals_ignoring_case(key, "title") || equals_ignoring_case(key, "author");
      if (known) return take_metadata(document_, key, text.substr(colon + 2));
    }
    if (!document_.title.empty() || (level > 1 && document_.blocks.size() > 1)) return;
    text = trim(text);
    const size_t last = text.find_last_not_of('#');
    if (last != std::string_view::npos && last + 1 < text.size() && text[last] == ' ') text = text.substr(0, last);
    document_.title = plain_inline(text);
  }

  // A paragraph of one line that this line underlines.
  bool take_setext(const Line& line, std::string_view trimmed) {
    if (!blocks_.open(rag::BlockKind::kParagraph) || in_table_) return false;
    const int level = setext_level(trimmed);
    rag::Block& block = blocks_.block();
    if (level == 0 || block.line_begin != block.line_end) return false;
    const std::string_view title =
        std::string_view(document_.text).substr(block.byte_begin, block.byte_end - block.byte_begin);
    block.kind = rag::BlockKind::kHeading;
    block.heading_level = level;
    blocks_.extend(line);
    end_paragraph();
    list_indent_ = 0;
    note_title(title, level);
    return true;
  }

  bool take_table(const Line& line, std::string_view trimmed) {
    if (in_table_ && trimmed.find('|') != std::string_view::npos) {
      blocks_.begin(rag::BlockKind::kTableRow, line);
      return true;
    }
    in_table_ = false;
    Line below;
    if (trimmed.find('|') == std::string_view::npos || !lines_.peek(below) || !table_delimiter(below.trimmed())) {
      return false;
    }
    // Header and delimiter are one row.
    blocks_.begin(rag::BlockKind::kTableRow, line);
    lines_.next(below);
    blocks_.extend(below);
    in_table_ = true;
    return true;
  }

  void take_quote(const Line& line) {
    if (blocks_.open(rag::BlockKind::kQuote)) {
      blocks_.extend(line);
    } else {
      blocks_.begin(rag::BlockKind::kQuote, line);
    }
  }

  void take_list_item(const Line& line, size_t content_indent) {
    end_paragraph();
    list_indent_ = content_indent;
    blocks_.begin(rag::BlockKind::kListItem, line);
  }

  rag::Document& document_;
  BlockWriter blocks_;
  LineCursor lines_;
  OutlineAsides outline_;
  bool in_table_ = false;
  struct {
    size_t end = 0;  // of the first "-->" behind where a comment was last met; npos: there is none
    bool ends_line = false;
  } comment_;
  size_t list_indent_ = 0;  // columns where the text of the list item in work begins; 0: in no list
};

}  // namespace

void parse_markdown(rag::Document& document) {
  MarkdownParser(document).run();
}

}  // namespace mneme::readers
