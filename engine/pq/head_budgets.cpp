#include "engine/pq/head_budgets.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mneme::engine {

// From the heaviest bin down, every head takes its keys of the bin, until all have what they may have together. What a
// head takes below its least share was set aside for it and counts once it is beyond.
std::vector<int> split_among_heads(std::span<const int> bins, int n_heads, int k) {
  const auto n = static_cast<size_t>(n_heads);
  const int least = k / kLeastShare;
  std::vector<int> reached(n, 0);  // keys in the bins so far
  std::vector<int> taken(n, 0);
  int64_t left = int64_t{n_heads} * k;
  for (size_t h = 0; h < n; ++h) {
    int available = 0;
    for (const int count : bins.subspan(h * kWeightBins, kWeightBins)) available += count;
    taken[h] = std::min(least, available);
    left -= taken[h];
  }
  for (int bin = kWeightBins - 1; bin >= 0 && left > 0; --bin) {
    for (size_t h = 0; h < n; ++h) {
      reached[h] += bins[h * kWeightBins + static_cast<size_t>(bin)];
      const auto more = std::min<int64_t>(left, std::max(0, reached[h] - taken[h]));
      taken[h] += static_cast<int>(more);
      left -= more;
    }
  }
  return taken;
}

}  // namespace mneme::engine
