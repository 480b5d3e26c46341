// Which NVIDIA GPUs this machine has, asked without needing a driver or any CUDA library.
// Threads: safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace mneme::engine::cuda {

struct GpuInfo {
  std::string name;
  int major = 0;  // compute capability
  int minor = 0;
  int64_t memory_bytes = 0;
  int n_processors = 0;
  int64_t shared_bytes = 0;  // that a block may have
};

// All GPUs that can be used, at least one. kNotFound when there is none, kUnsupported when the driver is missing or too
// old for this program; the message says which and what to do.
Result<std::vector<GpuInfo>> probe_gpus();

}  // namespace mneme::engine::cuda
