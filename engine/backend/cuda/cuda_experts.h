// A layer's mixture of experts on a GPU: those that each row chooses, and the one that all rows share, where there is
// one. What fails is remembered by the device. Threads: one call at a time.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_feed_forward.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/expert_kernels.h"
#include "engine/backend/cuda/expert_tables.h"
#include "engine/backend/cuda/products.h"

namespace mneme::engine::cuda {

class Experts {
 public:
  // dense: what the shared expert is computed by; products: of the backend that the calls belong to.
  Experts(Device& device, Products& products, FeedForward& dense)
      : device_(device), products_(products), dense_(dense), tables_(device) {}

  // block (n_rows, dim) becomes what the experts make of the normed rows of x, mixed; false after a failure.
  bool run(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const Activations& x,
           float* block);
  // The same of experts beside a dense part: block becomes the sum of what both make, each normed by itself.
  bool run_beside(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const Activations& x,
                  float* block);

 private:
  struct Step;

  void make_room(Step& step);
  void norm(Step& step, const Activations& x);
  void multiply_routers(const Step& step);
  void multiply_router_beside(const Step& step, const Activations& x);
  void multiply_dense_beside(const Step& step, const Activations& x, float* block);
  void choose(Step& step);
  void multiply(const Step& step, const ExpertMatrices& experts, const Matrix& any, const RoundedRows& x,
                bool x_of_pairs, ProductOut out);
  void multiply_pairs_of(const Step& step);
  SharedExpertOut finish_shared(const Step& step, const FeedForward::Hidden& hidden);

  Device& device_;
  Products& products_;
  FeedForward& dense_;
  ExpertTables tables_;
  DeviceBuffer logits_, chosen_, weights_, places_;
  DeviceBuffer hidden_;                      // (pairs, gate + up)
  DeviceBuffer out_;                         // (pairs, dim)
  DeviceBuffer shared_hidden_, shared_out_;  // (rows, gate + up), (rows, dim)
  DeviceBuffer routed_;                      // (rows, dim): what a router beside a dense part reads
};

}  // namespace mneme::engine::cuda
