// Who somebody is ("Who is Queequeg?", asked/person.h) is told where a text introduces them: "Queequeg was a native of
// Rokovoko", "Fix, the detective", "a man named Fix". Rules of form, for English and German. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace mneme::rag {

// From 0 to 1: whether a sentence introduces whom the question asks for. asked: the stems of its words (words.h).
double introducing_cue(std::string_view sentence, const std::unordered_set<std::string>& asked);

}  // namespace mneme::rag
