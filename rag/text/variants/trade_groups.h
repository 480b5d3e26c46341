// Those who do something, and their trade, by which papers call them: "Plumbing: Mr Gray" of "who is my plumber". A
// table of many languages. Threads: pure function.
#pragma once

#include <string_view>
#include <vector>

namespace mneme::rag {

// What stands for a folded word where somebody is asked for; without the word itself, empty for most. The views live as
// long as the program.
std::vector<std::string_view> words_of_trade(std::string_view folded);

}  // namespace mneme::rag
