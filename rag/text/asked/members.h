// "Which plans are there?", "What themes does it have?", "Welche Programme hat der Trockner?": all of a kind are asked
// for, not one. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// Stems of the words for the kind, in order; empty where one is asked for, or something else.
std::vector<std::string> asked_members(std::string_view question);

}  // namespace mneme::rag
