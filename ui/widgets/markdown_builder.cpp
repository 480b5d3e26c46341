#include "ui/widgets/markdown_builder.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"
#include "rag/text/markup/latex_math.h"
#include "ui/language/tr.h"
#include "ui/text/line_breaks.h"

namespace mneme::ui {
namespace {

constexpr size_t kMaxDepth = 32;
constexpr int kMaxCitation = 999;

// Length of "[n]" at the start of text with 1 <= n <= kMaxCitation, or 0.
size_t citation_length(std::string_view text, int& n) {
  if (text.size() < 3 || text[0] != '[') return 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), n);
  const size_t length = static_cast<size_t>(end - text.data());
  if (error != std::errc{} || length >= text.size() || *end != ']' || n < 1 || n > kMaxCitation) return 0;
  return length + 1;
}

}  // namespace

void MarkdownBuilder::open_paragraph() {
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

void MarkdownBuilder::open_list_item(MD_BLOCK_LI_DETAIL* detail) {
  close_block();
  if (lists_.empty()) return;
  List& list = lists_.back();
  item_marker_ = list.ordered ? std::to_string(list.next++) + "." : "•";
  if (detail->is_task != 0) item_marker_ = detail->task_mark == ' ' ? "☐" : "☑";
}

void MarkdownBuilder::enter_block(MD_BLOCKTYPE type, void* detail) {
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

void MarkdownBuilder::leave_block(MD_BLOCKTYPE type) {
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

void MarkdownBuilder::enter_span(MD_SPANTYPE type, void* detail) {
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
    case MD_SPAN_IMG: append(filled("[{0}: ", tr("image"))); break;
    default: break;
  }
}

void MarkdownBuilder::leave_span(MD_SPANTYPE type) {
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

void MarkdownBuilder::append(std::string_view text) {
  if (text.empty()) return;
  settle_space(text);
  Inline piece = style_;
  piece.text = printable(text);
  piece.line_break = std::exchange(pending_break_, false);
  target().push_back(std::move(piece));
}

// A line of the text is no line to show, except behind a citation: quotations stand one a line. Between characters of
// scripts without spaces it stands for nothing, else for a space.
void MarkdownBuilder::break_softly() {
  if (!target().empty() && target().back().citation > 0) {
    pending_break_ = true;
  } else {
    pending_space_ = true;
  }
}

// What stands before `text` of a line's end: nothing between two characters of scripts without spaces.
void MarkdownBuilder::settle_space(std::string_view text) {
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

void MarkdownBuilder::append_with_citations(std::string_view text) {
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

void MarkdownBuilder::text(MD_TEXTTYPE type, std::string_view text) {
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
    case MD_TEXT_LATEXMATH: append(rag::latex_math_text(text)); break;
    case MD_TEXT_NULLCHAR: append("\xef\xbf\xbd"); break;
    case MD_TEXT_NORMAL: style_.link.empty() ? append_with_citations(text) : append(text); break;
    default: append(text); break;
  }
}

}  // namespace mneme::ui
