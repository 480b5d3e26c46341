// Questions for nothing but who somebody is: "Who is Queequeg?", "Wer ist Karl von Moor?". In English, German, French,
// Spanish, Italian and Portuguese. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// The name, as it is written; "" where more is asked than who somebody is, or no name is.
std::string asked_person(std::string_view question);

// Whether somebody is asked for, or how to reach them: "who is my plumber", "what is the plumber's number".
bool asks_for_somebody(std::string_view question);

// "Dr", "captain", "von": what stands before a name, or in it in small letters. Folded.
bool is_title_of_person(std::string_view folded);

}  // namespace mneme::rag
