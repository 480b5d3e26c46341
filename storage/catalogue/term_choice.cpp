#include "storage/catalogue/term_choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace mneme::storage {
namespace {

// A term in more than this share of all chunks tells little and costs much: left out when others are there.
constexpr double kCommonShare = 0.25;
constexpr int64_t kCommonFloor = 2000;  // ... but small collections are searched with everything

// Without those nearly everywhere, unless nothing else is left.
std::vector<WeightedTerm> telling_terms(std::vector<WeightedTerm> terms, int64_t n_chunks, bool have_phrases) {
  const auto limit =
      std::max<int64_t>(kCommonFloor, static_cast<int64_t>(kCommonShare * static_cast<double>(n_chunks)));
  std::vector<WeightedTerm> kept;
  std::copy_if(terms.begin(), terms.end(), std::back_inserter(kept),
               [&](const WeightedTerm& term) { return term.frequency <= limit; });
  if (!kept.empty() || have_phrases) return kept;
  return terms;
}

}  // namespace

std::vector<WeightedTerm> choose_terms(std::vector<WeightedTerm> terms, int64_t n_chunks, bool have_phrases,
                                       const LexicalBudget& budget) {
  std::vector<WeightedTerm> chosen = telling_terms(std::move(terms), n_chunks, have_phrases);
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  int64_t rows = 0;
  const auto beyond = std::find_if(chosen.begin(), chosen.end(), [&](const WeightedTerm& term) {
    rows += term.frequency;
    return rows > budget.rows;
  });
  if (beyond != chosen.begin()) {
    chosen.erase(beyond, chosen.end());
  } else if (chosen.size() > 1) {
    chosen.resize(1);
  }
  return chosen;
}

double term_idf(int64_t frequency, int64_t n_chunks) {
  const double n = static_cast<double>(std::max(n_chunks, frequency));
  const auto f = static_cast<double>(frequency);
  return std::log(1 + (n - f + 0.5) / (f + 0.5));
}

}  // namespace mneme::storage
