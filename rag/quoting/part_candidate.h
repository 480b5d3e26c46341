// One sentence, item or row of a passage as an answer: what it says of a question, what stands above and beside it, and
// what its form tells. Threads: pure functions.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "rag/quoting/asked_passages.h"
#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

// Part i of passage p.
QuoteCandidate part_candidate(const AskedPassages& asked, size_t p, size_t i);

// Adds to `evidence` what stands above and beside part i of passage p, and where it stands itself. known: the
// question's stems that were found nearer; those found here are then known, too.
void look_around(const AskedPassages& asked, size_t p, size_t i, SentenceEvidence& evidence,
                 std::set<std::string>& known);

}  // namespace mneme::rag
