// Which of the older tokens one decoding step attends to, chosen on the device from codes (engine/pq/cell_ranking.h and
// head_budgets.h say how; the choice here is theirs, ties included, wherever scores are equal). Three kernels enqueue
// without the host, and with the same arguments as in the step before while nothing but a step's numbers changes:
// weigh() makes a score of each pair of codes for each KV head; choose() splits the layer's budget
// among its heads, finds each head's threshold and estimates what is left out; collect() lists the tokens taken.
// Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/pq_layer_view.h"
#include "engine/backend/cuda/pq_numbers.h"

namespace mneme::engine::cuda {

inline constexpr int kOctaveScores = 128;  // scores to a factor of two of weight
inline constexpr int kOctaves = 256;
inline constexpr int kChunkKeys = 4096;         // that a block collects from
inline constexpr int kMostKvHeads = 64;         // whose thresholds one block can search
inline constexpr int kMostQueryFloats = 10240;  // of one KV head, with the weights of its codes

// What one KV head takes: k tokens, of cell `cut` (-1: none) only the first n_kept.
struct HeadChoice {
  int k = 0;
  int cut = -1;
  int n_kept = 0;
};

// Working memory of a layer's choice.
struct PqChoice {
  float* weights = nullptr;     // (n_heads, kKeyParts, kKeyCodes), factors included in those of the first part
  float* left_out = nullptr;    // (n_heads): of the logarithms of weights
  float* factors = nullptr;     // (n_heads)
  int16_t* scores = nullptr;    // (n_kv_heads, kCells)
  int* reaching = nullptr;      // (n_kv_heads, kOctaves): candidates that score at least octave * kOctaveScores
  uint32_t* taken = nullptr;    // (n_kv_heads, kCells / 32): a bit a cell whose keys are all taken
  HeadChoice* heads = nullptr;  // (n_kv_heads)
  int* chunk_counts = nullptr;  // (n_kv_heads, chunks, 2): keys of taken cells, keys of the cut one
  int* positions = nullptr;     // (n_kv_heads, position_stride): tokens taken, ascending
  int64_t position_stride = 0;
  float* tail_values = nullptr;  // (n_heads, head_dim): weighted sums relative to left_out
  float* tail_sums = nullptr;    // (n_heads); 0: no estimate
  bool operator==(const PqChoice&) const = default;
};

struct PqStep {
  PqLayerView index;
  PqChoice choice;
  KvView kv;
  int layer = 0;
  const float* q = nullptr;  // (n_heads, head_dim) of the step's row
  int heads_per_kv = 1;
  float scale = 1.0f;  // of query . key
  bool by_spread = true;
  bool combine_max = false;
  bool split = true;  // the budget among the heads
  bool tail = true;
  int n_chunks = 0;  // that tokens are listed by; those beyond the candidates end at once
  const PqNumbers* numbers = nullptr;
  bool operator==(const PqStep&) const = default;
};
// Whether the kernels' shared memory holds the queries and heads of such a model.
bool choice_fits(int n_kv_heads, int heads_per_kv, int head_dim);
int n_chunks(int n_tokens);

cudaError_t weigh(cudaStream_t stream, const PqStep& step);
cudaError_t choose(cudaStream_t stream, const PqStep& step);
cudaError_t collect(cudaStream_t stream, const PqStep& step);

}  // namespace mneme::engine::cuda
