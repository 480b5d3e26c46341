// Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009): rankings of different kinds, whose scores cannot be
// compared, merged by place. Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mneme::rag {

inline constexpr double kRankOffset = 60.0;

struct Ranking {
  std::span<const int64_t> keys;  // best first, each once
  double weight = 1.0;
  // Of each key, where known: keys that score the same share the place of the first of them, so that what is equal
  // does not stand in the order in which it happened to be indexed.
  std::span<const double> scores{};
};

struct MergedRank {
  int64_t key = 0;
  double score = 0.0;  // sum of weight / (kRankOffset + place), places from 1
};

// Best first; ties by key.
std::vector<MergedRank> merge_rankings(std::span<const Ranking> rankings);

}  // namespace mneme::rag
