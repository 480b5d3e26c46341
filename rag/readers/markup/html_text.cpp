#include "rag/readers/markup/html_text.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rag/readers/format_list.h"
#include "rag/readers/front_matter.h"
#include "rag/readers/markup/html_elements.h"
#include "rag/readers/markup/html_furniture.h"
#include "rag/readers/markup/html_head.h"
#include "rag/readers/markup/html_math.h"
#include "rag/readers/markup/html_nesting.h"
#include "rag/readers/markup/html_tree.h"
#include "rag/readers/markup/list_numbers.h"
#include "rag/readers/office_common.h"
#include "rag/readers/raised_text.h"
#include "rag/readers/text_decoding.h"

namespace mneme::readers {
namespace {

int attribute_number(const GumboNode* node, const char* name, int otherwise, int most) {
  return std::clamp(to_int(attribute(node, name), otherwise), otherwise, most);
}

// Cells over several rows and columns: one cell for each column of a table, so that all rows have the same. What is
// written once over several rows is true of each.
class SpannedCells {
 public:
  void begin_row() {
    cells_.clear();
    take_hanging();
  }
  void add(const GumboNode* cell, const std::string& text) {
    const int columns = attribute_number(cell, "colspan", 1, 64);
    const int rows = attribute_number(cell, "rowspan", 1, 1000);
    for (int i = 0; i < columns && cells_.size() < kMostColumns; ++i) {
      const size_t column = cells_.size();
      std::string said = i == 0 ? text : std::string();
      if (rows > 1 && hanging_.size() <= column) hanging_.resize(column + 1);
      if (rows > 1) hanging_[column] = {rows - 1, said.size() <= kLongestLabel ? said : std::string()};
      cells_.push_back(std::move(said));
    }
    take_hanging();
  }
  const std::vector<std::string>& cells() const { return cells_; }

 private:
  struct Hanging {
    int rows = 0;  // that the cell still reaches into
    std::string text;
  };
  void take_hanging() {
    while (cells_.size() < hanging_.size() && hanging_[cells_.size()].rows > 0) {
      Hanging& from_above = hanging_[cells_.size()];
      --from_above.rows;
      cells_.push_back(from_above.text);
    }
  }

  std::vector<std::string> cells_;
  std::vector<Hanging> hanging_;  // by column
};

class HtmlWalker {
 public:
  // furniture: what to pass over; null: nothing but what is never text.
  HtmlWalker(const HtmlOptions& options, const PageFurniture* furniture, DocumentBuilder& builder)
      : options_(options), furniture_(furniture), builder_(builder) {}

  void walk(const GumboNode* node, int depth = 0) {
    if (builder_.full()) return;
    if (depth > kDeepestElement) {
      too_deep_ = true;
      return;
    }
    switch (node->type) {
      case GUMBO_NODE_TEXT:
      case GUMBO_NODE_CDATA:
      case GUMBO_NODE_WHITESPACE: take_text(node->v.text); return;
      case GUMBO_NODE_ELEMENT: take_element(node, depth); return;
      case GUMBO_NODE_DOCUMENT: for_children(node, [&](const GumboNode* child) { walk(child, depth + 1); }); return;
      default: return;
    }
  }

  void finish() {
    flush();
    if (too_deep_) builder_.document().notes.push_back("elements nested more than 1000 deep were left out");
  }

 private:
  void take_text(const GumboText& text) {
    const std::string_view piece = text.text;
    if (text_.empty()) {
      first_line_ = static_cast<int>(text.start_pos.line + static_cast<unsigned>(leading_breaks(piece)));
    }
    text_ += piece;
    const auto breaks = std::count(piece.begin(), piece.end(), '\n');
    if (piece.find_first_not_of(" \t\r\n") != std::string_view::npos) {
      last_line_ = static_cast<int>(text.start_pos.line) + static_cast<int>(breaks) - trailing_breaks(piece);
    }
  }

