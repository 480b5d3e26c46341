// Reads the likeliest tokens of a row of logits off the device: 3 KB instead of the row. Threads: one at a time.
#pragma once

#include "base/status.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/likeliest_tokens.h"

namespace mneme::engine::cuda {

class LikeliestReader {
 public:
  explicit LikeliestReader(Device& device) : device_(device) {}

  // logits: n on the device. temperature: what the total is of; 0: none is wanted. Synchronises.
  Result<LikeliestTokens> read(const float* logits, int n, float temperature);

 private:
  Device& device_;
  DeviceBuffer found_, scratch_;
};

}  // namespace mneme::engine::cuda
