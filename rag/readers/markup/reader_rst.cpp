// reStructuredText: sections by adornment, literal blocks and directives, lists, field lists, grid and simple tables.
// Line by line with exact places; roles and references stay in the text.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

// The character a line is made of when it can be an adornment; 0 otherwise.
char adornment(const Line& line) {
  std::string_view text = line.text;
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (text.size() < 2) return 0;
  constexpr std::string_view kMarks = "=-`:'\"~^_*+#<>.!$%&,/;?@\\|";
  return kMarks.find(text[0]) != std::string_view::npos && all_of_char(text, text[0]) ? text[0] : 0;
}

size_t visible_width(std::string_view text) {
  size_t width = 0;
  for (const char c : text) width += (c & 0xc0) != 0x80;
  return width;
}

bool table_rule(std::string_view trimmed) {
  if (trimmed.size() < 5) return false;
  if (trimmed[0] == '+') return trimmed.find_first_not_of("+-=") == std::string_view::npos;
  return trimmed[0] == '=' && trimmed.find(' ') != std::string_view::npos &&
         trimmed.find_first_not_of("= ") == std::string_view::npos;
}

bool list_marker(std::string_view trimmed) {
  if (trimmed.size() < 2) return false;
  if ((trimmed[0] == '-' || trimmed[0] == '*' || trimmed[0] == '+') && trimmed[1] == ' ') return true;
  size_t mark = trimmed[0] == '(' ? 1 : 0;
  const size_t first = mark;
  while (mark < trimmed.size() && trimmed[mark] >= '0' && trimmed[mark] <= '9') ++mark;
  if (mark == first && mark < trimmed.size() && trimmed[mark] == '#') ++mark;
  if (mark == first || mark + 1 >= trimmed.size()) return false;
  return (trimmed[mark] == '.' || trimmed[mark] == ')') && trimmed[mark + 1] == ' ';
}

// ".. text" that is no footnote, target, substitution or directive ("name::"): docutils show it to nobody.
bool is_comment(std::string_view trimmed) {
  if (trimmed == "..") return true;
  if (!trimmed.starts_with(".. ")) return false;
  const std::string_view rest = trim(trimmed.substr(3));
  if (rest.empty()) return true;
  if (rest[0] == '[' || rest[0] == '_' || rest[0] == '|') return false;
  const size_t colons = rest.find("::");
  if (colons == std::string_view::npos) return true;
  return trim(rest.substr(0, colons)).find_first_of(" \t") != std::string_view::npos;
}

class RstParser {
 public:
  explicit RstParser(rag::Document& document) : document_(document), blocks_(document), lines_(document.text) {}

  void run() {
    Line line;
    while (lines_.next(line)) take(line);
  }

 private:
  void take(const Line& line) {
    if (line.blank()) {
      blocks_.close();
      // A simple table may have blank lines between its rows, but not behind its last rule.
      in_table_ = in_table_ && !table_is_grid_ && !after_rule_;
      if (blocks_ended_literal_) literal_next_ = true;
      blocks_ended_literal_ = false;
      return;
    }
    const std::string_view trimmed = line.trimmed();
    if (literal_next_) {
      literal_next_ = false;
      if (line.indent() > literal_indent_) return take_literal(line);
    }
    if (!blocks_.open() && take_section(line)) return;
    if (take_table(line, trimmed)) return;
    if (!blocks_.open() && is_comment(trimmed)) return take_comment(line);
    if (trimmed.starts_with(".. ") && take_directive(line, trimmed)) return;
    if (list_marker(trimmed)) {
      blocks_.begin(rag::BlockKind::kListItem, line);
    } else if (!take_field(line, trimmed)) {
      if (blocks_.open()) {
        blocks_.extend(line);
      } else {
        blocks_.begin(line.indent() > 0 ? rag::BlockKind::kQuote : rag::BlockKind::kParagraph, line);
      }
    }
    blocks_ended_literal_ = trimmed.ends_with("::");
    literal_indent_ = line.indent();
  }

  bool take_section(const Line& line) {
    Line second;
    if (!lines_.peek(second) || second.blank()) return false;
    if (const char over = adornment(line)) {
      LineCursor ahead = lines_;
      Line third;
      ahead.next(second);
      if (!ahead.next(third) || adornment(third) != over || table_rule(line.trimmed())) return false;
      lines_ = ahead;
      add_section(line, third, second, over, true);
      return true;
    }
    const char under = adornment(second);
    if (under == 0 || line.indent() > 0) return false;
    const size_t length = second.trimmed().size();
    if (length < 3 || length + 1 < visible_width(line.trimmed())) return false;
    lines_.next(second);
    add_section(line, second, line, under, false);
    return true;
  }

