// Questions for what a text says about something, whatever that is: "What does PEP 8 say about line length?", "What are
// the rules for guests?", "Was steht im Mietvertrag über Haustiere?". A heading of that name stands above the answer.
// English and German. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// The words (folded) of what is to be told of: "line", "length"; empty where the question is another.
std::vector<std::string> told_matter(std::string_view question);

// Words (folded) of such a question that only ask and need not be said by what answers: "say", "rules".
bool is_telling_word(std::string_view folded);

}  // namespace mneme::rag
