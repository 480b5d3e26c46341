// Who somebody is ("Who is Queequeg?") is told where a text introduces them: "Queequeg was a native of Rokovoko", "Fix,
// the detective", "a man named Fix". Rules of form; questions in English, German, French, Spanish, Italian and
// Portuguese, sentences in English and German. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace mneme::rag {

// What asked_unit() (asked_quantity.h) is where nothing is asked but who somebody is.
inline constexpr std::string_view kIntroduced = "?introduced";

// The name, as it is written; "" where more is asked than who somebody is, or no name is.
std::string asked_person(std::string_view question);

// From 0 to 1: whether a sentence introduces whom the question asks for. asked: the stems of its words (words.h).
double introducing_cue(std::string_view sentence, const std::unordered_set<std::string>& asked);

}  // namespace mneme::rag
