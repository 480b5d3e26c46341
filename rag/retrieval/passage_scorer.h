// How well a passage answers to a question's words as a whole, beyond the counts of BM25: a passage about the matter
// holds them close together and in their order; one that merely mentions it holds them strewn about.
// Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rag/retrieval/passage_evidence.h"

namespace mneme::rag {

class PassageScorer {
 public:
  // kPlaces: only where the question's words stand, not which of them follow each other.
  enum class Reads { kAll, kPlaces };

  // idf of the question's terms by term, as lexical_terms() gives them.
  PassageScorer(std::string_view question, const std::function<double(std::string_view)>& idf,
                Reads reads = Reads::kAll);

  // Fills coverage, window, lead, rare, first and log_terms, with kAll also pairs, triples and near.
  void score(std::string_view passage, PassageEvidence& evidence) const;

  // What score() calls coverage, of a text of which nothing else is wanted.
  double share_in(std::string_view text) const;

  bool empty() const { return total_ <= 0.0; }
  // The distinct terms of a question that carry meaning, in order.
  static std::vector<std::string> terms_of(std::string_view question);

 private:
  // Sequences of the question's terms, in order and side by side, with their weights; found in passages as "a b c".
  struct Sequences {
    std::unordered_map<std::string, double> weight;
    double total = 0.0;

    void add(std::string text, double value);
    double share(double found) const { return total > 0.0 ? found / total : 0.0; }
  };
  // Terms of the question that follow each other but for grammar words between them.
  struct Couple {
    uint32_t first = 0;
    uint32_t second = 0;
    double weight = 0.0;
  };
  struct Occurrence {
    uint32_t position = 0;
    uint32_t term = 0;
  };
  struct Reading;  // what is kept while a passage is read

  double weight_of(std::string_view term) const;
  void find_sequences(std::string_view question);
  double share_near(const std::vector<Occurrence>& occurrences) const;
  double share_within(const std::vector<Occurrence>& occurrences, uint32_t width) const;

  // Looked up with what is read, for every word of every passage, without making a string of it.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> index_;
  // All words of index_ and of the sequences: what else a passage holds says nothing.
  std::unordered_set<std::string, Hash, std::equal_to<>> asked_;
  std::vector<double> weight_;
  double total_ = 0.0;
  double total_squared_ = 0.0;
  Sequences pairs_;  // grammar words included
  Sequences triples_;
  std::vector<Couple> couples_;
  double couples_total_ = 0.0;
};

}  // namespace mneme::rag
