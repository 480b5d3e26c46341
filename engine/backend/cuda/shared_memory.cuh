// Shared memory that a kernel may have beyond what all may, and how a multiprocessor divides its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {

// Lets a kernel have up to `bytes` of dynamic shared memory, and wishes for as much as a multiprocessor has: one that
// has to divide its memory anew for the next kernel first waits for all blocks of the one ahead to end. Once a kernel
// and device: `given` is the kernel's, zero at first.
template <typename... Parameters>
cudaError_t give_shared_memory(std::atomic<uint64_t>& given, void (*kernel)(Parameters...), size_t bytes) {
  int number = 0;
  cudaError_t error = cudaGetDevice(&number);
  const uint64_t wanted = static_cast<uint64_t>(number + 1) << 32 | bytes;
  if (error != cudaSuccess || given.load() == wanted) return error;
  if (bytes > kSharedBytesOfAnyKernel)
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error == cudaSuccess)
    error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
  if (error == cudaSuccess) given.store(wanted);
  return error;
}

}  // namespace mneme::engine::cuda
