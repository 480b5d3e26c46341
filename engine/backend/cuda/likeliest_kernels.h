// The largest of a row of logits, in order, and what all of them weigh. Each enqueues on the stream and returns what
// the launches said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace mneme::engine::cuda {

inline constexpr int kLikeliest = 256;    // that are kept
inline constexpr int kSortedKeys = 2048;  // of which, by one block
inline constexpr int kWeighBlocks = 128;
inline constexpr int kBestBlocks = 128;
static_assert(kBestBlocks <= kLikeliest);

// A logit and its token as one number: the larger, the likelier, the lower id of equals; 0: no number.
uint64_t likeliest_key(float logit, int id);
float logit_of_key(uint64_t key);
inline int id_of_key(uint64_t key) {
  return static_cast<int>(~static_cast<uint32_t>(key));
}

// Keys that the passes of find_likeliest need beside the result.
int64_t likeliest_scratch(int n);
// The kLikeliest largest keys of n logits to `best`, descending; scratch: likeliest_scratch(n) keys.
cudaError_t find_likeliest(cudaStream_t stream, const float* logits, int n, uint64_t* scratch, uint64_t* best);
// The largest key of each of kBestBlocks parts of n logits.
cudaError_t find_best(cudaStream_t stream, const float* logits, int n, uint64_t* best);
// sums (kWeighBlocks): parts of the sum of e^((logit - that of best[0]) / temperature).
cudaError_t weigh_logits(cudaStream_t stream, const float* logits, int n, const uint64_t* best, float temperature,
                         double* sums);

}  // namespace mneme::engine::cuda
