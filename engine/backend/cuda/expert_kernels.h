// Which experts a step's rows go to, and what becomes of what they make. Each enqueues on the stream and returns what
// the launch said. Rows are dense, (n_rows, width) f32, but where said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

// Which experts the rows of a step go to, and with what weight.
struct Routing {
  int n_rows = 0;
  int n_experts = 0;
  int n_used = 0;
  int* chosen = nullptr;     // (n_rows, n_used), best first
  float* weights = nullptr;  // likewise
  bool operator==(const Routing&) const = default;
};
// What a router's product made of the rows, and its biases.
struct RouterScores {
  const float* logits = nullptr;  // (n_rows, n_experts), rows `stride` apart
  int64_t stride = 0;
  const float* bias = nullptr;         // (n_experts), of the logits; null: none
  const float* choice_bias = nullptr;  // (n_experts), of the weights to choose by; null: none
  const float* scales = nullptr;       // (n_experts), of what experts make; null: 1
  bool operator==(const RouterScores&) const = default;
};
// Up to 1024 experts: the best of each row, ties to the lower one, as the processor chooses (cpu/expert_choice.h).
// Numbers that are none count above all others, so that experts are there and different whatever the logits.
cudaError_t choose_experts(cudaStream_t stream, const RouterScores& scores, const ExpertRouting& how,
                           const Routing& out);
// The pairs in order of their expert, within an expert in order of their rows (ExpertGroups).
//   offsets: (n_experts + 1); rows: (n_rows * n_used); places: (n_rows, n_used), where each pair went.
cudaError_t group_by_expert(cudaStream_t stream, const Routing& routing, int* offsets, int* rows, int* places);

// What an expert that every row uses made of the rows, by sigmoid(logit) where it has a router.
struct SharedExpertOut {
  const float* product = nullptr;     // (n_rows, width); null: there is none
  const float* row_scales = nullptr;  // (n_rows) to multiply with; null: ones
  const float* logits = nullptr;      // (n_rows), logit_stride apart; null: it counts in full
  int64_t logit_stride = 0;
  bool operator==(const SharedExpertOut&) const = default;
};
// out[row] (width) = sum over its pairs of weight * y[place], in order of the experts, then the shared one's. places
// null: pair i is at i.
cudaError_t combine_experts(cudaStream_t stream, const Routing& routing, const float* y, const int* places,
                            const SharedExpertOut& shared, int width, float* out);

}  // namespace mneme::engine::cuda
