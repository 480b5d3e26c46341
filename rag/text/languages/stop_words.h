// Words that say little about a text's subject: articles, prepositions, question words of common languages.
// Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// `folded` as rag/text/words/words.h folds.
bool is_stop_word(std::string_view folded);

}  // namespace mneme::rag
