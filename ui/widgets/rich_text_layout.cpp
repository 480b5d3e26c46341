#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "base/utf8.h"
#include "ui/text/bidi.h"
#include "ui/widgets/rich_text.h"

namespace mneme::ui {
namespace {

constexpr float kParagraphGap = 10.0f;
constexpr float kLineSpacing = 1.45f;
constexpr float kIndent = 22.0f;
constexpr float kCodePadding = 10.0f;
constexpr float kCellPadding = 8.0f;

float drawn_width(ImFont* font, std::string_view text) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0.0f, text.data(), text.data() + text.size()).x;
}

// Width of a text as it will be drawn; its glyphs are there afterwards.
float width_of(ImFont* font, std::string_view text) {
  FontAtlas& atlas = current_fonts();
  return atlas.prepare(text, font) ? drawn_width(font, text) : drawn_width(font, atlas.visual(text, font));
}

bool breaks_anywhere(char32_t c) {  // scripts written without spaces
  return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0xff00 && c <= 0xffef) || (c >= 0x0e00 && c <= 0x0e7f);
}

// Longest stretch measured at once: longer words are cut anyway, and measuring them whole would be quadratic.
constexpr size_t kLongestUnit = 256;

// End of the next unbreakable unit from `begin`: a word with the spaces after it, or one CJK character.
size_t unit_end(std::string_view text, size_t begin) {
  text = text.substr(0, utf8::floor_boundary(text, begin + kLongestUnit));
  size_t offset = begin;
  const char32_t first = utf8::next(text, offset);
  if (breaks_anywhere(first)) return offset;
  while (offset < text.size()) {
    if (text[offset] == ' ' || text[offset] == '\n') {
      while (offset < text.size() && text[offset] == ' ') ++offset;
      return offset;
    }
    size_t next = offset;
    if (breaks_anywhere(utf8::next(text, next))) return offset;
    offset = next;
  }
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

// Of a piece, as much as reads in one direction.
struct LinePart {
  TextPiece piece;
  size_t begin = 0;  // in the line
};

// What stands for a piece where its line is put into order: a citation moves as a whole, a sign of no direction.
std::string_view in_line(const TextPiece& piece) {
  return piece.citation > 0 ? std::string_view("\xef\xbf\xbc") : std::string_view(piece.text);
}

// What of a line's pieces lies in a run, in the order of reading, shaped.
std::vector<LinePart> parts_of(std::span<const TextPiece> pieces, const BidiRun& run) {
  std::vector<LinePart> parts;
  size_t begin = 0;
  for (const TextPiece& piece : pieces) {
    const size_t end = begin + in_line(piece).size();
    const size_t from = std::max(begin, run.begin);
    const size_t to = std::min(end, run.end);
    if (from < to) {
      TextPiece part = piece;
      part.right_to_left = run.right_to_left;
      if (from != begin) part.before.clear();
      if (piece.citation == 0) {
        part.text = piece.text.substr(from - begin, to - from);
        part.shown = current_fonts().shaped(part.text, run.right_to_left, part.font);
        part.width = drawn_width(part.font, part.shown);
      }
      parts.push_back({std::move(part), from});
    }
    begin = end;
  }
  return parts;
}

// From `x` on, in the order they are seen; where the next run begins.
float place(std::vector<LinePart>& parts, bool right_to_left, float x) {
  const auto put = [&x](TextPiece& piece) {
    piece.position.x = x;
    x += piece.width;
  };
  if (right_to_left) {
    for (size_t i = parts.size(); i-- > 0;) put(parts[i].piece);
  } else {
    for (LinePart& part : parts) put(part.piece);
  }
  return x;
}

class Layouter {
 public:
  Layouter(RichTextLayout& out, float scale, const Fonts& fonts) : out_(out), scale_(scale), fonts_(fonts) {}

  void block(const MarkdownBlock& block);
  float y = 0.0f;

 private:
  // Flows inlines into [x, x + width); returns the height used.
  void flow(const std::vector<Inline>& inlines, float x, float width, ImFont* base, bool muted);
  void code(const MarkdownBlock& block);
  void table(const MarkdownBlock& block);
  ImFont* font_of(const Inline& in, ImFont* base) const {
    if (in.code) return fonts_.mono;
    if (in.bold && base == fonts_.regular) return fonts_.bold;
    if (in.italic && base == fonts_.regular) return fonts_.italic;
    return base;
  }
  void put(const Inline& in, std::string_view text, float x, float width, ImFont* font, bool muted);
  void end_line();
  void order_line(size_t first);
  float line_height(ImFont* font) const { return font->FontSize * kLineSpacing; }

  RichTextLayout& out_;
  const float scale_;
  const Fonts& fonts_;
  float pen_ = 0.0f;
  size_t line_begin_ = 0;  // first piece of the current line
  float left_ = 0.0f;      // of the lines being filled
  float right_ = 0.0f;
  bool right_to_left_ = false;  // the paragraph's direction
  std::string before_ = "\n";   // the next piece, in a copy
};

// Puts a line with text of right-to-left or complex scripts into the order it is seen: its pieces are cut where the
// direction changes, placed anew and shaped. The list keeps the order of reading, so that a copy reads well.
void Layouter::order_line(size_t first) {
  bool plain = !right_to_left_;
  std::string line;
  for (size_t i = first; i < out_.pieces.size(); ++i) {
    plain = plain && !out_.pieces[i].needs_shaping;
    line += in_line(out_.pieces[i]);
  }
  if (plain || line.empty()) return;
  std::vector<LinePart> ordered;
  float x = left_;
  for (const BidiRun& run : visual_runs(line, right_to_left_)) {
    std::vector<LinePart> parts = parts_of(std::span(out_.pieces).subspan(first), run);
    x = place(parts, run.right_to_left, x);
    std::move(parts.begin(), parts.end(), std::back_inserter(ordered));
  }
  if (right_to_left_ && x < right_) {
    for (LinePart& part : ordered) part.piece.position.x += right_ - x;
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const LinePart& a, const LinePart& b) { return a.begin < b.begin; });
  out_.pieces.resize(first);
  for (LinePart& part : ordered) out_.pieces.push_back(std::move(part.piece));
}

