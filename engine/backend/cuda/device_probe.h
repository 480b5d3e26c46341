// Which NVIDIA GPUs this machine has, asked without needing a driver: any error means "no GPU".
// Threads: pure function after the first call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mneme::cuda {

struct GpuInfo {
  std::string name;
  int major = 0;
  int minor = 0;
  int64_t memory_bytes = 0;
};

// Empty when there is no GPU; `reason` then says why in words.
std::vector<GpuInfo> probe_gpus(std::string* reason);

}  // namespace mneme::cuda
