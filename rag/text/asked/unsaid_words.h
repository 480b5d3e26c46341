// Words of a question that answers say otherwise or not at all: "the maximum length" is told by "not longer than", "how
// long does it run" by "ends after 30 months", "the heartbeat parameter" stands in a list of parameters under its name.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/text/asked/question_kind.h"

namespace mneme::rag {

// Whether a word (folded) of a question of that kind is such a form of asking.
bool need_not_be_said(QuestionKind kind, std::string_view folded);

// "List an archive without extracting it": what stands behind such a word need not be told of; it counts so much.
bool excludes(std::string_view folded);
inline constexpr double kExcluded = 0.3;

// "Departure" for "leave" where it is asked when. Empty for other words.
std::vector<std::string_view> words_of_times(QuestionKind kind, std::string_view folded);

// "Day" of "Which day is bin day?": the day shows by itself. Empty where nothing is asked for so.
std::string day_asked_for(std::string_view question);

// "Term", "Laufzeit": what may stand in the answer for "run" of "how long does it run". Empty for other words.
std::vector<std::string_view> words_of_lasting(QuestionKind kind, std::string_view folded);

}  // namespace mneme::rag