  static int leading_breaks(std::string_view text) {
    const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(first), '\n'));
  }
  static int trailing_breaks(std::string_view text) {
    const size_t last = text.find_last_not_of(" \t\r\n");
    const size_t begin = last == std::string_view::npos ? 0 : last + 1;
    return static_cast<int>(std::count(text.begin() + static_cast<ptrdiff_t>(begin), text.end(), '\n'));
  }

  bool left_out(const GumboNode* node) const {
    return is_never_seen(node) || (furniture_ != nullptr && furniture_->contains(node)) ||
           (options_.only_what_is_shown && is_hidden_by_style(node));
  }

  // Whether the element is a formula, of which the text is taken.
  bool take_formula(const GumboNode* node) {
    const GumboTag tag = node->v.element.tag;
    if (tag != GUMBO_TAG_MATH && tag != GUMBO_TAG_IMG && tag != GUMBO_TAG_SCRIPT) return false;
    const std::string formula = tag == GUMBO_TAG_MATH ? mathml_text(node) : shown_formula(node);
    if (!formula.empty()) begin_text(static_cast<int>(node->v.element.start_pos.line));
    text_ += formula;
    return tag != GUMBO_TAG_SCRIPT || !formula.empty();
  }

  void begin_text(int line) {
    if (text_.empty()) first_line_ = last_line_ = line;
  }

  void take_element(const GumboNode* node, int depth) {
    if (take_formula(node) || left_out(node)) return;
    const GumboTag tag = node->v.element.tag;
    for (const int level : {heading_level(tag), set_heading_level(node)})
      if (level > 0) return take_kind(node, depth, rag::BlockKind::kHeading, level);
    switch (tag) {
      case GUMBO_TAG_BR: text_ += in_code_ ? "\n" : kLineBreak; return;
      case GUMBO_TAG_PRE: {
        in_code_ = true;
        take_kind(node, depth, rag::BlockKind::kCode, 0);
        in_code_ = false;
        return;
      }
      case GUMBO_TAG_BLOCKQUOTE: return take_kind(node, depth, rag::BlockKind::kQuote, 0);
      case GUMBO_TAG_UL:
      case GUMBO_TAG_OL: return take_list(node, depth);
      case GUMBO_TAG_LI: return take_item(node, depth);
      case GUMBO_TAG_SUP: return take_shifted(node, depth, append_raised);
      case GUMBO_TAG_SUB: return take_shifted(node, depth, append_lowered);
      case GUMBO_TAG_TABLE:
        if (!in_cell_) spanned_ = {};
        break;
      case GUMBO_TAG_TR: return take_row(node, depth);
      default: break;
    }
    take_children(node, depth);
  }

  void take_children(const GumboNode* node, int depth) {
    const GumboTag tag = node->v.element.tag;
    const bool block = is_block(tag) && !in_cell_;
    if (block) flush();
    const bool apart = in_cell_ && is_block(tag);  // blocks in a cell are parted by spaces only
    if (apart) text_ += ' ';
    for_children(node, [&](const GumboNode* child) { walk(child, depth + 1); });
    if (apart) text_ += ' ';
    if (block) flush();
  }

  void take_list(const GumboNode* list, int depth) {
    lists_.emplace_back(list);
    take_children(list, depth);
    lists_.pop_back();
  }

  void take_item(const GumboNode* item, int depth) {
    if (!in_cell_) flush();  // what stands before it has no number, or that of the item around
    const std::string number = lists_.empty() ? std::string() : lists_.back().next(item);
    if (in_cell_ && !number.empty()) text_.append(" ").append(number).append(" ");
    const std::string outer_number = std::exchange(item_number_, in_cell_ ? std::string() : number);
    ++list_depth_;
    take_kind(item, depth, rag::BlockKind::kListItem, 0);
    --list_depth_;
    item_number_ = outer_number;
  }

  // append: how raised or lowered text goes behind what stands before it.
  void take_shifted(const GumboNode* node, int depth, void (*append)(std::string&, std::string_view)) {
    const size_t begin = text_.size();
    const size_t flushed = n_flushed_;
    for_children(node, [&](const GumboNode* child) { walk(child, depth + 1); });
    if (n_flushed_ != flushed || in_code_) return;
    const std::string shifted = text_.substr(begin);
    text_.resize(begin);
    append(text_, shifted);
  }

