#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "ui/text/bidi.h"
#include "ui/text/line_breaks.h"
#include "ui/widgets/line_order.h"
#include "ui/widgets/rich_text_layouter.h"

namespace mneme::ui {
namespace {

constexpr float kParagraphGap = 10.0f;
constexpr float kLineSpacing = 1.45f;
constexpr float kIndent = 22.0f;
constexpr float kCodePadding = 10.0f;

// Longest stretch measured at once: longer words are cut anyway, and measuring them whole would be quadratic.
constexpr size_t kLongestUnit = 256;

// Behind what at `offset` may not begin a line.
size_t behind_closing(std::string_view text, size_t offset) {
  for (size_t next = offset; next < text.size() && begins_no_line(utf8::next(text, next));) offset = next;
  return offset;
}

// Enough of a paragraph to tell its direction.
std::string beginning_of(const std::vector<Inline>& inlines) {
  std::string beginning;
  for (const Inline& in : inlines) {
    if (beginning.size() < 200) beginning += in.text;
  }
  return beginning;
}

}  // namespace

float width_when_drawn(ImFont* font, std::string_view text) {
  FontAtlas& atlas = current_fonts();
  return atlas.prepare(text, font) ? drawn_width(font, text) : drawn_width(font, atlas.visual(text, font));
}

size_t unbreakable_end(std::string_view text, size_t begin) {
  text = text.substr(0, utf8::floor_boundary(text, begin + kLongestUnit));
  size_t offset = begin;
  char32_t first = utf8::next(text, offset);
  while (ends_no_line(first) && offset < text.size()) first = utf8::next(text, offset);
  if (breaks_anywhere(first)) return behind_closing(text, offset);
  while (offset < text.size()) {
    if (text[offset] == ' ' || text[offset] == '\n') {
      while (offset < text.size() && text[offset] == ' ') ++offset;
      return offset;
    }
    size_t next = offset;
    if (breaks_anywhere(utf8::next(text, next))) return behind_closing(text, offset);
    offset = next;
  }
  return offset;
}

float RichTextLayouter::line_height(ImFont* font) {
  return font_size(font) * kLineSpacing;
}

// A line is as high as its highest piece; smaller fonts stand on the same baseline.
void RichTextLayouter::end_line() {
  float height = 0.0f;
  float largest = 0.0f;
  order_line(out_.pieces, line_begin_, {left_, right_, right_to_left_});
  for (size_t i = line_begin_; i < out_.pieces.size(); ++i) {
    height = std::max(height, line_height(out_.pieces[i].font));
    largest = std::max(largest, font_size(out_.pieces[i].font));
  }
  for (size_t i = line_begin_; i < out_.pieces.size(); ++i) {
    TextPiece& piece = out_.pieces[i];
    piece.height = height;
    piece.position.y = y + (height - largest) * 0.5f + (largest - font_size(piece.font)) * 0.8f;
  }
  if (line_begin_ < out_.pieces.size()) y += height;
  line_begin_ = out_.pieces.size();
}

void RichTextLayouter::put(const Inline& in, std::string_view text, float x, float width, ImFont* font, bool muted) {
  if (text.empty()) return;
  if (!out_.pieces.empty() && line_begin_ < out_.pieces.size()) {
    TextPiece& last = out_.pieces.back();
    const bool same = last.font == font && last.link == in.link && last.code == in.code && last.citation == 0 &&
                      in.citation == 0 && last.strike == in.strike && last.muted == muted;
    if (same && last.position.x + last.width >= x - 0.5f) {
      last.text += text;
      last.width += width;
      last.needs_shaping = last.needs_shaping || !current_fonts().prepare(text, font);
      return;
    }
  }
  TextPiece piece;
  piece.needs_shaping = in.citation == 0 && !current_fonts().prepare(text, font);
  piece.position = ImVec2(x, y);
  piece.width = width;
  piece.text = text;
  piece.font = font;
  piece.muted = muted;
  piece.code = in.code;
  piece.strike = in.strike;
  piece.citation = in.citation;
  piece.link = in.link;
  piece.before = std::exchange(before_, {});
  out_.pieces.push_back(std::move(piece));
}

void RichTextLayouter::flow(const std::vector<Inline>& inlines, float left, float width, ImFont* base, bool muted) {
  pen_ = left;
  left_ = left;
  right_ = left + width;
  width_ = width;
  line_begin_ = out_.pieces.size();
  right_to_left_ = reads_right_to_left(beginning_of(inlines));
  for (size_t n = 0; n < inlines.size(); ++n) {
    const Inline& in = inlines[n];
    if (in.line_break) {
      new_line();
      before_ = "\n";
    }
    if (in.citation > 0) {
      flow_citation(in);
      continue;
    }
    // A citation stays with the word before it.
    const bool cited = n + 1 < inlines.size() && !inlines[n + 1].line_break;
    flow_text(in, font_of(in, base), cited ? chip_width(inlines[n + 1]) : 0.0f, muted);
  }
  end_line();
}

void RichTextLayouter::new_line() {
  end_line();
  pen_ = left_;
}

void RichTextLayouter::make_room(float width) {
  if (pen_ + width > right_ && pen_ > left_) new_line();
}

void RichTextLayouter::flow_citation(const Inline& in) {
  const float chip = chip_width(in);
  make_room(chip);
  put(in, in.text, pen_ + 1.0f * scale_, chip, fonts_.small, false);
  pen_ += chip + 2.0f * scale_;
}

void RichTextLayouter::flow_text(const Inline& in, ImFont* font, float behind, bool muted) {
  for (size_t begin = 0; begin < in.text.size();) {
    if (in.text[begin] == '\n') {
      if (line_begin_ == out_.pieces.size()) y += line_height(font);  // a blank line
      new_line();
      before_ += '\n';
      ++begin;
      continue;
    }
    size_t end = unbreakable_end(in.text, begin);
    const auto width_of_unit = [&] {
      return width_when_drawn(font, std::string_view(in.text).substr(begin, end - begin));
    };
    float unit = width_of_unit();
    make_room(unit + (end == in.text.size() ? behind : 0.0f));
    if (unit > width_) {
      end = cut_of_long_word(in.text, begin, end, font);
      unit = width_of_unit();
    }
    put(in, std::string_view(in.text).substr(begin, end - begin), pen_, unit, font, muted);
    pen_ += unit;
    begin = end;
  }
}

size_t RichTextLayouter::cut_of_long_word(const std::string& text, size_t begin, size_t end, ImFont* font) const {
  const char* cut = font->CalcWordWrapPositionA(1.0f, text.data() + begin, text.data() + end, width_);
  const size_t at = static_cast<size_t>(cut - text.data());
  return std::max(utf8::floor_boundary(text, std::max(at, begin + 1)), begin + 1);
}

void RichTextLayouter::code(const MarkdownBlock& block) {
  const float padding = kCodePadding * scale_;
  const float top = y;
  y += padding;
  Inline body = block.inlines.empty() ? Inline{} : block.inlines.front();
  body.code = true;
  while (body.text.ends_with('\n')) body.text.pop_back();
  const std::string copy = body.text;
  const float right = std::min(kCopyButtonRoom * scale_, out_.width * 0.25f);  // no line ends under the button
  flow({body}, padding, out_.width - padding - std::max(padding, right), fonts_.mono, false);
  for (TextPiece& piece : out_.pieces) {
    if (piece.position.y >= top) piece.code = false;  // the box is the background
  }
  y += padding;
  out_.boxes.push_back({BackgroundBox::Kind::kCode, ImVec2(0, top), ImVec2(out_.width, y), copy, block.language});
}

void RichTextLayouter::block(const MarkdownBlock& block) {
  if (y > 0.0f) y += (block.kind == MarkdownKind::kListItem ? 0.4f : 1.0f) * kParagraphGap * scale_;
  before_ = "\n";
  switch (block.kind) {
    case MarkdownKind::kParagraph: flow(block.inlines, 0.0f, out_.width, fonts_.regular, false); break;
    case MarkdownKind::kHeading:
      y += 4.0f * scale_;
      flow(block.inlines, 0.0f, out_.width, block.level <= 2 ? fonts_.heading : fonts_.bold, false);
      break;
    case MarkdownKind::kListItem: {
      const float indent = kIndent * scale_ * static_cast<float>(block.level);
      const float top = y;
      const bool from_right = reads_right_to_left(beginning_of(block.inlines));
      if (!block.marker.empty()) {
        Inline marker;
        marker.text = from_right ? " " + block.marker : block.marker + " ";
        const float width = width_when_drawn(fonts_.regular, marker.text);
        flow({marker}, from_right ? out_.width - indent : indent - width, std::max(indent, width), fonts_.regular,
             true);
        y = top;
        before_.clear();
      }
      flow(block.inlines, from_right ? 0.0f : indent, out_.width - indent, fonts_.regular, false);
      y = std::max(y, top + line_height(fonts_.regular));
      break;
    }
    case MarkdownKind::kQuote: {
      const float indent = kIndent * scale_ * static_cast<float>(block.level);
      const float top = y;
      flow(block.inlines, indent, out_.width - indent, fonts_.regular, true);
      out_.boxes.push_back({BackgroundBox::Kind::kQuoteBar,
                            ImVec2(indent - 12.0f * scale_, top),
                            ImVec2(indent - 9.0f * scale_, y),
                            {},
                            {}});
      break;
    }
    case MarkdownKind::kCode: code(block); break;
    case MarkdownKind::kTable: table(block); break;
    case MarkdownKind::kRule:
      out_.boxes.push_back({BackgroundBox::Kind::kLine, ImVec2(0, y + 4), ImVec2(out_.width, y + 5), {}, {}});
      y += 10.0f * scale_;
      break;
  }
}

RichTextLayout lay_out(const std::vector<MarkdownBlock>& blocks, float width, float scale, const Fonts& fonts) {
  RichTextLayout layout;
  layout.width = std::max(width, 40.0f);
  lay_out_more(layout, blocks, scale, fonts);
  return layout;
}

void lay_out_more(RichTextLayout& layout, const std::vector<MarkdownBlock>& blocks, float scale, const Fonts& fonts) {
  RichTextLayouter layouter(layout, scale, fonts);
  layouter.y = layout.height;
  for (const MarkdownBlock& block : blocks) layouter.block(block);
  layout.height = layouter.y;
}

}  // namespace mneme::ui
