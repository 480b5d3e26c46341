// Which of the found passages are shown, and in which order: unlike ones chosen, neighbours together.
// Threads: pure functions.
#pragma once

#include <functional>
#include <vector>

#include "rag/retrieval/retriever.h"

namespace mneme::rag {

// Maximal marginal relevance (Carbonell and Goldstein 1998): top_k of the hits, each the best in score less likeness to
// those chosen before. diversity: 0 by score alone, 1 by unlikeness alone. likeness: from 0 to 1.
std::vector<Hit> choose_diverse(std::vector<Hit> hits, double diversity, int top_k,
                                const std::function<double(const Hit&, const Hit&)>& likeness);

// Passages of one document that follow each other are read in order, at the place of the best of them.
void join_neighbours(std::vector<Hit>& hits);

}  // namespace mneme::rag
