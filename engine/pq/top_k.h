// The exact k largest of many int16 scores, by their positions. A sample says between which scores the k-th largest
// must lie; counting at several thresholds at once closes in on it, and one more pass collects. All passes run at the
// speed of a scan. Threads: one object per thread.
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
  // lowest indices. All of them where there are no more than k.
  void select(std::span<const int16_t> scores, int k, int32_t first_index, std::vector<int32_t>& out);

  // The least k between `floor` and `ceiling` whose scores hold `share` of all weight, where a score's weight is
  // 2^(score / kScoreUnit), to about 3 % (scores are taken in bins). `scores` must not be empty.
  static int count_for_mass(std::span<const int16_t> scores, double share, int floor, int ceiling);

 private:
  // At least k scores reach `low`, fewer than k reach `high`.
  struct Bracket {
    int low = INT16_MIN;
    int high = INT16_MAX + 1;
  };
  Bracket guess(std::span<const int16_t> scores, int k);
  int find_threshold(std::span<const int16_t> scores, int k);

  const PqKernels& kernels_;
  std::vector<int16_t> sample_;
  std::vector<int> counts_;
  std::vector<int32_t> found_;
};

}  // namespace mneme::engine
