// How much of a question's spelling occurs in each of several texts: its runs of so many characters, weighted by how
// few of the texts hold them. It meets inflections and compounds that no stemmer joins ("proposal", "proposed"), in any
// script. Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace mneme::rag {

// How often each of the question's runs occurs in one text.
struct SpellingCounts {
  std::vector<uint16_t> count;  // by run of the question
  uint32_t total = 0;           // runs of the text, the question's or not
};

class SpellingQuery {
 public:
  // width: characters of a run, 1 to 4.
  explicit SpellingQuery(std::string_view question, int width = 3);

  size_t size() const { return n_runs_; }  // different runs; 0: nothing to compare
  SpellingCounts count(std::string_view text) const;

  // From 0 to 1 for each text. saturated: repeats count with diminishing returns and long texts less (BM25, k1 1.2,
  // b 0.75); else a run is there or not.
  std::vector<double> scores(std::span<const SpellingCounts> texts, bool saturated) const;

 private:
  struct Slot {
    uint64_t run = 0;
    int32_t number = -1;  // of the run; -1: empty
  };

  template <typename Visit>
  void for_each_run(std::string_view text, const Visit& visit) const;
  size_t first_slot(uint64_t run) const;
  void add(uint64_t run);
  int32_t number_of(uint64_t run) const;

  const int width_;
  size_t n_runs_ = 0;
  // A power of two of them, mostly empty: nearly every run of a text is none of the question's, and is known as such
  // by the first slot.
  std::vector<Slot> slots_;
};

}  // namespace mneme::rag
