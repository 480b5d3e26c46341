// Whether a sentence holds the kind of thing that a question asks for: a date, a number, names, a reason, what
// something is. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "rag/text/asked/question_kind.h"

namespace mneme::rag {

// Whether answer_cue() can say anything for questions of this kind.
bool has_cues(QuestionKind kind);

// From 0 to 1: how much of what the question asks for the sentence holds. `asked`: the stems of the question's words
// (rag/text/words/words.h), which are no news; `unit`: asked_unit() (asked/quantity.h).
double answer_cue(QuestionKind kind, std::string_view sentence, const std::unordered_set<std::string>& asked,
                  std::string_view unit = {});

// From 0 to 1: whether a sentence names several things in a row ("traces, metrics and logs"), as answers of lists do.
double enumerating_cue(std::string_view sentence);

}  // namespace mneme::rag
