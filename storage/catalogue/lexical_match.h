// A question's terms as an FTS5 expression that is cheap enough to run: which terms choose the rows, which only add to
// their scores. Threads: values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/catalogue/lexical_query.h"

namespace mneme::storage {

struct WeightedTerm {
  QueryTerm term;
  int64_t frequency = 0;  // chunks that have it, more than 0
};

// What one question may cost in a large collection, in rows.
struct LexicalBudget {
  int64_t chosen_rows = 15'000;   // that are scored
  int64_t passed_rows = 300'000;  // of further terms, which are walked past to see where they meet those
};

// Rarest first. The rarest terms choose the rows; commoner ones only add to the scores of rows they meet there
// (MaxScore: Turtle and Flood 1995, by counts instead of bounds). Where even the rarest term is commoner than the
// budget, rows must have another one as well.
struct ChosenTerms {
  std::vector<WeightedTerm> choosing;  // a row must have one of them
  std::vector<WeightedTerm> adding;    // count where they stand in such a row
  bool both = false;                   // a row must have one of `adding` as well
};

// Without the terms nearly everywhere, unless nothing else is left and there is no phrase.
ChosenTerms choose_terms(std::vector<WeightedTerm> terms, int64_t n_chunks, bool have_phrases,
                         const LexicalBudget& budget = {});

struct MatchExpression {
  std::string text;             // "" when there is nothing to look for
  std::vector<double> weights;  // per phrase of FTS5, in the order of the text
};

// Phrases of the query must all match; terms then only add to the score.
MatchExpression build_match(const LexicalQuery& query, const ChosenTerms& terms, int64_t n_chunks);

}  // namespace mneme::storage
