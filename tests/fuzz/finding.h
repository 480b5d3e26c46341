// The input a program died of, or never came back from, is kept in a file: a finding that can be run again.
// (libFuzzer's "Test unit written to" is the model.) Sanitizers that end the program by themselves are heard as well.
// Threads: one, the one that runs the inputs.
#pragma once

#include <string>
#include <string_view>

namespace mneme::fuzz {

// From now on a death of this process writes the input in work to `folder`/finding-`target` and says so. An input in
// work for longer than `seconds` ends the process so, too.
void keep_findings(const std::string& folder, std::string_view target, unsigned seconds);

// The input in work; it stays the caller's, and must live until the next call.
void begin_input(std::string_view bytes);
void end_inputs();

}  // namespace mneme::fuzz
