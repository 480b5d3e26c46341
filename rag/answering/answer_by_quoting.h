// The answer without a language model of the user's: the best sentences of the sources, or that there are none; and
// the short answer within them, where the model that came with the program is there to read them.
// Threads: one at a time per reader.
#pragma once

#include "rag/answering/answer.h"
#include "rag/answering/asked.h"
#include "rag/answering/question_sources.h"

namespace mneme::engine {
class LanguageModel;
}

namespace mneme::rag {

class Embedder;

// Fills text and in_documents, and marks the sources that are quoted. `found` is where answer.sources came from.
// reader: reads the quotations (brief_answer.h); null: nobody does. A short answer that was asked for is that alone;
// else it stands before the quotations where it is likely enough. Where reading fails or is cancelled the quotations
// stand alone, with a note.
void answer_by_quoting(const Asked& asked, const QuestionSources& found, const Embedder& embedder,
                       engine::LanguageModel* reader, Answer& answer);

}  // namespace mneme::rag