  void take_kind(const GumboNode* node, int depth, rag::BlockKind kind, int level) {
    if (in_cell_) {
      text_ += ' ';
    } else {
      flush();
    }
    const rag::BlockKind outer_kind = std::exchange(kind_, kind);
    const int outer_level = std::exchange(level_, level);
    for_children(node, [&](const GumboNode* child) { walk(child, depth + 1); });
    if (in_cell_) {
      text_ += ' ';
    } else {
      flush();
    }
    kind_ = outer_kind;
    level_ = outer_level;
  }

  // A row of data. Tables in cells, and rows in cells that are being read, are layout: their text is read as it comes.
  void take_row(const GumboNode* row, int depth) {
    if (in_cell_ || is_layout(row)) {
      if (!in_cell_) flush();
      for_children(row, [&](const GumboNode* child) { walk(child, depth + 1); });
      if (!in_cell_) flush();
      return;
    }
    flush();
    spanned_.begin_row();
    int n_cells = 0;
    const int first = static_cast<int>(row->v.element.start_pos.line);
    in_cell_ = true;
    for_children(row, [&](const GumboNode* cell) {
      if (cell->type != GUMBO_NODE_ELEMENT) return;
      for_children(cell, [&](const GumboNode* child) { walk(child, depth + 2); });
      spanned_.add(cell, std::exchange(text_, {}));
      ++n_cells;
    });
    in_cell_ = false;
    if (options_.keep_lines) builder_.set_lines(first, std::max(first, last_line_));
    const std::vector<std::string>& cells = spanned_.cells();
    const auto is_empty = [](const std::string& cell) { return cell.empty(); };
    // One wide cell is a layout of one column.
    if (n_cells == 1 && std::all_of(cells.begin() + 1, cells.end(), is_empty)) {
      builder_.paragraph(cells.front());
    } else {
      builder_.table_row(cells);
    }
  }

  // The heading that the page has from elsewhere. Whether the text is that.
  bool take_given_heading() {
    if (options_.heading.empty() || given_heading_told_) return false;
    const std::string text = clean_text(text_);
    if (text.empty()) return false;
    given_heading_told_ = true;
    builder_.heading(1, options_.heading);
    return text == options_.heading;
  }

  void flush() {
    if (text_.empty()) return;
    ++n_flushed_;
    if (take_given_heading()) return text_.clear();
    if (options_.keep_lines) builder_.set_lines(first_line_, std::max(first_line_, last_line_));
    if (kind_ == rag::BlockKind::kListItem) {
      const bool words = !clean_text(text_).empty();
      builder_.list_item(text_, list_depth_ - 1, item_number_.empty() ? "-" : item_number_);
      if (words) item_number_.clear();  // further paragraphs of the item have none
    } else {
      builder_.add(kind_, text_, level_);
    }
    text_.clear();
  }

  const HtmlOptions& options_;
  const PageFurniture* furniture_;
  DocumentBuilder& builder_;
  std::string text_;  // inline text since the last block border
  int first_line_ = 0;
  int last_line_ = 0;
  rag::BlockKind kind_ = rag::BlockKind::kParagraph;
  int level_ = 0;
  int list_depth_ = 0;
  std::vector<ListNumbers> lists_;  // that are open
  std::string item_number_;         // of the item that is being read, until it is written
  size_t n_flushed_ = 0;
  bool in_code_ = false;
  bool in_cell_ = false;
  SpannedCells spanned_;  // of the table that is being read
  bool too_deep_ = false;
  bool given_heading_told_ = false;
};

