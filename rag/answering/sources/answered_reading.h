// Whether what was found for one reading of a question answers it, so that no other reading need be tried.
// Threads: pure function.
#pragma once

#include "rag/answering/sources/question_sources.h"

namespace mneme::rag {

class Embedder;

inline constexpr double kSaysItself = 0.6;  // of a question: what says so much of it needs no conversation

// Whether a sentence would be quoted that holds what is asked for, least_said (0 to 1) of the question, and the thing
// that is asked of in place of another.
bool is_answered(const QuestionSources& found, const Embedder& embedder, double least_said = 0.0);

}  // namespace mneme::rag
