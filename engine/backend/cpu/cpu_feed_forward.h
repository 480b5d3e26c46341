// The feed-forward part of a layer: gated or plain, dense or a mixture of experts. Threads: one call at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/backend/cpu/scratch_rows.h"

namespace mneme::engine::cpu {

class FeedForward {
 public:
  // multiplier: of the step that the calls belong to.
  FeedForward(const Kernels& kernels, ThreadPool& pool, Multiplier& multiplier)
      : kernels_(kernels), pool_(pool), multiplier_(multiplier) {}

  // out = down(activation(gate) * up) of the rows announced to the multiplier, or what the experts chosen for each row
  // make of it. normed: those rows, read only where there are experts.
  void run(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const float* normed,
           ScratchRows& out);

 private:
  using ActivationKernel = void (*)(const float* gate, const float* up, int n, float* out);
  struct ExpertUse {
    int row;
    float weight;
  };

  ActivationKernel activation_of(const ModelConfig& config) const;
  void activate(const ModelConfig& config, int n_rows, int64_t ffn_dim, bool gated);
  void run_dense(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, ScratchRows& out);
  void run_experts(const ModelConfig& config, const ExpertWeights& experts, int n_rows, const float* normed,
                   ScratchRows& out);
  void run_shared_expert(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const float* normed);
  void add_shared_expert(const ModelConfig& config, bool weighed, int n_rows, ScratchRows& out);
  void choose_experts(const ExpertRouting& routing, const ExpertWeights& experts, int n_rows);
  void run_expert(const ModelConfig& config, const ExpertWeights& experts, int expert, const float* normed,
                  ScratchRows& out);

  const Kernels& kernels_;
  ThreadPool& pool_;
  Multiplier& multiplier_;
  ScratchRows hidden_;  // (rows, gate + up), activated in place
  ScratchRows expert_in_;
  ScratchRows expert_out_;
  ScratchRows shared_out_;                           // (rows, dim)
  ScratchRows shared_weight_;                        // (rows, 1), before the sigmoid
  std::vector<std::vector<ExpertUse>> expert_uses_;  // per expert
};

}  // namespace mneme::engine::cpu
