// What somebody said and when, as a paragraph that tells both: "[00:04:12] Tom Becker: It moves to March." Quoting
// knows this form (rag/quoting/outline/said_marks.h). Internal to rag/readers. Threads: pure functions.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace mneme::readers {

// speaker: "" where nobody is named.
std::string said_line(std::string_view time, std::string_view speaker, std::string_view words);

// "00:04:12": the place in a recording.
std::string place_in_recording(std::chrono::milliseconds from_beginning);

// The name before a colon at the beginning of a line, as transcripts have it ("Priya Nair: ..."); "" where what stands
// there is too long for one or begins in small letters.
std::string_view name_before_colon(std::string_view line);

}  // namespace mneme::readers
