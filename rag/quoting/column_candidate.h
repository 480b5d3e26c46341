// What a table lists in the column that is called by the kind asked for: "Which plans are there?" of a table with a
// column "Plan". Threads: pure functions.
#pragma once

#include <cstddef>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

// head: the part that names the columns. evidence.whole is 0 where none of them is asked for, or where the question
// says more than what stands above the table, as "in the morning": then some of the rows answer.
QuoteCandidate column_candidate(const AskedPassages& asked, size_t p, size_t head);

}  // namespace mneme::rag
