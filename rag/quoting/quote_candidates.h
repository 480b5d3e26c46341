// What could be quoted for one question: every sentence, item and row of the passages, and the lists a question asks
// for as a whole, each with what speaks for it. Threads: pure functions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/quote_candidate.h"

namespace mneme::rag {

class Embedder;

// Scored, best first; none that says too little. question: one of question_parts() of `whole`; the words of the other
// parts say what it is about. embedder: null: by words alone. leaned_on: QuotingOptions.
std::vector<QuoteCandidate> quote_candidates(std::string_view question, std::string_view whole,
                                             std::span<const PassageOutline> outlines, const Embedder* embedder,
                                             std::string_view leaned_on = {});

}  // namespace mneme::rag
