// A question of several, of which the documents answer some: "How do I descale the kettle, and what is the capital of
// Peru?" is answered by half, and says so. Threads: as Retriever.
#pragma once

#include "base/cancel.h"
#include "base/status.h"

namespace mneme::rag {

class Retriever;
struct QuestionSources;
struct SearchOptions;

// For what is not answerable as a whole: each part that stands by itself is searched alone. Where some are answerable,
// `found` becomes their sources and a note names the others; else it is left as it was.
Status find_answered_parts(Retriever& retriever, const SearchOptions& search, const CancelToken& cancel,
                           QuestionSources& found);

}  // namespace mneme::rag
