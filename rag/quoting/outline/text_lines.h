// A passage cut into its lines. Ownership: lines borrow the text. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mneme::rag {

struct TextLine {
  size_t begin = 0;          // in the whole text
  size_t indent = 0;         // bytes of space before the first character; 0 of a blank line
  std::string_view text;     // without line break and what space stands before it
  std::string_view trimmed;  // ... and without the indentation

  bool blank() const { return text.empty(); }
  size_t end() const { return begin + text.size(); }
};

std::vector<TextLine> text_lines(std::string_view text);

}  // namespace mneme::rag
