// The frequencies of a backend's rotations on the device, and the angles of the rows at hand. Threads: one at a time.
#pragma once

#include <memory>
#include <vector>

#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

class RopeAngles {
 public:
  explicit RopeAngles(Device& device) : device_(device) {}

  // Angles of n_rows rows at positions (on the device; null: first, first + 1, ...), valid until the next call. No
  // rotation when memory fails; the device remembers that.
  RotationRef angles(const RopeConfig& config, const int* positions, int first, int n_rows);

 private:
  struct Rope {
    RopeConfig config;
    DeviceBuffer frequencies;
  };
  const Rope* find(const RopeConfig& config);

  Device& device_;
  std::vector<std::unique_ptr<Rope>> ropes_;  // few, found by content
  DeviceBuffer angles_;
};

}  // namespace mneme::engine::cuda
