// Splits what a layer retrieves among its KV heads by how the attention of each is spread: all heads take keys down to
// one common weight, so that heads which look at few keys leave theirs to those which look at many. At an equal number
// of keys read, the attention covered is the most that any split covers. [After Ada-KV, arXiv 2407.11550, which drops
// keys for good by the weights of a prompt's end; here every step splits anew, by estimated weights.] Threads: pure
// functions.
#pragma once

#include <span>
#include <vector>

namespace mneme::engine {

// Keys of one head counted by weight: bin = upper half of the weight's f32 >> kWeightBinShift, a sixteenth of an
// octave. A weight is a key's share of the attention, summed over the query heads that share the KV head.
inline constexpr int kWeightBinShift = 3;
inline constexpr int kWeightBins = (0x7f80 >> kWeightBinShift) + 1;

// bins: (n_heads, kWeightBins). Gives how many keys each head takes: n_heads * k in all (fewer where there are not so
// many), none below k / kLeastShare (its candidates, where it has fewer).
std::vector<int> split_among_heads(std::span<const int> bins, int n_heads, int k);
inline constexpr int kLeastShare = 4;

}  // namespace mneme::engine
