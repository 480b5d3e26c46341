#include "ui/widgets/markdown.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include <md4c.h>

#include "base/utf8.h"
#include "ui/text/line_breaks.h"
#include "ui/widgets/math_text.h"

namespace mneme::ui {
namespace {

constexpr size_t kMaxDepth = 32;
constexpr int kMaxCitation = 999;

// Builds blocks from md4c's callbacks.
class Builder {
 public:
  std::vector<MarkdownBlock> take() {
    close_block();
    return std::move(blocks_);
  }

  void enter_block(MD_BLOCKTYPE type, void* detail);
  void leave_block(MD_BLOCKTYPE type);
  void enter_span(MD_SPANTYPE type, void* detail);
  void leave_span(MD_SPANTYPE type);
  void text(MD_TEXTTYPE type, std::string_view text);

 private:
  struct List {
    bool ordered;
    unsigned next;
  };

  MarkdownBlock& open_block(MarkdownKind kind) {
    close_block();
    blocks_.emplace_back().kind = kind;
    open_ = true;
    return blocks_.back();
  }
  void close_block() { open_ = pending_space_ = false; }
  std::vector<Inline>& target() {
    if (in_cell_) return blocks_.back().rows.back().back();
    if (!open_) open_paragraph();
    return blocks_.back().inlines;
  }
  void open_paragraph();
  void open_list_item(MD_BLOCK_LI_DETAIL* detail);
  void append(std::string_view text);
  void break_softly();
  void settle_space(std::string_view text);
  void append_with_citations(std::string_view text);

  std::vector<MarkdownBlock> blocks_;
  bool open_ = false;
  bool in_cell_ = false;
  bool verbatim_ = false;
  bool pending_break_ = false;
  bool pending_space_ = false;
  std::vector<List> lists_;
  std::string item_marker_;  // of the item whose first block has not come yet
  int quotes_ = 0;
  Inline style_;
};

void Builder::open_paragraph() {
  MarkdownBlock& block = open_block(MarkdownKind::kParagraph);
  if (!lists_.empty()) {
    block.kind = MarkdownKind::kListItem;
    block.level = static_cast<int>(std::min(lists_.size(), kMaxDepth));
    block.marker = std::exchange(item_marker_, "");
  } else if (quotes_ > 0) {
    block.kind = MarkdownKind::kQuote;
    block.level = quotes_;
  }
}

void Builder::open_list_item(MD_BLOCK_LI_DETAIL* detail) {
  close_block();
  if (lists_.empty()) return;
  List& list = lists_.back();
  item_marker_ = list.ordered ? std::to_string(list.next++) + "." : "•";
  if (detail->is_task != 0) item_marker_ = detail->task_mark == ' ' ? "☐" : "☑";
}

void Builder::enter_block(MD_BLOCKTYPE type, void* detail) {
  switch (type) {
    case MD_BLOCK_UL: lists_.push_back({false, 0}); break;
    case MD_BLOCK_OL: lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start}); break;
    case MD_BLOCK_LI: open_list_item(static_cast<MD_BLOCK_LI_DETAIL*>(detail)); break;
    case MD_BLOCK_QUOTE:
      ++quotes_;
      close_block();
      break;
    case MD_BLOCK_HR:
      open_block(MarkdownKind::kRule);
      close_block();
      break;
    case MD_BLOCK_H:
      open_block(MarkdownKind::kHeading).level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      break;
    case MD_BLOCK_CODE: {
      const MD_ATTRIBUTE& language = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang;
      open_block(MarkdownKind::kCode).language =
          std::string(language.text == nullptr ? "" : language.text, language.size);
      verbatim_ = true;
      break;
    }
    case MD_BLOCK_P: open_paragraph(); break;
    case MD_BLOCK_TABLE: open_block(MarkdownKind::kTable); break;
    case MD_BLOCK_TR: blocks_.back().rows.emplace_back(); break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      blocks_.back().rows.back().emplace_back();
      in_cell_ = true;
      style_.bold = type == MD_BLOCK_TH;
      break;
    default: break;
  }
}

