// Reads the likeliest tokens of a row of logits off the device: 1 to 3 KB instead of the row. Threads: one at a time.
#pragma once

#include "base/status.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/likeliest_tokens.h"

namespace mneme::engine::cuda {

class LikeliestReader {
 public:
  explicit LikeliestReader(Device& device) : device_(device) {}

  // logits: n on the device. temperature: what the total is of; 0: the likeliest alone is wanted. Synchronises.
  Result<LikeliestTokens> read(const float* logits, int n, float temperature) {
    return temperature > 0 ? read_several(logits, n, temperature) : read_first(logits, n);
  }

 private:
  Result<LikeliestTokens> read_first(const float* logits, int n);
  Result<LikeliestTokens> read_several(const float* logits, int n, float temperature);

  Device& device_;
  DeviceBuffer found_, scratch_;
};

}  // namespace mneme::engine::cuda