  void add_section(const Line& first, const Line& last, const Line& title, char mark, bool over) {
    const int style = mark * 2 + (over ? 1 : 0);
    size_t level = 0;
    while (level < styles_.size() && styles_[level] != style) ++level;
    if (level == styles_.size()) styles_.push_back(style);
    blocks_.begin(rag::BlockKind::kHeading, first, static_cast<int>(level) + 1);
    blocks_.extend(last);
    blocks_.close();
    if (document_.title.empty() && document_.blocks.size() <= 2) document_.title = plain_inline(title.text);
  }

  void take_literal(const Line& first) {
    blocks_.begin(rag::BlockKind::kCode, first);
    const size_t outside = literal_indent_;
    Line line;
    while (lines_.peek(line) && (line.blank() || line.indent() > outside)) {
      lines_.next(line);
      if (!line.blank()) blocks_.extend(line);
    }
    blocks_.close();
  }

  // With what is indented below it; ".." alone, with an empty line below, has nothing.
  void take_comment(const Line& first) {
    Line line;
    if (first.trimmed() == ".." && lines_.peek(line) && line.blank()) return;
    while (lines_.peek(line) && (line.blank() || line.indent() > first.indent())) lines_.next(line);
  }

  bool take_table(const Line& line, std::string_view trimmed) {
    if (!in_table_) {
      if (blocks_.open() || !table_rule(trimmed)) return false;
      in_table_ = true;
      table_is_grid_ = trimmed[0] == '+';
      row_open_ = false;
      header_next_ = true;
      blocks_.begin(rag::BlockKind::kTableRow, line);  // the rule joins the header row
      return true;
    }
    if (table_is_grid_ && trimmed[0] != '+' && trimmed[0] != '|') {
      in_table_ = false;
      blocks_.close();
      return false;
    }
    const bool rule = table_is_grid_ ? trimmed[0] == '+' : table_rule(trimmed);
    after_rule_ = rule;
    if (rule) {
      if (blocks_.open()) blocks_.extend(line);
      row_open_ = false;
    } else if (header_next_ && blocks_.open()) {
      blocks_.extend(line);
      header_next_ = false;
      row_open_ = table_is_grid_;
    } else if (row_open_ && blocks_.open()) {
      blocks_.extend(line);  // a grid row of several lines
    } else {
      blocks_.begin(rag::BlockKind::kTableRow, line);
      row_open_ = table_is_grid_;
    }
    return true;
  }

  // ".. code-block:: x" and the like take their indented body as code; notes are read as text.
  bool take_directive(const Line& line, std::string_view trimmed) {
    for (const std::string_view name : {"code-block::", "code::", "sourcecode::", "literalinclude::", "math::",
                                        "image::", "figure::", "parsed-literal::", "highlight::", "raw::"}) {
      if (!trimmed.substr(3).starts_with(name)) continue;
      literal_indent_ = line.indent();
      take_literal(line);
      return true;
    }
    return false;
  }

  // ":Author: x" and the "Title: x" lines that open a PEP.
  bool take_field(const Line& line, std::string_view trimmed) {
    const bool field = trimmed.size() > 2 && trimmed[0] == ':' && trimmed.find(": ", 1) != std::string_view::npos;
    const bool header = !seen_section() && line.indent() == 0 && trimmed.find(": ") != std::string_view::npos &&
                        trimmed.find(": ") < 24;
    if (!field && !header) return false;
    const std::string_view rest = field ? trimmed.substr(1) : trimmed;
    const size_t colon = rest.find(": ");
    const bool untitled = document_.title.empty();
    take_metadata(document_, rest.substr(0, colon), rest.substr(colon + 2));
    if (header && is_series_number(rest.substr(0, colon), trim(rest.substr(colon + 2)))) {
      series_number_ = std::string(rest.substr(0, colon)) + " " + std::string(trim(rest.substr(colon + 2)));
    }
    if (untitled && !document_.title.empty() && !series_number_.empty()) {
      document_.title = series_number_ + ": " + document_.title;
    }
    if (header) return false;
    blocks_.begin(rag::BlockKind::kListItem, line);
    return true;
  }

  // "PEP: 8", "RFC: 2119": what people call the document by.
  static bool is_series_number(std::string_view key, std::string_view value) {
    const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return key.size() >= 2 && key.size() <= 6 && std::all_of(key.begin(), key.end(), upper) && !value.empty() &&
           value.size() <= 6 && std::all_of(value.begin(), value.end(), digit);
  }

  bool seen_section() const { return !styles_.empty(); }

  rag::Document& document_;
  BlockWriter blocks_;
  LineCursor lines_;
  std::string series_number_;
  std::vector<int> styles_;  // adornments in the order met: index + 1 is the level
  bool in_table_ = false;
  bool table_is_grid_ = false;
  bool row_open_ = false;
  bool after_rule_ = false;
  bool header_next_ = false;           // the table has only its first rule so far
  bool blocks_ended_literal_ = false;  // the paragraph in work ends with "::"
  bool literal_next_ = false;
  size_t literal_indent_ = 0;
};

}  // namespace

void parse_rst(rag::Document& document) {
  RstParser(document).run();
}

}  // namespace mneme::readers
