// Words that say the same in a question and in its answer though no stemmer joins them: "weigh" and "weight", "wrote"
// and "written by", "who sang it" and "singer". English. Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

namespace mneme::rag {

// Words that begin alike far enough to be one word in two forms; pairs of characters have none.
bool is_form(std::string_view a, std::string_view b);

// Irregular forms of a word and what its doer, doing or measure is called, as folded words (rag/text/words.h); without
// the word itself. Empty for most words. The views live as long as the program.
std::vector<std::string_view> related_words(std::string_view folded);

}  // namespace mneme::rag
