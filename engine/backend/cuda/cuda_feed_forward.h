// The dense feed-forward part of a layer on a GPU, gated or plain; also an expert's that all rows share. What fails is
// remembered by the device. Threads: one call at a time.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/products.h"
#include "engine/backend/cuda/row_kernels.h"

namespace mneme::engine::cuda {

class FeedForward {
 public:
  // products: of the backend that the calls belong to.
  FeedForward(Device& device, Products& products) : device_(device), products_(products) {}

  // activation(gate) * up of the normed rows of x, in the forms that the down product takes; nothing after a failure.
  RoundedRows hidden_rows(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                          const Activations& x);

  // The same in steps, for rows that are normed already.
  struct Hidden {
    float* rows = nullptr;  // (n_rows, gate + up), or (n_rows, ffn_dim) where there is no gate or all is activated
    int ffn_dim = 0;
    bool gated = false;
    bool activated = false;
    RoundedRows rounded = {};  // where they are activated and rounded already; `rows` is then empty
    int width() const { return gated ? 2 * ffn_dim : ffn_dim; }
  };
  Hidden make_room(const FeedForwardWeights& weights, int n_rows, DeviceBuffer& buffer);
  void multiply_in(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows, const RoundedRows& normed,
                   Hidden& hidden);
  RoundedRows activated_rows(const ModelConfig& config, const FeedForwardWeights& weights, int n_rows,
                             const Hidden& hidden);
  // `in` in the forms of `rows`.
  void activate(const ModelConfig& config, const GatedRows& in, const RoundedRows& rows, int n_rows,
                const NextWeights& ahead = {});

 private:
  Device& device_;
  Products& products_;
  DeviceBuffer hidden_;
};

}  // namespace mneme::engine::cuda
