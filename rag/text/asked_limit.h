// Words of a question for a number or a time that answers say otherwise or not at all: "the maximum length" is told by
// "not longer than", "how long does it run" by "ends after 30 months". Threads: pure functions.
#pragma once

#include <string_view>

#include "rag/text/question_kind.h"

namespace mneme::rag {

// Whether a word (folded) of a question of that kind is such a form of asking.
bool need_not_be_said(QuestionKind kind, std::string_view folded);

// "What is the maximum length?", and whether a sentence sets a limit: "at most 16", "not longer than a week".
bool asks_limit(std::string_view question);
bool sets_limit(std::string_view sentence);

}  // namespace mneme::rag
