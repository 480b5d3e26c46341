// What kernels share: conversions of 16-bit numbers, reductions over a warp and a block, launching. The same sources
// compile with nvcc and, for tests without a GPU, as C++ against tests/support/simt; the two differ here alone.
#pragma once

#include <cuda_runtime.h>
#ifndef MNEME_SIMT_ON_HOST
#include <cuda_fp16.h>
#endif

#include <cstdint>

#include "base/f16.h"
#include "engine/backend/cuda/launch_overlap.h"
#include "engine/backend/cuda/launch_timer.h"
#include "engine/backend/cuda/step_log.h"

namespace mneme::engine::cuda {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;
// Dynamic shared memory that a kernel may have without having asked for more (cudaFuncSetAttribute).
inline constexpr size_t kSharedBytesOfAnyKernel = size_t{48} << 10;

#ifdef MNEME_SIMT_ON_HOST
inline float half_to_float(f16 value) {
  return to_f32(value);
}
inline f16 float_to_half(float value) {
  return to_f16(value);
}
template <typename T>
T* dynamic_shared() {
  return static_cast<T*>(simt::dynamic_shared_memory());
}
inline void after_earlier_kernels() {
  simt::wait_for_earlier_kernels();
}
inline void fence_device() {}
inline int64_t device_nanoseconds() {
  static int64_t now = 0;
  return now += 1'000'000;
}
#else
// Waits until what was launched before is done and seen; then lets what is launched next take its place. Every thread
// of every kernel does it, and before it nothing but what launch_overlap.h allows: a block that ends without it would
// count as done before its turn.
__device__ __forceinline__ void after_earlier_kernels() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
// What this thread wrote or has seen is seen by whoever on the device meets it behind an atomic (acquire and release:
// less than __threadfence(), which is sequentially consistent).
__device__ __forceinline__ void fence_device() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
__device__ __forceinline__ int64_t device_nanoseconds() {
  int64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
__device__ __forceinline__ float half_to_float(f16 value) {
  return __half2float(__ushort_as_half(value.bits));
}
__device__ __forceinline__ f16 float_to_half(float value) {
  return {__half_as_ushort(__float2half_rn(value))};
}
template <typename T>
__device__ __forceinline__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char mneme_dynamic_shared[];
  return reinterpret_cast<T*>(mneme_dynamic_shared);
}
#endif

// An address that is read from a table, as an expert's weights and a sequence's pages are, might be one of any kind of
// memory for all the compiler knows; one of global memory is read without finding out.
#ifdef MNEME_SIMT_ON_HOST
template <typename T>
T* in_global_memory(T* address) {
  return address;
}
#else
template <typename T>
__device__ __forceinline__ T* in_global_memory(T* address) {
  __builtin_assume(__isGlobal(address));
  return address;
}
#endif

__device__ __forceinline__ float bf16_to_float(uint16_t bits) {
  return __uint_as_float(static_cast<unsigned>(bits) << 16);
}

// To nearest, ties to even; NaN stays NaN.
__device__ __forceinline__ uint16_t float_to_bf16(float value) {
  const unsigned bits = __float_as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

__device__ __forceinline__ float warp_sum(float value) {
  for (int lanes = kWarp / 2; lanes > 0; lanes /= 2) value += __shfl_xor_sync(kAllLanes, value, lanes);
  return value;
}
__device__ __forceinline__ float warp_max(float value) {
  for (int lanes = kWarp / 2; lanes > 0; lanes /= 2) value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, lanes));
  return value;
}

// Over a block of whole warps (up to 32); every thread gets the result. May be called again at once.
__device__ __forceinline__ float block_sum(float value) {
  __shared__ float parts[kWarp];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  value = warp_sum(value);
  __syncthreads();  // the parts of an earlier call have been read
  if (lane == 0) parts[threadIdx.x / kWarp] = value;
  __syncthreads();
  return warp_sum(lane < static_cast<int>(blockDim.x) / kWarp ? parts[lane] : 0.0f);
}
__device__ __forceinline__ float block_max(float value) {
  __shared__ float parts[kWarp];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  value = warp_max(value);
  __syncthreads();
  if (lane == 0) parts[threadIdx.x / kWarp] = value;
  __syncthreads();
  return warp_max(lane < static_cast<int>(blockDim.x) / kWarp ? parts[lane] : parts[0]);
}

// Launches a kernel, or gives it to the log of a step (step_log.h); a grid with nothing to do is done.
template <typename... Parameters, typename... Arguments>
cudaError_t launch(cudaStream_t stream, dim3 grid, int n_threads, size_t shared_bytes, void (*kernel)(Parameters...),
                   Arguments... arguments) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return cudaSuccess;
  if (step_log != nullptr && step_log->takes(stream))
    return step_log->launch(grid, n_threads, shared_bytes, launches_overlap, kernel, arguments...);
  const cudaError_t error = KernelCall<Parameters...>(grid, n_threads, shared_bytes, launches_overlap, kernel,
                                                      static_cast<Parameters>(arguments)...)
                                .enqueue(stream);
  if (launch_timer != nullptr) launch_timer->launched(reinterpret_cast<const void*>(kernel), grid, stream);
  return error;
}

}  // namespace mneme::engine::cuda
