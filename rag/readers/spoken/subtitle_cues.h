// The cues of subtitles and captions: SubRip (srt), WebVTT, YouTube's sbv. What only says how a cue looks (tags,
// settings, numbers, notes, styles) is left out; a line that rolling captions show again is told once. Ownership:
// borrows the text. Threads: one thread each.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/text_lines.h"

namespace mneme::readers {

// A line of a cue, without tags.
struct CueLine {
  std::string text;
  std::string speaker;         // of "<v Tom Becker>"; "": none is named
  bool is_of_another = false;  // "- No." and ">> No.": somebody else says it
  int number = 0;              // in the file
};

struct Cue {
  std::chrono::milliseconds begin{};
  std::chrono::milliseconds end{};
  std::vector<CueLine> lines;
};

// "00:01:02,500 --> 00:01:04.000 align:start" or "0:01:02.500,0:01:04.000": when a cue is shown.
std::optional<Cue> cue_times(std::string_view line);

// A line as it is shown: without tags and marks of style, entities as their characters.
CueLine shown_line(std::string_view line);

class CueCursor {
 public:
  explicit CueCursor(std::string_view text) : lines_(text) {}

  // The next cue; one that says nothing new has no lines.
  bool next(Cue& cue);

 private:
  bool find_times(Cue& cue);
  void take_lines(Cue& cue);
  void drop_repeated(Cue& cue);

  LineCursor lines_;
  std::optional<Cue> found_;    // the times that ended the cue before
  std::vector<CueLine> shown_;  // of the cue before, as it stands
  std::chrono::milliseconds until_{-1};
};

}  // namespace mneme::readers
