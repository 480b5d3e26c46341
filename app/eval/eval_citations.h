// How well the citation check tells right from wrong: for every question an answer is made of the words of its gold
// passage, once naming that passage and once another one, and the check is asked about both.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/eval/eval_set.h"
#include "base/cancel.h"

namespace mneme::app {

// Counts over one way of answering.
struct CitationCounts {
  int64_t right = 0;    // answers that name the passage they come from
  int64_t flagged = 0;  // ... and were marked all the same
  int64_t planted = 0;  // answers that name another passage
  int64_t caught = 0;   // ... and were marked
};

struct CitationScores {
  CitationCounts sentence;  // the sentence that holds the answer, word for word
  CitationCounts bare;      // the answer alone
  bool interrupted = false;
};

// Questions without an answer, or whose answer does not stand in their supporting context, are left out. `n_chunks`
// passages each, 6 when 0; the wrong number is chosen by seed.
CitationScores evaluate_citations(const EvalSet& set, const EvalCorpus& corpus, int n_chunks, uint64_t seed,
                                  const std::function<void(size_t)>& each, const CancelToken& cancel);

}  // namespace mneme::app
