// The two sides of a strip down a page: whether what stands beside each other are columns, of text or with a side
// column, or the cells of rows. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rag/readers/pdf/pdf_page.h"

namespace mneme::readers {

inline constexpr float kNoEdge = 1e9F;
inline constexpr size_t kFewestBeside = 3;  // lines of what stands beside a column

// Where a line, or what of it lies on one side, is.
struct Piece {
  float x_min = 1e9F;
  float y_min = 1e9F;
  float x_max = -1e9F;
  float y_max = -1e9F;
  size_t bytes = 0;
  bool is_number = true;
  bool is_cut = false;  // by a gap that no space between words is as wide as

  float height() const { return y_max - y_min; }
  float middle() const { return (y_min + y_max) / 2; }
};
using Pieces = std::vector<Piece>;  // of one side, from top to bottom

// piece: gets the next word to the right.
void add_to(Piece& piece, const PdfWord& word);
void sort_down(Pieces& pieces);

// Pieces of one side, here and below from top to bottom.

// Lines that reach it fill their column. pieces: not empty.
float near_right_edge(std::span<const Piece> pieces);
// Share of the lines of one side that have none of the other beside them in the same row.
double unaligned(std::span<const Piece> pieces, std::span<const Piece> others);
// Those between two heights.
std::span<const Piece> between(std::span<const Piece> pieces, float top, float bottom);

// What stands beside each other, and which is read first: a side column behind the text that it is beside.
enum class Columns { kNone, kLeftFirst, kRightFirst };

// left, right: not empty.
Columns columns_of_band(std::span<const Piece> left, std::span<const Piece> right);

}  // namespace mneme::readers
