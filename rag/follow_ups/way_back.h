// "When does our flight to Lisbon leave?", "And back?": the same is asked of the way back.
// Ownership: values. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mneme::rag {

// The question before, asked of the way back where it names where the way leads; nothing where it does not, or where
// the follow-up asks of something else.
std::optional<std::string> with_way_back(std::string_view before, std::string_view follow_up);

}  // namespace mneme::rag
