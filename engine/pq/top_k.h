// The exact k largest of many int16 scores, by their positions. A threshold guessed from a sample cuts the field to
// little more than k candidates at the speed of a scan; a radix count over those finds the true threshold.
// Threads: one object per thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

class TopK {
 public:
  explicit TopK(const PqKernels& kernels) : kernels_(kernels) {}

  // Appends to `out` the indices, plus first_index and ascending, of the k largest scores; of equals at the end the
  // lowest indices. All of them where there are no more than k. scores are readable to a multiple of kScanBlock.
  void select(std::span<const int16_t> scores, int k, int32_t first_index, std::vector<int32_t>& out);

  // The least k between `floor` and `ceiling` whose scores hold `share` of all weight, where a score's weight is
  // 2^(score / kScoreUnit), to about 3 % (scores are taken in bins). `scores` must not be empty.
  static int count_for_mass(std::span<const int16_t> scores, double share, int floor, int ceiling);

 private:
  int guess(std::span<const int16_t> scores, int k);
  int16_t threshold_among_candidates(std::span<const int16_t> scores, int16_t at_least, int n_candidates, int k);

  const PqKernels& kernels_;
  std::vector<int16_t> sample_;
  std::vector<int32_t> candidates_;  // indices
  std::vector<int> counts_;
};

}  // namespace mneme::engine
