// Whether a sentence holds a number, and of what a question wants counted or measured (asked/quantity.h). Threads: pure
// functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// From 0 to 1: whether a sentence holds a number, and of what is counted. unit: asked_unit(); empty: of anything.
double counting_cue(std::string_view sentence, std::string_view unit);

// Whether every number of a sentence stands before a word for what it counts or measures: "187 members", not "Serves
// 4".
bool counts_only_others(std::string_view sentence);

}  // namespace mneme::rag
