// What chat programs write in place of words, in the language of the telephone: pictures that are not there, messages
// that were deleted or changed, attachments. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// What somebody said in a message's first line without what the program says of it; the name of an attached document
// that is no picture, film or sound; "" where no words are left. `raw`: the line behind its head, with its marks of
// direction, which iOS puts before what it says itself.
std::string said_words(std::string_view raw);

// Whether a line is the program's own by such a mark.
bool is_programs_own(std::string_view raw);

}  // namespace mneme::readers
