// What is peculiar to French, Spanish, Italian and Portuguese: verbs and nouns of one root end in many ways, which no
// stemmer for English joins. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// By its grammar words and marked letters, more than those of English and German.
bool is_romance(std::string_view text);

// Whether two words, folded and perhaps stemmed (words.h), end one root: "passe" and "passera", "alergico" and
// "alergias", "remboursement" and "rembourser".
bool is_romance_form(std::string_view a, std::string_view b);

}  // namespace mneme::rag
