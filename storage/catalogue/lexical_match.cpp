#include "storage/catalogue/lexical_match.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace mneme::storage {
namespace {

// A term in more than this share of all chunks tells little and costs much: left out when others are there.
constexpr double kCommonShare = 0.25;
constexpr int64_t kCommonFloor = 2000;  // ... but small collections are searched with everything

double idf(int64_t frequency, int64_t n_chunks) {
  const double n = static_cast<double>(std::max(n_chunks, frequency));
  const auto f = static_cast<double>(frequency);
  return std::log(1 + (n - f + 0.5) / (f + 0.5));
}

// Without those nearly everywhere, unless nothing else is left.
std::vector<WeightedTerm> telling_terms(std::vector<WeightedTerm> terms, int64_t n_chunks, bool have_phrases) {
  const auto limit =
      std::max<int64_t>(kCommonFloor, static_cast<int64_t>(kCommonShare * static_cast<double>(n_chunks)));
  std::vector<WeightedTerm> kept;
  std::copy_if(terms.begin(), terms.end(), std::back_inserter(kept),
               [&](const WeightedTerm& term) { return term.frequency <= limit; });
  if (!kept.empty() || have_phrases) terms = std::move(kept);
  std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  return terms;
}

// Terms joined by OR, and the weight of each.
struct TermList {
  std::string text;
  std::vector<double> weights;

  TermList(const std::vector<WeightedTerm>& terms, int64_t n_chunks) {
    for (const WeightedTerm& term : terms) {
      text += (text.empty() ? "" : " OR ") + fts_string({term.term.term}) + (term.term.prefix ? " *" : "");
      weights.push_back(term.term.weight * idf(term.frequency, n_chunks));
    }
  }
};

void append(std::vector<double>& weights, const std::vector<double>& more) {
  weights.insert(weights.end(), more.begin(), more.end());
}

// Rows of `chosen`, whose score also counts what else they have of `adding`: FTS5 knows no optional terms.
MatchExpression match_optionally(const MatchExpression& chosen, const TermList& adding) {
  if (adding.text.empty()) return chosen;
  MatchExpression match = chosen;
  match.text = "(" + chosen.text + ") OR ((" + chosen.text + ") AND (" + adding.text + "))";
  match.weights.resize(2 * chosen.weights.size(), 0.0);  // the second mention scores nothing
  append(match.weights, adding.weights);
  return match;
}

// Phrases must all match; terms only add to the score.
MatchExpression match_phrases(const LexicalQuery& query, const ChosenTerms& terms, int64_t n_chunks) {
  MatchExpression phrases;
  for (const auto& phrase : query.phrases) {
    phrases.text += (phrases.text.empty() ? "" : " AND ") + fts_string(phrase);
    // A phrase is rarer than its words; it counts as much as a rare word for each of them.
    phrases.weights.push_back(idf(n_chunks / 1000, n_chunks) * static_cast<double>(phrase.size()) / 2);
  }
  std::vector<WeightedTerm> all = terms.choosing;
  all.insert(all.end(), terms.adding.begin(), terms.adding.end());
  return match_optionally(phrases, TermList(all, n_chunks));
}

}  // namespace

ChosenTerms choose_terms(std::vector<WeightedTerm> terms, int64_t n_chunks, bool have_phrases,
                         const LexicalBudget& budget) {
  ChosenTerms chosen;
  int64_t rows = 0;
  int64_t passed = 0;
  for (WeightedTerm& term : telling_terms(std::move(terms), n_chunks, have_phrases)) {
    const bool first = chosen.choosing.empty();
    if (first || (chosen.adding.empty() && rows + term.frequency <= budget.chosen_rows)) {
      rows += term.frequency;
      chosen.choosing.push_back(std::move(term));
    } else if (passed + term.frequency <= budget.passed_rows) {
      passed += term.frequency;
      chosen.adding.push_back(std::move(term));
    }
  }
  chosen.both = rows > budget.chosen_rows && !chosen.adding.empty();
  return chosen;
}

MatchExpression build_match(const LexicalQuery& query, const ChosenTerms& terms, int64_t n_chunks) {
  if (!query.phrases.empty()) return match_phrases(query, terms, n_chunks);
  const TermList choosing(terms.choosing, n_chunks);
  const TermList adding(terms.adding, n_chunks);
  MatchExpression match{choosing.text, choosing.weights};
  if (!terms.both) return match_optionally(match, adding);
  match.text = "(" + choosing.text + ") AND (" + adding.text + ")";
  append(match.weights, adding.weights);
  return match;
}

}  // namespace mneme::storage
