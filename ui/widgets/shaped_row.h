// A row of a text being edited in which scripts join or run from right to left: its parts in the order they are seen,
// and where each character of it stands. Threads: the window's thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "ui/widgets/rich_text.h"

namespace mneme::ui {

class ShapedRow {
 public:
  ShapedRow() = default;
  // `width`: of the field, at whose right border a row from right to left begins.
  ShapedRow(std::string_view text, bool right_to_left, float width, ImFont* font);

  bool empty() const { return parts_.empty(); }
  float right_end() const;                // how far what is drawn reaches
  float x_of(size_t byte) const;          // of the caret before this byte of the row
  size_t byte_at(float x) const;          // where a caret is nearest
  bool reads_left_at(size_t byte) const;  // whether what follows the caret stands at its left

  struct Stretch {
    float left = 0.0f;
    float right = 0.0f;
  };
  std::vector<Stretch> stretches(size_t begin, size_t end) const;  // that bytes [begin, end) cover
  void draw(ImDrawList& list, ImVec2 at, ImU32 colour) const;

 private:
  struct Part {
    size_t begin = 0;  // bytes of the row
    TextPiece piece;
  };
  const Part* part_of(size_t byte) const;

  std::vector<Part> parts_;  // in the order they are read
};

}  // namespace mneme::ui
