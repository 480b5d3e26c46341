// Which of a question's terms are worth scoring, and what they weigh. Threads: values and pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/catalogue/lexical_query.h"

namespace mneme::storage {

struct WeightedTerm {
  QueryTerm term;
  int64_t frequency = 0;  // chunks that have it, more than 0
};

// What one question may cost in a large collection. Below it the scores are exact.
struct LexicalBudget {
  int64_t rows = 300'000;  // chunks of all scored terms together
};

// Rarest first, as many as the budget has rows for, and one at least; without the terms nearly everywhere, unless
// nothing else is left and there is no phrase.
std::vector<WeightedTerm> choose_terms(std::vector<WeightedTerm> terms, int64_t n_chunks, bool have_phrases,
                                       const LexicalBudget& budget = {});

// How much rarer than everything a term is: ln of the odds against meeting it, as Okapi BM25 has it, never below 0.
double term_idf(int64_t frequency, int64_t n_chunks);

}  // namespace mneme::storage
