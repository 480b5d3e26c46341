// What a look through the question's eyes needs of the device: the attention that some rows pay to each token, summed
// up there. Ownership: scratch is kept from look to look and borrowed by the sums of one. Threads: one at a time.
#pragma once

#include <memory>
#include <span>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/kv_view.h"

namespace mneme::engine::cuda {

class LookScores {
 public:
  explicit LookScores(Device& device) : device_(device) {}

  // Sums of n_tokens begin at zero.
  Status begin(int n_tokens);
  // As AttentionSums; q: (rows, n_heads * head_dim) on the device.
  Status add(const ModelConfig& config, int layer, const KvView& kv, std::span<const int> rows,
             std::span<const TokenPos> positions, const float* q);
  Status take(std::span<float> mass);

 private:
  Device& device_;
  int n_tokens_ = 0;
  DeviceBuffer rows_, scores_, mass_;
};

// Of caches that lie on the device; of others the host looks.
std::unique_ptr<AttentionSums> make_attention_sums(LookScores& scores, int n_tokens);

}  // namespace mneme::engine::cuda
