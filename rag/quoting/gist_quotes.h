// What tells what a document is about as a whole: its abstract, or how it begins. Threads: pure function.
#pragma once

#include <span>
#include <vector>

#include "rag/quoting/quoting.h"

namespace mneme::rag {

// passages: of one document, in its order, the first of them its beginning. A few sentences under "Abstract",
// "Summary" or the like, else its first ones, behind its title; of what has no sentences (tables, lists) the beginning.
std::vector<QuotedSentence> quotes_of_gist(std::span<const QuotePassage> passages);

}  // namespace mneme::rag
