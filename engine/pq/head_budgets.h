// Splits what a layer retrieves among its KV heads by how the attention of each is spread: all heads take keys down to
// one common weight, so that heads which look at few keys leave theirs to those which look at many. At an equal number
// of keys read, the attention covered is the most that any split covers. [After Ada-KV, arXiv 2407.11550, which drops
// keys for good by the weights of a prompt's end; here every step splits anew, by estimated weights.] Threads: pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/pq/cell_ranking.h"
#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

// How many of a head's candidates reach the scores around a guess, counted one by one. The heads count at the same
// time, each where its scores lie in a cache; what one thread then has to look at is these counts alone.
struct NearCounts {
  static int16_t first_near(int16_t guess);
  int16_t first = 0;
  int n_all = 0;                       // candidates
  int reaching[kNearScores + 1] = {};  // [i]: those that score >= first + i
};

// Candidates of a layer's heads by score: the upper half of the f32 of a key's weight, which is its share of the
// attention, summed over the query heads that share the KV head.
class HeadScores {
 public:
  virtual ~HeadScores() = default;
  virtual int n_heads() const = 0;
  // counts[t] = how many keys of the head score >= thresholds[t], which are >= 0.
  virtual void count(int head, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const = 0;
  // What was counted near the guess, for all heads around the same one; null: nothing.
  virtual const NearCounts* near(int /*head*/) const { return nullptr; }
};

struct HeadSplit {
  std::vector<int> taken;  // keys per head: n_heads * k in all (fewer where there are not so many)
  int16_t threshold = 0;   // that the keys taken reach, but for those of the least shares
  // Per head, where it came to be known: the score of its last key taken.
  std::vector<std::optional<KthScore>> last_scores;
};

// No head takes fewer than k / kLeastShare (its candidates, where it has fewer). guess: a threshold to search around,
// such as the last step's; it costs or saves time and changes nothing.
HeadSplit split_among_heads(const HeadScores& heads, int k, std::optional<int16_t> guess = {});
inline constexpr int kLeastShare = 4;

}  // namespace mneme::engine
