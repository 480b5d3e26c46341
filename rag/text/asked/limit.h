// "What is the maximum length?": manuals tell it by "not longer than". Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// Whether the question asks for a limit, and whether a sentence sets one: "at most 16", "not longer than a week".
bool asks_limit(std::string_view question);
bool sets_limit(std::string_view sentence);
// "maximum": in such a question a form of asking.
bool is_limit_word(std::string_view folded);

}  // namespace mneme::rag
