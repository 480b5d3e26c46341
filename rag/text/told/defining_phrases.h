// How texts say what the thing is, or who it is, that a question asks about. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// Queries for words, most of them for a phrase in quotation marks: "a wheel is a", "wheels are", "we propose wheel",
// "wheel glossary". The likeliest first. Nothing for questions of other kinds.
std::vector<std::string> defining_phrases(std::string_view question);

}  // namespace mneme::rag
