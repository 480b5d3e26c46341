// Forms of one word in languages whose words end in many ways, and what compounds they are in: by the endings and the
// habits that language_facts.h has of each. All words folded, and perhaps stemmed (rag/text/words/words.h).
// Threads: pure functions.
#pragma once

#include <string_view>

#include "rag/text/languages/language.h"

namespace mneme::rag {

// Whether two words end one root: "hyran" and "hyror" in Swedish, "kirayi" and "kira" in Turkish, "passe" and "passera"
// in French. False in languages of which no endings are known.
bool is_ending_form(Language language, std::string_view a, std::string_view b);

// Whether the language puts words together without a space.
bool makes_compounds(Language language);

// Whether a compound is a kind of what the word says, in whatever form: "manadshyra" of "hyran".
bool is_kind_in(Language language, std::string_view compound, std::string_view word);
// Whether it tells of a thing that the word says: "huurprijs" of "huur".
bool is_compound_in(Language language, std::string_view compound, std::string_view word);

}  // namespace mneme::rag
