// Forms of German verbs that stemmers do not join: with parts that come off ("mitbringen", "mitzubringen",
// "mitgebracht") and the nouns made of them ("nachzahlen", "Nachzahlung"; "austreten", "Austritt"). Folded words
// (rag/text/words/words.h), stemmed or not. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

bool is_german_verb_form(std::string_view a, std::string_view b);

}  // namespace mneme::rag