void Builder::leave_block(MD_BLOCKTYPE type) {
  switch (type) {
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
      if (!lists_.empty()) lists_.pop_back();
      close_block();
      break;
    case MD_BLOCK_QUOTE:
      --quotes_;
      close_block();
      break;
    case MD_BLOCK_CODE:
      verbatim_ = false;
      close_block();
      break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
      in_cell_ = false;
      style_.bold = false;
      break;
    case MD_BLOCK_P:
    case MD_BLOCK_H:
    case MD_BLOCK_LI:
    case MD_BLOCK_TABLE: close_block(); break;
    default: break;
  }
}

void Builder::enter_span(MD_SPANTYPE type, void* detail) {
  switch (type) {
    case MD_SPAN_STRONG: style_.bold = true; break;
    case MD_SPAN_EM: style_.italic = true; break;
    case MD_SPAN_CODE: style_.code = true; break;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY: style_.italic = true; break;
    case MD_SPAN_DEL: style_.strike = true; break;
    case MD_SPAN_A: {
      const MD_ATTRIBUTE& href = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
      style_.link = printable(std::string_view(href.text == nullptr ? "" : href.text, href.size));
      break;
    }
    case MD_SPAN_IMG: append("[image: "); break;
    default: break;
  }
}

void Builder::leave_span(MD_SPANTYPE type) {
  switch (type) {
    case MD_SPAN_STRONG: style_.bold = false; break;
    case MD_SPAN_EM: style_.italic = false; break;
    case MD_SPAN_CODE: style_.code = false; break;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY: style_.italic = false; break;
    case MD_SPAN_DEL: style_.strike = false; break;
    case MD_SPAN_A: style_.link.clear(); break;
    case MD_SPAN_IMG: append("]"); break;
    default: break;
  }
}

void Builder::append(std::string_view text) {
  if (text.empty()) return;
  settle_space(text);
  Inline piece = style_;
  piece.text = printable(text);
  piece.line_break = std::exchange(pending_break_, false);
  target().push_back(std::move(piece));
}

// A line of the text is no line to show, except behind a citation: quotations stand one a line. Between characters of
// scripts without spaces it stands for nothing, else for a space.
void Builder::break_softly() {
  if (!target().empty() && target().back().citation > 0) {
    pending_break_ = true;
  } else {
    pending_space_ = true;
  }
}

// What stands before `text` of a line's end: nothing between two characters of scripts without spaces.
void Builder::settle_space(std::string_view text) {
  if (!std::exchange(pending_space_, false)) return;
  const std::vector<Inline>& inlines = target();
  const std::string_view before = inlines.empty() ? std::string_view() : std::string_view(inlines.back().text);
  if (before.empty()) return;
  size_t at = utf8::floor_boundary(before, before.size() - 1);
  size_t begin = 0;
  if (joins_without_space(utf8::next(before, at)) && joins_without_space(utf8::next(text, begin))) return;
  Inline space = style_;
  space.text = " ";
  target().push_back(std::move(space));
}

// Length of "[n]" at the start of text with 1 <= n <= kMaxCitation, or 0.
size_t citation_length(std::string_view text, int& n) {
  if (text.size() < 3 || text[0] != '[') return 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), n);
  const size_t length = static_cast<size_t>(end - text.data());
  if (error != std::errc{} || length >= text.size() || *end != ']' || n < 1 || n > kMaxCitation) return 0;
  return length + 1;
}

void Builder::append_with_citations(std::string_view text) {
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    int n = 0;
    const size_t length = citation_length(text.substr(i), n);
    if (length == 0) continue;
    append(text.substr(begin, i - begin));
    append(text.substr(i, length));
    target().back().citation = n;
    begin = i + length;
    i = begin - 1;
  }
  append(text.substr(begin));
}

void Builder::text(MD_TEXTTYPE type, std::string_view text) {
  if (verbatim_) {
    if (!open_) return;
    std::vector<Inline>& inlines = blocks_.back().inlines;
    if (inlines.empty()) inlines.emplace_back().code = true;
    inlines.front().text += printable(text);
    return;
  }
  switch (type) {
    case MD_TEXT_BR: pending_break_ = true; break;
    case MD_TEXT_SOFTBR: break_softly(); break;
    case MD_TEXT_LATEXMATH: append(math_text(text)); break;
    case MD_TEXT_NULLCHAR: append("\xef\xbf\xbd"); break;
    case MD_TEXT_NORMAL: style_.link.empty() ? append_with_citations(text) : append(text); break;
    default: append(text); break;
  }
}

