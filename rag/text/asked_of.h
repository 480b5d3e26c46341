// What something is asked of: "gold" in "What is the boiling point of gold?". English. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// The words behind the last "of", folded, up to what says where or when; empty without one.
std::vector<std::string> asked_of(std::string_view question);

}  // namespace mneme::rag