// <script/> and the like mean an element without content in XHTML, but an open one to an HTML parser.
std::string expand_empty_elements(std::string_view xhtml) {
  std::string html;
  html.reserve(xhtml.size() + xhtml.size() / 16);
  size_t done = 0;
  size_t before = 0;  // behind the last "/>": none reaches back beyond it
  for (size_t close = xhtml.find("/>"); close != std::string_view::npos; close = xhtml.find("/>", close + 2)) {
    const size_t in_piece = xhtml.substr(before, close - before).rfind('<');
    const size_t open = before + in_piece;
    before = close + 2;
    if (in_piece == std::string_view::npos) continue;
    const size_t name_end = std::min(xhtml.find_first_of(" \t\r\n/", open + 1), close);
    const std::string name = lower_ascii(xhtml.substr(open + 1, name_end - open - 1));
    bool expands = false;
    for (const std::string_view known : {"script", "style", "title", "iframe", "textarea", "a", "p", "div", "span",
                                         "td", "th", "li", "i", "b", "em", "strong", "section", "noscript", "pre"}) {
      expands = expands || name == known;
    }
    if (!expands) continue;
    html.append(xhtml.substr(done, close - done)).append("></").append(name).append(">");
    done = close + 2;
  }
  html.append(xhtml.substr(done));
  return html;
}

}  // namespace

std::string declared_encoding(std::string_view beginning) {
  const std::string lower = lower_ascii(beginning.substr(0, 4096));
  for (const std::string_view key : {"charset=", "encoding="}) {
    const size_t at = lower.find(key);
    if (at == std::string::npos) continue;
    size_t begin = at + key.size();
    if (begin < lower.size() && (lower[begin] == '"' || lower[begin] == '\'')) ++begin;
    const size_t end = lower.find_first_of("\"' />;?\r\n", begin);
    if (end != std::string::npos && end - begin < 40 && end > begin) return lower.substr(begin, end - begin);
  }
  return {};
}

Status add_html(ReadContext& context, std::string_view name, std::string_view html, const HtmlOptions& options,
                DocumentBuilder& builder) {
  std::string expanded;
  if (html.substr(0, 1000).find("<?xml") != std::string_view::npos) {
    expanded = expand_empty_elements(html);
    html = expanded;
  }
  std::string flat;
  html = without_deep_nesting(html, flat);
  auto tree = HtmlTree::parse(context, name, html);
  if (!tree.ok()) return tree.status();
  if (options.take_metadata) take_page_metadata(tree->root(), builder.document());
  if (!options.only_main_text) {
    HtmlWalker walker(options, nullptr, builder);
    walker.walk(tree->root());
    walker.finish();
    return {};
  }
  const PageFurniture furniture(tree->root());
  HtmlWalker walker(options, &furniture, builder);
  for (const GumboNode* part : furniture.parts()) walker.walk(part);
  walker.finish();
  constexpr int kWorthANote = 33;
  if (furniture.percent_left_out() >= kWorthANote) {
    builder.document().notes.push_back(std::to_string(furniture.percent_left_out()) +
                                       " % of the page's text was left out as navigation and the like");
  }
  return {};
}

Status read_html(ReadContext& context, Input input) {
  const std::string declared = declared_encoding(input.bytes);
  auto decoded = decode_text(std::move(input.bytes), declared);
  if (!decoded.ok()) return decoded.status().with_context(printable(input.name) + ": ");
  // The parser takes a byte order mark for text, before which no head may stand.
  std::fill_n(decoded->text.begin(), bom_length(decoded->text), ' ');
  rag::Document document;
  document.format = "html";
  if (!decoded->note.empty()) document.notes.push_back(std::move(decoded->note));
  DocumentBuilder builder(document, context.limits().text_bytes);
  MNEME_RETURN_IF_ERROR(add_html(context, input.name, decoded->text, {}, builder));
  if (builder.empty()) {
    // Everything looked like furniture: better all of it than nothing.
    const HtmlOptions everything{.only_main_text = false, .take_metadata = false};
    MNEME_RETURN_IF_ERROR(add_html(context, input.name, decoded->text, everything, builder));
  }
  if (builder.empty()) {
    const std::string why = document.notes.empty() ? "." : ": " + document.notes.back() + ".";
    return unsupported(printable(input.name) + " is a page without text" + why);
  }
  if (document.title.empty() && document.blocks.front().kind == rag::BlockKind::kHeading) title_from_heading(document);
  return context.emit(input.name, std::move(document));
}

}  // namespace mneme::readers
