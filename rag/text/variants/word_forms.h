// Words that are one in two forms though no stemmer joins them: "weigh" and "weight", "putzen" and "geputzt". English,
// German and Russian; what no letters show is in related_words.h. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// Words that begin alike far enough to be one word in two forms, or a German verb and its participle ("putzen",
// "geputzt"); pairs of characters have none.
bool is_form(std::string_view a, std::string_view b);

// Whether one stem (words.h) is the other inflected where too short for the stemmer, or with its consonant doubled:
// "move" and "moved", "swim" and "swimm(ing)". English; is_form(), too.
bool is_inflection(std::string_view a, std::string_view b);

// "stored" of "Where is it stored?", folded; by its ending, of English alone.
bool is_participle(std::string_view folded);

}  // namespace mneme::rag
