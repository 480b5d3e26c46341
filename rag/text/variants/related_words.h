// Words that are of one root though no ending shows it: "wrote" and "written", "sang" and "singer". English and
// German, and the families of each language's facts.
// Threads: pure function.
#pragma once

#include <string_view>
#include <vector>

namespace mneme::rag {

// Irregular forms of a word and what its doer, doing or measure is called, as folded words (rag/text/words/words.h);
// without the word itself. Empty for most words. The views live as long as the program.
std::vector<std::string_view> related_words(std::string_view folded);

}  // namespace mneme::rag
