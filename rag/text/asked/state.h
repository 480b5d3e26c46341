// Questions for what is wrong with a thing: "What is wrong with the lamp?", "Was stimmt mit der Heizung nicht?", and
// whether a text tells of a defect. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "rag/text/languages/language.h"

namespace mneme::rag {

// The thing, in the question's words: "the lamp"; "" where nothing of the kind is asked of anything.
std::string thing_in_question_of_state(std::string_view question);

// "Flickers", "the strap is broken": by the words of the text's own language, or of `also`.
bool tells_defect(std::string_view text, Language also);

}  // namespace mneme::rag
