// How much of a question's spelling occurs in each of several texts: its runs of three characters, weighted by how few
// of the texts hold them. It meets inflections and compounds that no stemmer joins ("proposal", "proposed"), in any
// script. Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mneme::rag {

// How often each of the question's trigrams occurs in one text.
struct TrigramCounts {
  std::vector<uint16_t> count;  // by trigram of the question
  uint32_t total = 0;           // trigrams of the text, the question's or not
};

class TrigramQuery {
 public:
  explicit TrigramQuery(std::string_view question);

  size_t size() const { return index_.size(); }  // different trigrams; 0: nothing to compare
  TrigramCounts count(std::string_view text) const;

  // From 0 to 1 for each text. saturated: repeats count with diminishing returns and long texts less (BM25, k1 1.2,
  // b 0.75); else a trigram is there or not.
  std::vector<double> scores(const std::vector<TrigramCounts>& texts, bool saturated) const;

 private:
  std::unordered_map<uint64_t, uint32_t> index_;
};

}  // namespace mneme::rag
