// Lays Markdown out for a width, draws it, and lets people select and copy it. Layouts are kept per text and grow with
// it, so that a long chat or answer costs only what is visible or new. Threads: the window's thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "ui/text/fonts.h"
#include "ui/widgets/markdown.h"
#include "ui/widgets/theme.h"

namespace mneme::ui {

// A stretch of text on one line in one style and direction.
struct TextPiece {
  ImVec2 position;  // relative to the layout's origin
  float width = 0.0f;
  float height = 0.0f;  // of its line
  std::string text;     // as it is read and copied
  std::string shown;    // as it is drawn, where that differs (ui/text/fonts.h)
  ImFont* font = nullptr;
  bool muted = false;
  bool code = false;  // drawn on a code background
  bool strike = false;
  bool right_to_left = false;
  bool needs_shaping = false;
  int citation = 0;
  std::string link;
  std::string before;  // what a copy puts before it: line breaks, a tab between the cells of a table
};

// A filled shape behind text: code blocks, quote bars, table lines, rules.
struct BackgroundBox {
  enum class Kind { kCode, kQuoteBar, kLine } kind = Kind::kCode;
  ImVec2 min, max;
  std::string copy_text;  // code blocks: what their copy button copies
  std::string language;   // code blocks: as written behind the fence
};

constexpr float kCopyButtonRoom = 36.0f;  // at scale 1, at the right border of code

struct RichTextLayout {
  std::vector<TextPiece> pieces;
  std::vector<BackgroundBox> boxes;
  float width = 0.0f;
  float height = 0.0f;
};

RichTextLayout lay_out(const std::vector<MarkdownBlock>& blocks, float width, float scale, const Fonts& fonts);
// The same behind what the layout already holds.
void lay_out_more(RichTextLayout& layout, const std::vector<MarkdownBlock>& blocks, float scale, const Fonts& fonts);

// Where a Markdown text can be cut so that both parts are laid out alone: behind the last blank line, outside of code
// fences, that no indented line follows; at least `from`.
size_t last_block_border(std::string_view markdown, size_t from);

enum class TextForm {
  kPlain,
  kPlainFile,  // the same, of a file: its tables have one width for all letters (ui/view_model/text_columns.h)
  kMarkdown,
  kQuoted,        // of a document, with the quoter's own lists and fences (quoted_markdown.h)
  kMarkdownFile,  // the same, of a file: what HTML it holds lays out a page (html_tags.h)
  kCode           // one width for all letters; lines as they are
};

// A layout that follows a text while it grows: only what stands behind the last block border is laid out again.
class GrowingLayout {
 public:
  const RichTextLayout& update(std::string_view text, TextForm form, float width, float scale, const Fonts& fonts);
  const RichTextLayout& layout() const { return layout_; }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  TextForm form_ = TextForm::kPlain;
  float scale_ = 0.0f;
  ImFont* font_ = nullptr;
  RichTextLayout layout_;
  // What stays: the text up to here, and how much of the layout it made.
  size_t settled_bytes_ = 0;
  size_t settled_pieces_ = 0;
  size_t settled_boxes_ = 0;
  float settled_height_ = 0.0f;
};

// A selection within one layout: piece and byte, begin <= end once normalised.
struct TextSelection {
  const void* owner = nullptr;  // whose text is selected; only one selection exists in the window
  size_t anchor_piece = 0, anchor_byte = 0;
  size_t head_piece = 0, head_byte = 0;
  bool dragging = false;
};

// Only what a browser shows is opened: a document may name anything. Other links are for copying.
bool opens_in_browser(const std::string& link);

struct RichTextActions {
  std::function<void(int n)> citation_clicked;
  std::function<void(int n)> citation_hovered;
  std::function<void(const std::string& link)> link_clicked;
};

// Draws the layout at the cursor and handles selection; takes the layout's space. `owner` identifies the text.
void draw(const RichTextLayout& layout, const void* owner, const Theme& theme, float scale, TextSelection& selection,
          const RichTextActions& actions);

// Where a byte of a piece stands, in pixels from its left border.
float prefix_width(const TextPiece& piece, size_t bytes);

// The selected text of a layout.
std::string selected_text(const RichTextLayout& layout, const TextSelection& selection);

}  // namespace mneme::ui
