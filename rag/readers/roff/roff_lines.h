// The lines of a roff document that say something: without comments and definitions, with what conditions leave (as for
// a terminal), strings noted. Ownership: borrows the text. Threads: one thread each.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/roff/roff_text.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {

struct RoffLine {
  int number = 0;            // of the file, 1-based
  std::string_view request;  // "SH"; empty: the line is text
  std::string_view rest;     // behind the request, or the text; as written
};

class RoffLines {
 public:
  explicit RoffLines(std::string_view text) : lines_(text) {}

  bool next(RoffLine& line);
  // The line as the file has it, for what is no roff (tables).
  bool next_raw(RoffLine& line);

  std::string text(std::string_view written) const { return roff_text(written, strings_); }
  std::vector<std::string> texts(std::string_view rest) const;  // of all arguments
  // A macro of the document's own that prints its arguments.
  bool prints(std::string_view request) const { return macros_.contains(request); }

 private:
  // What is left of a line; false: nothing.
  bool settle(std::string_view line, RoffLine& out);
  bool take_definition(const RoffLine& line);
  bool take_condition(RoffLine& line);
  void skip_block(std::string_view rest);
  void skip_definition(const RoffLine& line);
  void define_string(std::string_view rest, bool append);

  LineCursor lines_;
  RoffStrings strings_;
  std::set<std::string, std::less<>> macros_;
  bool else_holds_ = false;  // the last .ie did not
};

}  // namespace mneme::readers
