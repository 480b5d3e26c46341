#include "rag/retrieval/passage_scorer.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr size_t kMaxTerms = 64;       // of a question; more say no more
constexpr uint32_t kWindowTerms = 40;  // a few sentences
constexpr uint32_t kCloseTerms = 20;
constexpr double kWindowWeight = 0.5;
constexpr double kGrammarPair = 0.1;  // what a pair weighs beside the mean of its words

struct Occurrence {
  uint32_t position;
  uint32_t term;
};

// The most weight of different terms within any stretch of `width` positions.
double densest(const std::vector<Occurrence>& occurrences, const std::vector<double>& weight, uint32_t width) {
  std::vector<uint32_t> count(weight.size());
  double inside = 0.0;
  double best = 0.0;
  size_t begin = 0;
  for (const Occurrence& o : occurrences) {
    if (count[o.term]++ == 0) inside += weight[o.term];
    while (o.position - occurrences[begin].position > width) {
      if (--count[occurrences[begin].term] == 0) inside -= weight[occurrences[begin].term];
      ++begin;
    }
    best = std::max(best, inside);
  }
  return best;
}

}  // namespace

double evidence_score(const PassageEvidence& evidence, double dense_weight) {
  const double sum = evidence.lexical + kWindowWeight * evidence.window + dense_weight * std::max(0.0, evidence.dense);
  return sum / (1.0 + kWindowWeight + dense_weight);
}

double rerank_score(const PassageEvidence& e, double dense_weight) {
  double score = 3.2 * e.lexical + 2.6 * dense_weight * std::max(0.0, e.dense);
  score += 1.9 * e.coverage + 2.5 * e.close + 1.8 * e.pairs - 1.8 * e.first;
  score += 7.8 * e.spelling + 3.0 * e.symbols + 3.0 * e.named + 60.0 * e.places;
  return score - 0.45 * std::log1p(static_cast<double>(e.n_terms));
}

std::vector<std::string> PassageScorer::terms_of(std::string_view question) {
  std::vector<std::string> terms;
  storage::for_each_term(question, storage::TermPurpose::kQuery, [&](const storage::LexicalTerm& term) {
    if (storage::is_stop_term(term.term)) return true;
    if (std::find(terms.begin(), terms.end(), term.term) == terms.end()) terms.emplace_back(term.term);
    return terms.size() < kMaxTerms;
  });
  return terms;
}

PassageScorer::PassageScorer(std::string_view question, const std::function<double(std::string_view)>& idf) {
  for (const std::string& term : terms_of(question)) {
    index_.emplace(term, static_cast<uint32_t>(weight_.size()));
    weight_.push_back(idf(term));
    total_ += weight_.back();
  }
  std::string last;
  storage::for_each_term(question, storage::TermPurpose::kQuery, [&](const storage::LexicalTerm& term) {
    if (term.colocated) return true;
    const std::string_view previous = last;
    const bool grammar = previous.empty() || (storage::is_stop_term(previous) && storage::is_stop_term(term.term));
    if (!grammar) {
      const auto weight_of = [&](std::string_view t) {
        const auto at = index_.find(std::string(t));
        return at == index_.end() ? 0.0 : weight_[at->second];
      };
      const double weight = kGrammarPair + (weight_of(previous) + weight_of(term.term)) / 2;
      if (pairs_.emplace(last + " " + std::string(term.term), weight).second) pairs_total_ += weight;
    }
    last.assign(term.term);
    return pairs_.size() < kMaxTerms;
  });
}

void PassageScorer::score(std::string_view passage, PassageEvidence& evidence) const {
  if (empty()) return;
  std::vector<Occurrence> occurrences;
  std::vector<bool> found(weight_.size());
  std::unordered_set<std::string_view> pairs_found;  // keys of pairs_
  uint32_t position = 0;
  std::string key;
  std::string pair;
  storage::for_each_term(passage, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    position += term.colocated ? 0 : 1;
    if (!term.colocated && !pairs_.empty()) {
      pair.push_back(' ');
      pair.append(term.term);
      if (const auto at = pairs_.find(pair); at != pairs_.end()) pairs_found.insert(at->first);
      pair.assign(term.term);
    }
    key.assign(term.term);
    if (const auto at = index_.find(key); at != index_.end()) {
      occurrences.push_back({position, at->second});
      found[at->second] = true;
    }
    return true;
  });
  double covered = 0.0;
  for (size_t t = 0; t < weight_.size(); ++t) covered += found[t] ? weight_[t] : 0.0;
  evidence.coverage = covered / total_;
  evidence.window = densest(occurrences, weight_, kWindowTerms) / total_;
  evidence.close = densest(occurrences, weight_, kCloseTerms) / total_;
  double together = 0.0;
  for (const auto& [text, weight] : pairs_) together += pairs_found.contains(text) ? weight : 0.0;
  evidence.pairs = pairs_total_ > 0.0 ? together / pairs_total_ : 0.0;
  evidence.first = occurrences.empty() ? 1.0 : static_cast<double>(occurrences.front().position) / position;
  evidence.n_terms = position;
}

}  // namespace mneme::rag
