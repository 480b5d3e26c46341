// A question that asks several things at once, taken apart. Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

namespace mneme::rag {

// The questions a question is made of: "How do I descale it, and why not with vinegar?" asks two. In order, each a view
// into the question; one view of all of it when it asks one thing.
std::vector<std::string_view> question_parts(std::string_view question);

// One of them by itself: without "and" before it and what parts it from the next.
std::string_view without_joiners(std::string_view part);

}  // namespace mneme::rag
