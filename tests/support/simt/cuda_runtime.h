// Stands for NVIDIA's cuda_runtime.h when kernels are compiled for the host (simt.h): the part of the language and of
// the runtime's functions that engine/backend/cuda uses, under the same names. Written from the public documentation of
// the CUDA runtime. Threads: as simt.h.
#pragma once

#include <math.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#define MNEME_SIMT_ON_HOST 1

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
// One block runs at a time, so what its threads share may as well be static.
#define __shared__ static
#define __constant__ static
#define __launch_bounds__(...)

struct uint3 {
  unsigned x = 0, y = 0, z = 0;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x_in = 1, unsigned y_in = 1, unsigned z_in = 1) : x(x_in), y(y_in), z(z_in) {}
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};

inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

// --- The runtime ----------------------------------------------------------------------------------------------------
enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorDevicesUnavailable = 46,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorECCUncorrectable = 214,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchFailure = 719,
  cudaErrorSystemDriverMismatch = 803,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorUnknown = 999,
};
using cudaStream_t = struct SimtStream*;
using cudaEvent_t = struct SimtEvent*;
using cudaGraph_t = struct SimtGraph*;
using cudaGraphExec_t = struct SimtGraphExec*;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize, cudaFuncAttributePreferredSharedMemoryCarveout };
enum cudaSharedCarveout { cudaSharedmemCarveoutMaxShared = 100 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
inline constexpr unsigned cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0;
inline constexpr unsigned cudaEventDisableTiming = 2;
struct cudaDeviceProp {
  char name[256] = {};
  int major = 0;
  int minor = 0;
  size_t totalGlobalMem = 0;
  int multiProcessorCount = 0;
  size_t sharedMemPerBlockOptin = 0;
};
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id = cudaLaunchAttributeProgrammaticStreamSerialization;
  struct {
    int programmaticStreamSerializationAllowed = 0;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
  cudaLaunchAttribute* attrs = nullptr;
  unsigned numAttrs = 0;
};

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
cudaError_t cudaMalloc(void** memory, size_t n_bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocHost(void** memory, size_t n_bytes);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n_bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void* memory, int value, size_t n_bytes, cudaStream_t stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);
// A capture holds what the stream is given and runs nothing of it; what a real one refuses ends it (simt_graphs.cpp).
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGetLastError();
const char* cudaGetErrorString(cudaError_t error);
inline cudaError_t cudaFuncGetName(const char** name, const void*) {
  *name = "_Z6kernelv";
  return cudaSuccess;
}

namespace simt {
cudaError_t run_grid(const cudaLaunchConfig_t& config, const void* kernel, const std::function<void()>& thread);
cudaError_t allow_shared_bytes(const void* kernel, int n_bytes);
void* dynamic_shared_memory();
void wait_for_earlier_kernels();
// Memory that is asked for without being used; its first and last bytes must be there.
inline int64_t bytes_asked_for = 0;
inline void ask_for(const void* from, size_t n_bytes) {
  const auto* bytes = static_cast<const volatile unsigned char*>(from);
  bytes_asked_for += n_bytes > 0 ? static_cast<int64_t>(n_bytes) + 0 * (bytes[0] + bytes[n_bytes - 1]) : 0;
}
void block_barrier();
void warp_barrier();
uint64_t exchange(uint64_t value, int source);
uint32_t ballot(bool value);
int lane();
void copy_later(void* to, const void* from, size_t n_bytes);
void wait_for_copies();
void end_of_copies();
void wait_for_copies_but(int n_groups);
}  // namespace simt

template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  return simt::run_grid(*config, reinterpret_cast<const void*>(kernel),
                        [=] { kernel(static_cast<Parameters>(arguments)...); });
}
template <typename... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;  // a wish
  return simt::allow_shared_bytes(reinterpret_cast<const void*>(kernel), value);
}

// --- The language ---------------------------------------------------------------------------------------------------
using std::max;
using std::min;
inline void __syncthreads() {
  simt::block_barrier();
}
inline void __syncwarp(unsigned = 0xffffffffu) {
  simt::warp_barrier();
}
template <typename T>
T __shfl_sync(unsigned, T value, int source) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = simt::exchange(bits, source & 31);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lanes) {
  return __shfl_sync(mask, value, simt::lane() ^ lanes);
}
inline unsigned __ballot_sync(unsigned, int value) {
  return simt::ballot(value != 0);
}
inline int __any_sync(unsigned mask, int value) {
  return __ballot_sync(mask, value) != 0;
}
inline int __dp4a(int a, int b, int sum) {
  for (int i = 0; i < 4; ++i) sum += static_cast<int8_t>(a >> (8 * i)) * static_cast<int8_t>(b >> (8 * i));
  return sum;
}
// Two 16-bit integers of a by two bytes of b, the lower or the upper ones.
inline int __dp2a_lo(int a, int b, int sum) {
  for (int i = 0; i < 2; ++i) sum += static_cast<int16_t>(a >> (16 * i)) * static_cast<int8_t>(b >> (8 * i));
  return sum;
}
inline int __dp2a_hi(int a, int b, int sum) {
  return __dp2a_lo(a, b >> 16, sum);
}
// Four of the eight bytes of b and a, each chosen by three bits of a half byte.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned chosen) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  unsigned out = 0;
  for (int i = 0; i < 4; ++i) out |= static_cast<unsigned>(bytes >> (8 * (chosen >> (4 * i) & 7)) & 0xff) << (8 * i);
  return out;
}
template <typename T>
T __ldg(const T* from) {
  return *from;
}
template <typename T>
T __ldcg(const T* from) {
  return *from;
}
inline void __threadfence() {}
// Products and sums that the compiler does not join to one rounding.
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline float __fsub_rn(float a, float b) {
  return a - b;
}
inline float __fdiv_rn(float a, float b) {
  return a / b;
}
inline float __uint_as_float(unsigned bits) {
  return std::bit_cast<float>(bits);
}
inline unsigned __float_as_uint(float value) {
  return std::bit_cast<unsigned>(value);
}
inline int __popc(unsigned bits) {
  return std::popcount(bits);
}
template <typename T>
T atomicAdd(T* target, T value) {
  const T before = *target;
  *target = before + value;
  return before;
}
