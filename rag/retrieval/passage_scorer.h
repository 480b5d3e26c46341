// The second look at the candidates: how well a passage answers to the question as a whole, beyond the counts of BM25
// and the vector's overall impression. A passage about the matter holds the question's words close together; one that
// merely mentions it holds them strewn about. Threads: immutable after construction.
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
  double dense = 0.0;     // dot product of the vectors
  double coverage = 0.0;  // share of the question's weight that occurs at all
  double window = 0.0;    // ... within the densest stretch
  // For the second look alone:
  double close = 0.0;     // ... within a stretch half as long
  double pairs = 0.0;     // share of the question's neighbouring words that are neighbours here too, by weight
  double first = 1.0;     // how far into the passage the first of the question's words stands
  double spelling = 0.0;  // trigrams (rag/text/trigrams.h), with diminishing returns
  double symbols = 0.0;   // signs the question asks about (rag/text/symbols.h)
  double named = 0.0;     // names the question calls documents by (document_names.h)
  double answer = 0.0;    // a sentence holds the kind of thing asked for (rag/text/question_kind.h), and the words
  double sentence = 0.0;  // likeness of the vectors of the question and the nearest sentence
  double words = 0.0;     // likeness of the question's words and the nearest words here, weighted by rarity
  double places = 0.0;    // of the passage in both rankings: sum of 1 / (61 + place)
  uint32_t n_terms = 0;   // length of the passage
};

// From 0 to 1. Places alone (reciprocal rank) throw away how clear a win was: on unseen titles of four sets in four
// languages they lose 1 to 10 points of MRR against BM25 by itself, while this sum gains. dense_weight: the embedder's.
double evidence_score(const PassageEvidence& evidence, double dense_weight);

// The second look, over the best candidates only: log odds against the others, up to a constant. Weights: softmax
// regression on the unseen titles of nq_open_oracle, JaQuAD and ARCD in a prototype with the same kinds of evidence,
// carried over by hand and rounded; docs/retrieval.md says how to measure them.
double rerank_score(const PassageEvidence& evidence, double dense_weight);

class PassageScorer {
 public:
  // idf of the question's terms by term, as lexical_terms() gives them.
  PassageScorer(std::string_view question, const std::function<double(std::string_view)>& idf);

  // Fills coverage, window, close, pairs, first and n_terms.
  void score(std::string_view passage, PassageEvidence& evidence) const;

  bool empty() const { return total_ <= 0.0; }
  // The distinct terms of a question that carry meaning, in order.
  static std::vector<std::string> terms_of(std::string_view question);

 private:
  std::unordered_map<std::string, uint32_t> index_;
  std::vector<double> weight_;
  double total_ = 0.0;
  // Neighbouring words of the question, grammar words included, by "a b".
  std::unordered_map<std::string, double> pairs_;
  double pairs_total_ = 0.0;
};

}  // namespace mneme::rag
