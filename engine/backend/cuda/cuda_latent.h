// The products of latent attention (ModelConfig::latent) on a GPU, before and behind attention itself, which then is
// that of any model with one KV head. What fails is remembered by the device. Threads: one call at a time.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/latent_kernels.h"
#include "engine/backend/cuda/products.h"

namespace mneme::engine::cuda {

class LatentProducts {
 public:
  // products: of the backend that the calls belong to.
  LatentProducts(Device& device, Products& products) : device_(device), products_(products) {}

  // Of the normed rows of x: queries, keys and values before rotation, heads (n_rows, n_heads + 2, head_dim).
  void make_heads(const ModelConfig& config, const AttentionWeights& weights, int n_rows, const Activations& x,
                  float* heads);
  // What attn_output multiplies, (n_rows, n_heads * value_dim), of what was attended to; null after a failure. Valid
  // until the next call.
  const float* take_back(const ModelConfig& config, const LatentWeights& weights, int n_rows,
                         const Activations& attended);

 private:
  // Queries, each head's (plain | to be rotated), and (latent | to be rotated) of keys and values.
  MadeRows multiply(const ModelConfig& config, const AttentionWeights& weights, int n_rows, const Activations& x);
  void multiply_heads(const std::vector<const Matrix*>& matrices, const float* x, int n_rows, ProductOut first,
                      int64_t from_head_to_head);

  Device& device_;
  Products& products_;
  DeviceBuffer queries_, query_latents_, kv_, plain_;
  DeviceBuffer latents_, outputs_;
};

}  // namespace mneme::engine::cuda
