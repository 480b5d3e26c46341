// Texts that commands are given. Threads: one reader of standard input at a time.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::app {

// Standard input or a file ("-": standard input) as a whole, at most `limit_bytes`. kResource beyond; kCancelled when a
// signal ends the wait for standard input.
Result<std::string> read_standard_input(uint64_t limit_bytes);
Result<std::string> read_text_file(const std::string& path, uint64_t limit_bytes);

// Likewise of what need be no file: a pipe, which is waited for ("<(pass show home)").
Result<std::string> read_file_or_pipe(const std::string& path, uint64_t limit_bytes);

// The next line of `in` without its end; nothing behind the last one, and where `cancel` or a signal ended the wait.
// kResource where it has more than `limit_bytes`: it is passed over, and the line behind it is the next. Errors of
// reading standard input end it.
Result<std::optional<std::string>> read_line(std::istream& in, uint64_t limit_bytes, const CancelToken& cancel);

}  // namespace mneme::app
