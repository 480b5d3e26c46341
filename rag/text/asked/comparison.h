// "What is the difference between a list and a tuple?": where no text compares the two, each of them is told of
// somewhere, and what they are shows how they differ. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// The two questions for definitions that such a question comes to: "What is a list?", "What is a tuple?"; with what is
// said of both behind them ("in Python"). Empty for other questions.
std::vector<std::string> compared_definitions(std::string_view question);

}  // namespace mneme::rag
