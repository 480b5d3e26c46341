// Plain text in which spaces set words below each other. Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

namespace mneme::ui {

// With words below each other, from which on a paragraph is a table.
inline constexpr int kLinesOfTable = 2;

// Whether a line has spaces within that set its words below those of others; two that end a sentence are none.
bool has_columns(std::string_view line);

// A stretch of whole lines: the paragraphs of a text that are tables, with what stands between them.
struct TextStretch {
  std::string_view text;
  bool is_table = false;
};
// In order, and all of the text.
std::vector<TextStretch> stretches_of(std::string_view text);

}  // namespace mneme::ui
