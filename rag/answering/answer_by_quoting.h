// The answer without a language model of the user's: the best sentences of the sources, or that there are none; and
// the short answer within them, where the model that came with the program is there to read them.
// Threads: one at a time per reader.
#pragma once

#include <functional>

#include "base/status.h"
#include "rag/answering/exchange/answer.h"
#include "rag/answering/exchange/asked.h"
#include "rag/answering/sources/question_sources.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

class Embedder;

// The model that reads quotations, opened when there are any to read; null: nobody reads.
using OpenReader = std::function<Result<engine::LanguageModel*>()>;

// Fills text and in_documents, and marks the sources that are quoted. `found` is where answer.sources came from.
// A short answer read out of the quotations (brief_answer.h) is, if that was asked for, all that is said; else it
// stands before them where it is likely enough. Where opening or reading fails they stand alone, with a note; where
// it is cancelled, without.
void answer_by_quoting(const Asked& asked, const QuestionSources& found, const Embedder& embedder,
                       const OpenReader& reader, Answer& answer);

}  // namespace mneme::rag
