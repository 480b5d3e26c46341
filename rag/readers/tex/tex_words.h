// LaTeX within a paragraph as plain text: signs, accents, quotation marks and dashes, formulas as text, citations by
// their keys; commands that only dress or place are gone. Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/readers/tex/tex_cursor.h"

namespace mneme::readers {

class TexWords {
 public:
  // Takes the next character, command or formula and puts what it says behind `out`.
  void take(TexCursor& cursor, std::string& out) { take(cursor, out, 0); }
  // What a text says; commands that make blocks say their words.
  std::string text(std::string_view tex) { return text(tex, 0); }
  // Footnotes that came since the last call.
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

 private:
  void take(TexCursor& cursor, std::string& out, int depth);
  std::string text(std::string_view tex, int depth);
  void take_command(TexCursor& cursor, std::string& out, int depth);
  bool take_link(std::string_view name, TexCursor& cursor, std::string& out, int depth);
  bool take_formula(std::string_view name, TexCursor& cursor, std::string& out);
  void take_environment(TexCursor& cursor, std::string& out);
  void take_dollars(TexCursor& cursor, std::string& out);
  void take_note(TexCursor& cursor, int depth);

  std::vector<std::string> notes_;
};

}  // namespace mneme::readers