bool is_bidi_control(char32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (size_t offset = 0; offset < text.size();) {
    const char32_t c = utf8::next(text, offset);
    if (c == '\t') {
      clean += "    ";
    } else if (is_bidi_control(c)) {
      utf8::append(clean, 0xfffd);
    } else if (c == '\n' || (c >= 0x20 && c != 0x7f && !(c >= 0x80 && c < 0xa0))) {
      utf8::append(clean, c);
    }
  }
  return clean;
}

std::string one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

namespace {

// What md4c (0.4.8) is told to call back with: some nestings of links and images it takes apart so wrongly that a piece
// begins or ends outside the text that it was given. Nothing of such a parse is used.
struct Parse {
  Builder builder;
  std::string_view whole;

  bool holds(std::string_view piece) const {
    const std::less_equal<const char*> up_to;  // of pointers into different objects as well
    return up_to(whole.data(), piece.data()) && up_to(piece.data(), whole.data() + whole.size()) &&
           piece.size() <= static_cast<size_t>(whole.data() + whole.size() - piece.data());
  }
  // Indentation and line ends of code are md4c's own few characters; of breaks and zero bytes nothing is read.
  bool may_be_read(MD_TEXTTYPE type, std::string_view piece) const {
    constexpr size_t kOwnCharacters = 16;
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR || type == MD_TEXT_NULLCHAR || holds(piece)) return true;
    return (type == MD_TEXT_CODE || type == MD_TEXT_LATEXMATH) && piece.size() <= kOwnCharacters;
  }
};

// The numbers that lines of a text begin with as items of a list do, outside of code.
std::vector<std::string> written_numbers(std::string_view text) {
  constexpr size_t kMostDigits = 9;  // of a list item, says CommonMark
  std::vector<std::string> numbers;
  bool in_code = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(" \t>"), line.size()));
    if (line.starts_with("```") || line.starts_with("~~~")) in_code = !in_code;
    const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    if (in_code || digits == 0 || digits > kMostDigits || digits == line.size()) continue;
    const bool ends = digits + 1 == line.size() || line[digits + 1] == ' ' || line[digits + 1] == '\t';
    if ((line[digits] == '.' || line[digits] == ')') && ends) numbers.emplace_back(line.substr(0, digits));
  }
  return numbers;
}

// Markdown counts on from a list's first number; who quotes step 2 and step 8 means what stands there. Where it is not
// clear which number is which item's, they stay counted.
void number_as_written(std::vector<MarkdownBlock>& blocks, std::string_view text) {
  std::vector<MarkdownBlock*> items;
  for (MarkdownBlock& block : blocks) {
    if (block.marker.ends_with('.')) items.push_back(&block);
  }
  if (items.empty()) return;
  const std::vector<std::string> numbers = written_numbers(text);
  if (numbers.size() != items.size()) return;
  for (size_t i = 0; i < items.size(); ++i) items[i]->marker = numbers[i] + ".";
}

std::vector<MarkdownBlock> as_plain_text(std::string_view text) {
  std::vector<MarkdownBlock> blocks(1);
  blocks.front().inlines.emplace_back().text = printable(text);
  return blocks;
}

}  // namespace

std::vector<MarkdownBlock> parse_markdown(std::string_view text) {
  Parse parse{.builder = {}, .whole = text};
  MD_PARSER parser{};
  parser.flags = MD_DIALECT_GITHUB | MD_FLAG_NOHTML | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
    static_cast<Parse*>(self)->builder.enter_block(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
    static_cast<Parse*>(self)->builder.leave_block(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
    static_cast<Parse*>(self)->builder.enter_span(type, detail);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
    static_cast<Parse*>(self)->builder.leave_span(type);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* chars, MD_SIZE size, void* self) {
    Parse& parse = *static_cast<Parse*>(self);
    const std::string_view piece(chars, size);
    if (!parse.may_be_read(type, piece)) return 1;
    parse.builder.text(type, piece);
    return 0;
  };
  if (md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &parse) != 0) return as_plain_text(text);
  std::vector<MarkdownBlock> blocks = parse.builder.take();
  number_as_written(blocks, text);
  return blocks;
}

}  // namespace mneme::ui
