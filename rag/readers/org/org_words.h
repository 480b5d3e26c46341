// Words of Org-mode's text as they are read: links by what they are called, without the marks of emphasis, formulas as
// text, days in words; footnotes are taken out of the sentence. Internal to rag/readers. Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mneme::readers {

class OrgWords {
 public:
  // `text` may have several lines; a line break in it is a space, "\\" before one ends a line (kLineBreak).
  std::string text(std::string_view text);

  // Labels of the footnotes that were met since, or "" with the text of those that stand in the sentence.
  std::vector<std::pair<std::string, std::string>> take_notes() { return std::exchange(notes_, {}); }

 private:
  // What says how the text looks at a place of it: as the others.
  size_t take(std::string_view whole, size_t at, std::string& out);
  // Each takes what begins with `rest`, writes how it reads to `out`, and gives its size; 0: it is not there.
  size_t take_link(std::string_view rest, std::string& out);
  size_t take_note(std::string_view rest);
  size_t take_emphasis(std::string_view whole, size_t at, std::string& out);

  std::vector<std::pair<std::string, std::string>> notes_;
  int depth_ = 0;
};

// "<2026-03-15 Sun 10:00 +1w>" or "[2026-03-15 Sun]" at the beginning of `text`: how it reads ("Sunday, 15 March 2026,
// 10:00, every week") and its size; 0: none is there. A range of two ("<..>--<..>") is one.
size_t org_time(std::string_view text, std::string& words);

}  // namespace mneme::readers
