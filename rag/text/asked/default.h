// "What is the default timeout?": what holds as long as nobody says otherwise. Manuals say it in other words ("unless
// given", "ab Werk"), and what does not say so tells of another value. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// Whether the question asks for such a value.
bool asks_default(std::string_view question);
// "default", "Werkseinstellung", and "set" of "to what is it set": in such a question a form of asking.
bool is_default_word(std::string_view folded);
// Whether a text says of a value that it is one: "the default is 82", "6 if it is left out", "timeout=10".
bool states_default(std::string_view text);

}  // namespace mneme::rag
