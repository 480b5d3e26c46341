// Puts the pieces of a line into the order they are seen. Threads: the window's thread.
#pragma once

#include <string_view>
#include <vector>

#include "ui/widgets/rich_text.h"

namespace mneme::ui {

// Of what is drawn as it is.
float drawn_width(ImFont* font, std::string_view text);

struct LineBounds {
  float left = 0.0f;
  float right = 0.0f;
  bool right_to_left = false;  // the paragraph's direction
};

// Of the line that begins with the piece `first`: where it has text of right-to-left or complex scripts its pieces are
// cut where the direction changes, placed anew and shaped. The list keeps the order of reading, so that a copy reads
// well.
void order_line(std::vector<TextPiece>& pieces, size_t first, const LineBounds& bounds);

}  // namespace mneme::ui
