// Words that say little about a text's subject: articles, prepositions, question words of common languages.
// Threads: pure functions.
#pragma once

#include <string_view>

#include "rag/text/languages/language.h"

namespace mneme::rag {

// In whatever language: those of all that mean nothing else in another. `folded` as rag/text/words/words.h folds.
bool is_stop_word(std::string_view folded);

// Those, and in a text in that language its own besides: "var" and "man" in Swedish.
bool is_stop_word(std::string_view folded, Language language);

}  // namespace mneme::rag
