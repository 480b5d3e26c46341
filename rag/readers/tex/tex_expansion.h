// A LaTeX document without its comments, and with the author's own macros put in the place of their names: what
// \newcommand, \def, \DeclareMathOperator and \newtheorem define is known from there on. Verbatim text stays as it is.
// Ownership: a value. Threads: pure function.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::readers {

struct TexExpansion {
  std::string text;
  std::map<std::string, std::string, std::less<>> theorems;  // environments of \newtheorem and what they are called

  // The line of the file that a place of the text comes from, 1-based.
  int line_of(size_t offset) const;

  std::vector<size_t> line_begins;  // of the text, by line of the file
};

// limit_bytes: of the text; what would go beyond is left out, macros of macros in the first place. check: asked every
// few thousand steps; its failure is the result.
Result<TexExpansion> expand_tex(std::string_view source, size_t limit_bytes, const std::function<Status()>& check);

}  // namespace mneme::readers
