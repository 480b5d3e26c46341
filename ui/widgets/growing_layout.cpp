// The layout of a text that grows: what is settled stays.
#include <algorithm>
#include <utility>

#include "ui/view_model/text_columns.h"
#include "ui/widgets/html_tags.h"
#include "ui/widgets/quoted_markdown.h"
#include "ui/widgets/rich_text.h"

namespace mneme::ui {
namespace {

std::vector<MarkdownBlock> plain_with_tables(const std::string& text) {
  MarkdownBlock block;
  for (const TextStretch& stretch : stretches_of(text)) {
    Inline& in = block.inlines.emplace_back();
    in.text = stretch.text;
    in.code = stretch.is_table;
  }
  return {std::move(block)};
}

}  // namespace

size_t last_block_border(std::string_view markdown, size_t from) {
  size_t border = from;
  bool in_fence = false;
  bool blank_before = false;
  for (size_t begin = from; begin < markdown.size();) {
    const size_t end = std::min(markdown.find('\n', begin), markdown.size());
    const std::string_view line = markdown.substr(begin, end - begin);
    const bool blank = line.find_first_not_of(" \t\r") == line.npos;
    if (!blank && blank_before && !in_fence && line[0] != ' ' && line[0] != '\t') border = begin;
    const size_t text = line.find_first_not_of(' ');
    if (text < 4 && (line.substr(text).starts_with("```") || line.substr(text).starts_with("~~~")))
      in_fence = !in_fence;
    blank_before = blank;
    begin = end + 1;
  }
  return border;
}

const RichTextLayout& GrowingLayout::update(std::string_view text, TextForm form, float width, float scale,
                                            const Fonts& fonts) {
  width = std::max(width, 40.0f);
  const bool same_look = layout_.width == width && scale_ == scale && font_ == fonts.regular && form_ == form;
  if (same_look && text == text_) return layout_;
  const std::string_view settled = std::string_view(text_).substr(0, settled_bytes_);
  if (!same_look || !text.starts_with(settled)) {
    layout_ = {};
    layout_.width = width;
    settled_bytes_ = settled_pieces_ = settled_boxes_ = 0;
    settled_height_ = 0.0f;
  }
  layout_.pieces.resize(settled_pieces_);
  layout_.boxes.resize(settled_boxes_);
  layout_.height = settled_height_;
  text_ = text;
  form_ = form;
  scale_ = scale;
  font_ = fonts.regular;
  Fonts letters = fonts;
  if (form == TextForm::kCode) letters.regular = fonts.mono;
  const auto lay_out_part = [&](std::string_view part) {
    if (part.empty()) return;
    std::vector<MarkdownBlock> blocks;
    if (form == TextForm::kMarkdown) {
      blocks = parse_markdown(part);
    } else if (form == TextForm::kQuoted) {
      blocks = parse_markdown(as_quoted(part));
    } else if (form == TextForm::kMarkdownFile) {
      blocks = parse_markdown(without_tags(part));
    } else if (form == TextForm::kPlainFile) {
      blocks = plain_with_tables(printable(part));
    } else {
      blocks.emplace_back().inlines.emplace_back().text = printable(part);
    }
    lay_out_more(layout_, blocks, scale, letters);
    // Letters of one width are all that tables share with code.
    if (form != TextForm::kPlainFile) return;
    for (TextPiece& piece : layout_.pieces) piece.code = false;
  };
  const bool has_blocks = form != TextForm::kPlain && form != TextForm::kPlainFile && form != TextForm::kCode;
  const size_t border = has_blocks ? last_block_border(text_, settled_bytes_) : 0;
  lay_out_part(std::string_view(text_).substr(settled_bytes_, border - settled_bytes_));
  settled_bytes_ = border;
  settled_pieces_ = layout_.pieces.size();
  settled_boxes_ = layout_.boxes.size();
  settled_height_ = layout_.height;
  lay_out_part(std::string_view(text_).substr(border));
  return layout_;
}

}  // namespace mneme::ui
