// The answer without a language model: the best sentences of the sources, or that there are none. Threads: pure
// function.
#pragma once

#include "rag/answering/answer.h"
#include "rag/answering/question_sources.h"

namespace mneme::rag {

class Embedder;

// Fills text and in_documents, and marks the sources that are quoted. `found` is where answer.sources came from.
void answer_by_quoting(const QuestionSources& found, const Embedder& embedder, Answer& answer);

}  // namespace mneme::rag
