// The feed-forward part of a layer on a GPU: gated or plain, dense or a mixture of experts. What fails is remembered by
// the device. Threads: one call at a time.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/expert_tables.h"
#include "engine/backend/cuda/products.h"
#include "engine/backend/cuda/row_kernels.h"

namespace mneme::engine::cuda {

class FeedForward {
 public:
  // products: of the backend that the calls belong to.
  FeedForward(Device& device, Products& products) : device_(device), products_(products), experts_(device) {}

  // activation(gate) * up of the normed rows of x, in the forms that the down product takes; nothing after a failure.
  RoundedRows hidden_rows(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                          const Activations& x);
  // block (n_rows, dim) becomes what the experts chosen for each row make of the normed rows of x, mixed; false after a
  // failure.
  bool run_experts(const ModelConfig& config, const FeedForwardWeights& ffn, int n_rows, const Activations& x,
                   float* block);

 private:
  struct ExpertStep;

  void activate(const ModelConfig& config, const GatedRows& in, const RoundedRows& rows, int n_rows,
                const NextWeights& ahead = {});
  void run_pairs(const ExpertStep& step);
  void run_groups(const ExpertStep& step);

  Device& device_;
  Products& products_;
  ExpertTables experts_;
  DeviceBuffer hidden_;  // (rows, gate + up)
  DeviceBuffer router_, expert_choice_, expert_weights_, expert_places_, expert_out_;
};

}  // namespace mneme::engine::cuda
