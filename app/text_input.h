// Texts that commands are given. Threads: one reader of standard input at a time.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace mneme::app {

// Standard input or a file ("-": standard input) as a whole, at most `limit_bytes`. kResource beyond; kCancelled when a
// signal ends the wait for standard input.
Result<std::string> read_standard_input(uint64_t limit_bytes);
Result<std::string> read_text_file(const std::string& path, uint64_t limit_bytes);

}  // namespace mneme::app
