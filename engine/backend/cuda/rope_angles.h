// The frequencies of a backend's rotations on the device, and the angles of the rows at hand. Threads: one at a time.
#pragma once

#include <memory>
#include <vector>

#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

class RopeAngles {
 public:
  explicit RopeAngles(Device& device) : device_(device) {}

  // Angles of a step's rows, computed once for all its layers; valid until the next step. No rotation when memory
  // fails; the device remembers that.
  RotationRef of_step(const RopeConfig& config, const RowsView& rows);
  // Angles of positions first, first + 1, ...; valid until the next call.
  RotationRef of_range(const RopeConfig& config, int first, int n_rows);
  // Angles of these rows in memory of the caller's; valid as long as that is left alone.
  RotationRef of_positions(const RopeConfig& config, const AngleRows& rows, DeviceBuffer& angles);

 private:
  struct Rope {
    RopeConfig config;
    DeviceBuffer frequencies;
    DeviceBuffer angles;  // of the rows of `step`
    uint64_t step = 0;
  };
  Rope* find(const RopeConfig& config);
  RotationRef compute(const Rope& rope, const AngleRows& rows, DeviceBuffer& angles);

  Device& device_;
  std::vector<std::unique_ptr<Rope>> ropes_;  // few, found by content
  DeviceBuffer range_angles_;
};

}  // namespace mneme::engine::cuda
