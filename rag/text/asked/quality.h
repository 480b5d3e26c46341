// What a question wants named by a word of its own kind: "What colour are the doors?" is answered by "The doors are
// grey", which need not say colour. Colours, languages, materials, shapes, seasons, months and days of the week, in the
// languages of the interface and the commonest others. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// The word for the kind, folded (rag/text/words/words.h): "colour", "sprache"; "" where nothing of these is asked for.
std::string asked_quality(std::string_view question);

// The words of that kind, folded: "grey", "red"... Empty for what is no word for a kind. The views live as long as the
// program.
std::vector<std::string_view> words_of_quality(std::string_view kind);

// "What is it like?", "What does it look like?", and whether a folded word of such a question only asks so.
bool asks_likeness(std::string_view question);
bool is_likeness_word(std::string_view folded);

}  // namespace mneme::rag
