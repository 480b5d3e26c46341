// The line format that calendars (RFC 5545, .ics) and contacts (RFC 6350, .vcf) share: long lines folded, a name with
// parameters, a value with escapes. Lines keep the numbers they have in the file. Internal to rag/readers.
// Ownership: the cursor owns its text, lines are values. Threads: one thread each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace mneme::readers {

struct ContentLine {
  std::string group;                                            // "item1" of "item1.TEL"; lower case
  std::string name;                                             // "DTSTART"; upper case
  std::vector<std::pair<std::string, std::string>> parameters;  // names in upper case, values without quotes
  std::string value;                                            // still escaped
  int line_begin = 0;                                           // 1-based lines of the file
  int line_end = 0;                                             // inclusive

  // All values of a parameter, separated by commas; "" when absent. Parameters without a name, as vCard 2.1 has them
  // ("TEL;HOME;VOICE:"), count as TYPE.
  std::string parameter(std::string_view name) const;
  // "BEGIN:VEVENT" and the like, in any case.
  bool is(std::string_view name, std::string_view value) const;
};

class ContentLineCursor {
 public:
  // Folds are undone before the encoding is looked at, for they may part the bytes of a character.
  // Errors: those of decode_text().
  static Result<ContentLineCursor> open(std::string bytes);

  // The next line that has a name and a colon; others are passed over.
  bool next(ContentLine& line);
  // What had to be repaired to read the text; "" when nothing.
  const std::string& note() const { return note_; }

 private:
  std::string text_;          // a line for each line that is not the continuation of another
  std::vector<int> numbers_;  // of the file, for each of these; the last is behind the end
  std::string note_;
  size_t offset_ = 0;
  size_t index_ = 0;
};

// "\n", "\,", "\;" and "\\" to what they stand for.
std::string unescape_content(std::string_view value);
// Pieces between separators that are not escaped, each unescaped.
std::vector<std::string> split_content(std::string_view value, char separator);

}  // namespace mneme::readers
