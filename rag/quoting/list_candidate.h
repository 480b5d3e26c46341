// A whole list, or all that stands under a heading, as an answer: steps where somebody asks how, ingredients where they
// are asked for. Threads: pure functions.
#pragma once

#include <cstddef>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

// evidence.whole is 0 where the list is not of the kind that is asked for; it is no answer then.
QuoteCandidate list_candidate(const AskedPassages& asked, size_t p, const OutlineList& list);

// "What should I do when the queue is stuck?": all that stands under "Queue is stuck".
bool tells_what_to_do(const AskedPassages& asked, const PassageOutline& outline, const OutlineList& section);

}  // namespace mneme::rag
