// The products of latent attention (ModelConfig::latent) before and behind attention itself, which then is that of any
// model with one KV head. Threads: one call at a time.
#pragma once

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/backend/cpu/scratch_rows.h"

namespace mneme::engine::cpu {

class LatentProducts {
 public:
  // multiplier: of the step that the calls belong to.
  LatentProducts(const Kernels& kernels, ThreadPool& pool, Multiplier& multiplier)
      : kernels_(kernels), pool_(pool), multiplier_(multiplier) {}

  // Of the rows announced to the multiplier: queries, keys and values as other products make them, before rotation.
  // heads: (n_rows, (n_heads + 2) * head_dim).
  void make_heads(const ModelConfig& config, const LatentWeights& weights, int n_rows, ScratchRows& heads);
  // What attn_output multiplies, (n_rows, n_heads * value_dim), of what was attended to. Valid until the next call.
  const float* take_back(const ModelConfig& config, const LatentWeights& weights, int n_rows,
                         const CpuActivations& attended);

 private:
  void place_parts(const ModelConfig& config, const LatentWeights& weights, int row, ScratchRows& heads);

  const Kernels& kernels_;
  ThreadPool& pool_;
  Multiplier& multiplier_;
  ScratchRows made_;     // (rows, n_heads * made_query_dim() + head_dim): queries, then latent and rotated part
  ScratchRows queries_;  // (rows, query_rank): their latent
  ScratchRows outputs_;  // (rows, n_heads * value_dim)
};

}  // namespace mneme::engine::cpu
