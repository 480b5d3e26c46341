// What a look through the question's eyes needs of the device: the attention that some rows pay to each token.
// Ownership: borrows the device; keeps scratch. Threads: one at a time.
#pragma once

#include <span>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/kv_view.h"

namespace mneme::engine::cuda {

class LookScores {
 public:
  explicit LookScores(Device& device) : device_(device) {}

  // As Backend::add_attention_mass; q: (rows, n_heads * head_dim) on the device.
  Status add(const ModelConfig& config, int layer, const KvView& kv, std::span<const int> rows,
             std::span<const TokenPos> positions, const float* q, std::span<float> mass);

 private:
  Device& device_;
  DeviceBuffer rows_, scores_, mass_;
};

}  // namespace mneme::engine::cuda
