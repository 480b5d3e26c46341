#include "rag/retrieval/passage_scorer.h"

#include <algorithm>

#include "storage/catalogue/lexical_terms.h"

namespace mneme::rag {

namespace {

constexpr size_t kMaxTerms = 64;       // of a question; more say no more
constexpr uint32_t kWindowTerms = 40;  // a few sentences
constexpr double kWindowWeight = 0.5;

struct Occurrence {
  uint32_t position;
  uint32_t term;
};

}  // namespace

double evidence_score(const PassageEvidence& evidence, double dense_weight) {
  const double sum = evidence.lexical + kWindowWeight * evidence.window + dense_weight * std::max(0.0, evidence.dense);
  return sum / (1.0 + kWindowWeight + dense_weight);
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
}

void PassageScorer::score(std::string_view passage, PassageEvidence& evidence) const {
  if (empty()) return;
  std::vector<Occurrence> occurrences;
  uint32_t position = 0;
  std::string key;
  storage::for_each_term(passage, storage::TermPurpose::kDocument, [&](const storage::LexicalTerm& term) {
    position += term.colocated ? 0 : 1;
    key.assign(term.term);
    if (const auto at = index_.find(key); at != index_.end()) occurrences.push_back({position, at->second});
    return true;
  });
  std::vector<uint32_t> count(weight_.size());
  for (const Occurrence& o : occurrences) ++count[o.term];
  double covered = 0.0;
  for (size_t t = 0; t < weight_.size(); ++t) covered += count[t] > 0 ? weight_[t] : 0.0;
  evidence.coverage = covered / total_;

  std::fill(count.begin(), count.end(), 0);
  double inside = 0.0;
  double best = 0.0;
  size_t begin = 0;
  for (const Occurrence& o : occurrences) {
    if (count[o.term]++ == 0) inside += weight_[o.term];
    while (o.position - occurrences[begin].position > kWindowTerms) {
      if (--count[occurrences[begin].term] == 0) inside -= weight_[occurrences[begin].term];
      ++begin;
    }
    best = std::max(best, inside);
  }
  evidence.window = best / total_;
}

}  // namespace mneme::rag