// A line is as high as its highest piece; smaller fonts stand on the same baseline.
void Layouter::end_line() {
  float height = 0.0f;
  float largest = 0.0f;
  order_line(line_begin_);
  for (size_t i = line_begin_; i < out_.pieces.size(); ++i) {
    height = std::max(height, line_height(out_.pieces[i].font));
    largest = std::max(largest, out_.pieces[i].font->FontSize);
  }
  for (size_t i = line_begin_; i < out_.pieces.size(); ++i) {
    TextPiece& piece = out_.pieces[i];
    piece.height = height;
    piece.position.y = y + (height - largest) * 0.5f + (largest - piece.font->FontSize) * 0.8f;
  }
  if (line_begin_ < out_.pieces.size()) y += height;
  line_begin_ = out_.pieces.size();
}

void Layouter::put(const Inline& in, std::string_view text, float x, float width, ImFont* font, bool muted) {
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

void Layouter::flow(const std::vector<Inline>& inlines, float left, float width, ImFont* base, bool muted) {
  pen_ = left;
  left_ = left;
  right_ = left + width;
  line_begin_ = out_.pieces.size();
  right_to_left_ = reads_right_to_left(beginning_of(inlines));
  for (const Inline& in : inlines) {
    ImFont* font = font_of(in, base);
    if (in.line_break) {
      end_line();
      before_ = "\n";
      pen_ = left;
    }
    if (in.citation > 0) {
      const float chip = width_of(fonts_.small, in.text) + 4.0f * scale_;
      if (pen_ + chip > left + width && pen_ > left) {
        end_line();
        pen_ = left;
      }
      put(in, in.text, pen_ + 1.0f * scale_, chip, fonts_.small, false);
      pen_ += chip + 2.0f * scale_;
      continue;
    }
    for (size_t begin = 0; begin < in.text.size();) {
      if (in.text[begin] == '\n') {
        if (line_begin_ == out_.pieces.size()) y += line_height(font);  // a blank line
        end_line();
        before_ += '\n';
        pen_ = left;
        ++begin;
        continue;
      }
      size_t end = unit_end(in.text, begin);
      float unit = width_of(font, std::string_view(in.text).substr(begin, end - begin));
      if (pen_ + unit > left + width && pen_ > left) {
        end_line();
        pen_ = left;
      }
      if (unit > width) {  // a word longer than the line is cut where it must be
        const char* cut = font->CalcWordWrapPositionA(1.0f, in.text.data() + begin, in.text.data() + end, width);
        const size_t at = static_cast<size_t>(cut - in.text.data());
        end = utf8::floor_boundary(in.text, std::max(at, begin + 1));
        if (end <= begin) end = begin + 1;
        unit = width_of(font, std::string_view(in.text).substr(begin, end - begin));
      }
      put(in, std::string_view(in.text).substr(begin, end - begin), pen_, unit, font, muted);
      pen_ += unit;
      begin = end;
    }
  }
  end_line();
}

void Layouter::code(const MarkdownBlock& block) {
  const float padding = kCodePadding * scale_;
  const float top = y;
  y += padding;
  Inline body = block.inlines.empty() ? Inline{} : block.inlines.front();
  body.code = true;
  while (body.text.ends_with('\n')) body.text.pop_back();
  const std::string copy = body.text;
  flow({body}, padding, out_.width - 2 * padding, fonts_.mono, false);
  for (TextPiece& piece : out_.pieces) {
    if (piece.position.y >= top) piece.code = false;  // the box is the background
  }
  y += padding;
  out_.boxes.push_back({BackgroundBox::Kind::kCode, ImVec2(0, top), ImVec2(out_.width, y), copy, block.language});
}

void Layouter::table(const MarkdownBlock& block) {
  size_t n_columns = 0;
  for (const auto& row : block.rows) n_columns = std::max(n_columns, row.size());
  if (n_columns == 0) return;
  // Columns get what they want, or a fair share of it when all together want too much.
  std::vector<float> wanted(n_columns, 24.0f * scale_);
  for (const auto& row : block.rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      float width = 2 * kCellPadding * scale_;
      for (const Inline& in : row[c]) width += width_of(font_of(in, fonts_.regular), in.text) + 4.0f * scale_;
      wanted[c] = std::max(wanted[c], width);
    }
  }
  float total = 0.0f;
  for (const float w : wanted) total += w;
  if (total > out_.width) {
    for (float& w : wanted) w *= out_.width / total;
    total = out_.width;
  }
  for (const auto& row : block.rows) {
    const float top = y;
    float bottom = top;
    float x = 0.0f;
    for (size_t c = 0; c < row.size(); ++c) {
      y = top + 4.0f * scale_;
      before_ = c == 0 ? "\n" : "\t";
      flow(row[c], x + kCellPadding * scale_, wanted[c] - 2 * kCellPadding * scale_, fonts_.regular, false);
      bottom = std::max(bottom, y + 4.0f * scale_);
      x += wanted[c];
    }
    y = bottom;
    out_.boxes.push_back({BackgroundBox::Kind::kLine, ImVec2(0, y), ImVec2(total, y + 1), {}, {}});
    y += 1.0f;
  }
}

void Layouter::block(const MarkdownBlock& block) {
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
        const float width = width_of(fonts_.regular, marker.text);
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

}  // namespace

RichTextLayout lay_out(const std::vector<MarkdownBlock>& blocks, float width, float scale, const Fonts& fonts) {
  RichTextLayout layout;
  layout.width = std::max(width, 40.0f);
  lay_out_more(layout, blocks, scale, fonts);
  return layout;
}

void lay_out_more(RichTextLayout& layout, const std::vector<MarkdownBlock>& blocks, float scale, const Fonts& fonts) {
  Layouter layouter(layout, scale, fonts);
  layouter.y = layout.height;
  for (const MarkdownBlock& block : blocks) layouter.block(block);
  layout.height = layouter.y;
}

}  // namespace mneme::ui
