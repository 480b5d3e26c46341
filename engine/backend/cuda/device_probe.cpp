#include "engine/backend/cuda/device_probe.h"

#include <cuda_runtime.h>

namespace mneme::engine::cuda {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Without a driver the runtime reports an insufficient one, of version 0, rather than that there is no device.
Status why_none(cudaError_t error) {
  int driver = 0;
  int needed = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&needed);
  cudaGetLastError();
  if (driver == 0)
    return unsupported("cannot use a GPU: no NVIDIA driver is installed; install one or use --device cpu");
  if (driver / 1000 < needed / 1000)
    return unsupported("cannot use the GPU: its driver supports CUDA " + version_text(driver) + " where " +
                       version_text(needed) + " is needed; update the driver or use --device cpu");
  const std::string reason = error == cudaSuccess || error == cudaErrorNoDevice ? "" : cudaGetErrorString(error);
  return not_found("cannot use a GPU: this machine has none that works" + (reason.empty() ? "" : " (" + reason + ")") +
                   "; use --device cpu");
}

}  // namespace

Result<std::vector<GpuInfo>> probe_gpus() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) return why_none(error);
  std::vector<GpuInfo> gpus;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    const cudaError_t asked = cudaGetDeviceProperties(&properties, i);
    if (asked != cudaSuccess) return why_none(asked);
    gpus.push_back({properties.name, properties.major, properties.minor,
                    static_cast<int64_t>(properties.totalGlobalMem), properties.multiProcessorCount,
                    static_cast<int64_t>(properties.sharedMemPerBlockOptin)});
  }
  return gpus;
}

}  // namespace mneme::engine::cuda
