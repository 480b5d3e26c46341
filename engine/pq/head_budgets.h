// Splits what a layer retrieves among its KV heads by how the attention of each is spread: all heads take keys down to
// one common weight, so that heads which look at few keys leave theirs to those which look at many. At an equal number
// of keys read, the attention covered is the most that any split covers. [After Ada-KV, arXiv 2407.11550, which drops
// keys for good by the weights of a prompt's end; here every step splits anew, by estimated weights.] Threads: pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

// Candidates of a layer's heads by score: the upper half of the f32 of a key's weight, which is its share of the
// attention, summed over the query heads that share the KV head.
class HeadScores {
 public:
  virtual ~HeadScores() = default;
  virtual int n_heads() const = 0;
  // counts[t] = how many keys of the head score >= thresholds[t], which are >= 0.
  virtual void count(int head, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const = 0;
};

struct HeadSplit {
  std::vector<int> taken;  // keys per head: n_heads * k in all (fewer where there are not so many)
  int16_t threshold = 0;   // that the keys taken reach, but for those of the least shares
};

// No head takes fewer than k / kLeastShare (its candidates, where it has fewer). guess: a threshold to search around,
// such as the last step's; it costs or saves time and changes nothing.
HeadSplit split_among_heads(const HeadScores& heads, int k, std::optional<int16_t> guess = {});
inline constexpr int kLeastShare = 4;

}  // namespace mneme::engine
