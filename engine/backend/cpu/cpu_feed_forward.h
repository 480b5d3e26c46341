// The feed-forward part of a layer: gated or plain, dense or a mixture of experts. Threads: one call at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/backend/cpu/scratch_rows.h"

namespace mneme::engine::cpu {

// activation(gate) * up, or of the gate alone where up is null.
using ActivationKernel = void (*)(const float* gate, const float* up, int n, float* out);
ActivationKernel activation_of(const Kernels& kernels, const ModelConfig& config);

class FeedForward {
 public:
  // multiplier: of the step that the calls belong to.
  FeedForward(const Kernels& kernels, ThreadPool& pool, Multiplier& multiplier)
      : kernels_(kernels), pool_(pool), multiplier_(multiplier) {}

  // out = down(activation(gate) * up) of the rows announced to the multiplier, or what the experts chosen for each row
  // make of it. normed: those rows, read only where there are experts.
  void run(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const float* normed,
           ScratchRows& out);
  // The same of experts beside a dense part, whose rows are announced as they are before any norm: x.
  void run_beside(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const CpuActivations& x,
                  ScratchRows& out);

 private:
  struct ExpertUse {
    int row;
    float weight;
  };

  void activate(const ModelConfig& config, int n_rows, int64_t ffn_dim, bool gated);
  void run_dense(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, ScratchRows& out);
  // Of experts that have been chosen.
  void run_experts(const ModelConfig& config, const ExpertWeights& experts, int n_rows, const float* normed,
                   ScratchRows& out);
  void run_shared_expert(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const float* normed);
  void add_shared_expert(const ModelConfig& config, bool weighed, int n_rows, ScratchRows& out);
  // Both of n_rows rows of config.dim.
  void norm_rows(const ModelConfig& config, const NormWeights& norm, int n_rows, const float* from, float* to);
  const float* begin_normed(const ModelConfig& config, const NormWeights& norm, int n_rows, const CpuActivations& x);
  void choose_experts(const ExpertRouting& routing, const ExpertWeights& experts, int n_rows);
  void run_expert(const ModelConfig& config, const ExpertWeights& experts, int expert, const float* normed,
                  ScratchRows& out);

  const Kernels& kernels_;
  ThreadPool& pool_;
  Multiplier& multiplier_;
  ScratchRows hidden_;  // (rows, gate + up), activated in place
  ScratchRows expert_in_;
  ScratchRows expert_out_;
  ScratchRows normed_;                               // (rows, dim)
  ScratchRows shared_out_;                           // (rows, dim)
  ScratchRows shared_weight_;                        // (rows, 1), before the sigmoid
  std::vector<std::vector<ExpertUse>> expert_uses_;  // per expert
};

}  // namespace mneme::engine::cpu
