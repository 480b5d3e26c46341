// Which lines of a plain message their author ended, as those of an itinerary or an address, and which a mail program
// broke because the next word would not have fitted. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mneme::readers {

// Characters to which a message's lines are broken: those of its longest, but for lines that nobody broke. 0: it has no
// lines that say so.
size_t wrapping_width(std::string_view message);

// Characters of the longest line.
size_t longest_line(std::string_view text);

// What a space at the end of a line says (RFC 3676).
enum class TextFlow {
  kNone,    // nothing: many programs leave one there
  kSpaced,  // format=flowed: the line goes on
  kJoined   // delsp=yes: it goes on without that space, as in texts that have none between words
};

// A paragraph of the message with kLineBreak (document_builder.h) where a line was ended.
std::string with_ended_lines(std::string_view paragraph, size_t width, TextFlow flow = TextFlow::kSpaced);

}  // namespace mneme::readers
