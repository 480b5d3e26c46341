#include <cuda_runtime.h>

#include "engine/backend/cuda/device_probe.h"

namespace mneme::cuda {

std::vector<GpuInfo> probe_gpus(std::string* reason) {
  // Without a driver the runtime reports cudaErrorInsufficientDriver rather than cudaErrorNoDevice.
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    if (reason != nullptr) *reason = error == cudaSuccess ? "no CUDA device" : cudaGetErrorString(error);
    cudaGetLastError();
    return {};
  }
  std::vector<GpuInfo> gpus;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    gpus.push_back(
        {properties.name, properties.major, properties.minor, static_cast<int64_t>(properties.totalGlobalMem)});
  }
  return gpus;
}

}  // namespace mneme::cuda
