// Thanks and greetings, which ask nothing: told apart from a question behind them, and answered in their language.
// Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// The text behind thanks and greetings ("Thanks. Where is ...", "谢谢。"); all of it where nothing else is said.
std::string_view without_pleasantries(std::string_view question);

// What is said back to nothing but thanks or greetings ("Ok, thanks!"), a sentence; empty for anything else. Lives as
// long as the program.
std::string_view reply_to_pleasantry(std::string_view text);

}  // namespace mneme::rag
