// The numbers that a model has for each query head and attention wants on the device: sinks of its layers, slopes of
// ALiBi. Copied up when they are first asked for. Found by content, so that they stay right whichever models come by,
// and where they are, which steps that repeat (step_log.h) rely on.
// Ownership: of a backend; what it gives lives as long. Threads: one at a time.
#pragma once

#include <span>
#include <vector>

#include "engine/backend/cuda/device.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

class HeadNumbers {
 public:
  explicit HeadNumbers(Device& device) : device_(device) {}

  // (n_heads) on the device; null: the layer has none, or memory failed, which the device remembers.
  const float* sinks(const ModelConfig& config, int layer) {
    return find(config.layers[static_cast<size_t>(layer)].sinks);
  }
  const float* slopes(const ModelConfig& config);

 private:
  struct Known {
    std::vector<float> values;
    DeviceBuffer on_device;
  };
  const float* find(std::span<const float> values);

  Device& device_;
  std::vector<Known> known_;  // one a layer
};

}  // namespace mneme::engine::cuda
