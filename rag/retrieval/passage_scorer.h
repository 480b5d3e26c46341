// The second look at the candidates: how well a passage answers to the question as a whole, beyond the counts of BM25
// and the vector's overall impression. Words of the question that stand close together, and pairs that stand in the
// question's order (Metzler and Croft's sequential dependence, 2005), tell a passage about the matter from one that
// merely mentions it. Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mneme::rag {

// What speaks for a passage, each from 0 to 1.
struct PassageEvidence {
  double lexical = 0.0;   // BM25 as a share of the best candidate's
  double dense = 0.0;     // similarity, placed between the worst and the best of the dense candidates
  double coverage = 0.0;  // share of the question's weight that occurs at all
  double window = 0.0;    // ... within the densest stretch
  double pairs = 0.0;     // ... as neighbouring words in the question's order
};

// The weights were fitted on the training titles of four sets in four languages (rag/retrieval/README.md).
double evidence_score(const PassageEvidence& evidence, double dense_weight);

class PassageScorer {
 public:
  // idf of the question's terms by term, as lexical_terms() gives them.
  PassageScorer(std::string_view question, const std::function<double(std::string_view)>& idf);

  // Fills coverage, window and pairs.
  void score(std::string_view passage, PassageEvidence& evidence) const;

  bool empty() const { return total_ <= 0.0; }
  // The distinct terms of a question that carry meaning, in order.
  static std::vector<std::string> terms_of(std::string_view question);

 private:
  std::unordered_map<std::string, uint32_t> index_;
  std::vector<double> weight_;
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;  // neighbours in the question
  double total_ = 0.0;
  double total_pairs_ = 0.0;
};

}  // namespace mneme::rag
