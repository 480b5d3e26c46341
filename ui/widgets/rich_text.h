// Lays Markdown out for a width, draws it, and lets people select and copy it. Layouts are kept per message, so that a
// long chat costs only what is visible. Threads: the window's thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <imgui.h>

#include "ui/shell/fonts.h"
#include "ui/widgets/markdown.h"
#include "ui/widgets/theme.h"

namespace mneme::ui {

// A stretch of text on one line in one style.
struct TextPiece {
  ImVec2 position;  // relative to the layout's origin
  float width = 0.0f;
  float height = 0.0f;  // of its line
  std::string text;
  ImFont* font = nullptr;
  bool muted = false;
  bool code = false;  // drawn on a code background
  bool strike = false;
  int citation = 0;
  std::string link;
  bool breaks_line = false;  // a copy puts a line break before it
};

// A filled shape behind text: code blocks, quote bars, table lines, rules.
struct BackgroundBox {
  enum class Kind { kCode, kQuoteBar, kLine } kind = Kind::kCode;
  ImVec2 min, max;
  std::string copy_text;  // code blocks: what their copy button copies
};

struct RichTextLayout {
  std::vector<TextPiece> pieces;
  std::vector<BackgroundBox> boxes;
  float width = 0.0f;
  float height = 0.0f;
};

RichTextLayout lay_out(const std::vector<MarkdownBlock>& blocks, float width, float scale, const Fonts& fonts);

// A selection within one layout: piece and byte, begin <= end once normalised.
struct TextSelection {
  const void* owner = nullptr;  // whose text is selected; only one selection exists in the window
  size_t anchor_piece = 0, anchor_byte = 0;
  size_t head_piece = 0, head_byte = 0;
  bool dragging = false;
};

struct RichTextActions {
  std::function<void(int n)> citation_clicked;
  std::function<void(int n)> citation_hovered;
  std::function<void(const std::string& link)> link_clicked;
};

// Draws the layout at the cursor and handles selection; takes the layout's space. `owner` identifies the text.
void draw(const RichTextLayout& layout, const void* owner, const Theme& theme, float scale, TextSelection& selection,
          const RichTextActions& actions);

// The selected text of a layout.
std::string selected_text(const RichTextLayout& layout, const TextSelection& selection);

}  // namespace mneme::ui
