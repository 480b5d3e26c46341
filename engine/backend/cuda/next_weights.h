// Weights for the product behind a kernel that leaves the memory idle: norms, attention and activations of decoding
// steps ask for the beginning of what is multiplied next, so that it lies in the second-level cache when the product
// begins. Only a hint: nothing depends on it. Compute capability 9.0 and newer; elsewhere nothing is asked for.
// Threads: a view.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mneme::engine::cuda {

struct NextWeights {
  static constexpr int kMostParts = 3;  // a product's matrices
  static constexpr int kAlignment = 16;
  const std::byte* parts[kMostParts] = {};
  int64_t bytes[kMostParts] = {};  // multiples of kAlignment
  bool operator==(const NextWeights&) const = default;
  bool is_empty() const { return bytes[0] == 0; }
};

// A line of a second-level cache of 50 MB may be held twice, and what the kernel reads itself comes beside these.
inline constexpr int64_t kMostAhead = int64_t{12} << 20;

}  // namespace mneme::engine::cuda
