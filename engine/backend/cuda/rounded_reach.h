// How far a decoding step's kernels are laid out to reach, so that steps over about as many tokens do the same and can
// be one graph (step_log.h). Threads: safe.
#pragma once

#include <algorithm>
#include <bit>
#include <climits>

namespace mneme::engine::cuda {

// Up to an eighth more than n_keys, in steps of at least 256. What lies beyond the last key ends at once.
inline int rounded_reach(int n_keys) {
  constexpr int kUncut = 32;  // so few need no merging of splits
  constexpr int kLeast = 256;
  if (n_keys <= kUncut) return kUncut;
  const int eighth = static_cast<int>(std::bit_floor(static_cast<unsigned>(n_keys)) / 8);
  const int every = std::max(kLeast, eighth);
  return n_keys > INT_MAX - every ? n_keys : (n_keys + every - 1) / every * every;
}

}  // namespace mneme::engine::cuda
