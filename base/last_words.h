// What is left to say when the program cannot go on: one sentence, and its exit status. Nothing is allocated, locked or
// run at exit, so that signal handlers and code without any memory may end here; what was being written is left as a
// kill would leave it. Threads: last_words_in_json() before others are started.
#pragma once

#include <string_view>

#include "base/status.h"

namespace mneme {

// With `json` the sentence goes to standard output too, as an error object.
void last_words_in_json(bool json);

// `sentence`: without a full stop, and without what JSON would not take as it stands.
[[noreturn]] void end_with_last_words(StatusCode code, std::string_view sentence) noexcept;

}  // namespace mneme
