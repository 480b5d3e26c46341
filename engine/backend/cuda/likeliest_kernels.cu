// Blocks sort 2048 keys each and keep the first 256, pass after pass, until one block is left: three passes for a
// vocabulary of 128K.
#include "engine/backend/cuda/likeliest_kernels.h"

#include <cmath>
#include <cstring>

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kWeighThreads = 256;
constexpr int kBestThreads = 256;
constexpr uint32_t kSign = 0x80000000u;

int n_blocks(int n) {
  return (n + kSortedKeys - 1) / kSortedKeys;
}

__host__ __device__ __forceinline__ uint64_t key_of(uint32_t bits, int id) {
  if ((bits & ~kSign) == 0) bits = 0;  // the two zeros are equal
  const uint32_t ordered = (bits & kSign) != 0 ? ~bits : bits | kSign;
  return static_cast<uint64_t>(ordered) << 32 | ~static_cast<uint32_t>(id);
}
__host__ __device__ __forceinline__ uint32_t bits_of(uint64_t key) {
  const auto ordered = static_cast<uint32_t>(key >> 32);
  return (ordered & kSign) != 0 ? ordered & ~kSign : ~ordered;
}

__device__ __forceinline__ uint64_t key_at(const float* logits, int i) {
  return logits[i] > -INFINITY ? key_of(__float_as_uint(logits[i]), i) : 0;
}
__device__ __forceinline__ uint64_t key_at(const uint64_t* keys, int i) {
  return keys[i];
}

// Bitonic, descending; all threads of the block.
__device__ void sort_keys(uint64_t* keys) {
  for (int size = 2; size <= kSortedKeys; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (int pair = static_cast<int>(threadIdx.x); pair < kSortedKeys / 2; pair += kThreads) {
        const int i = pair / stride * 2 * stride + pair % stride;
        const bool descends = (i & size) == 0;
        const uint64_t a = keys[i];
        const uint64_t b = keys[i + stride];
        if ((a < b) != descends) continue;
        keys[i] = b;
        keys[i + stride] = a;
      }
    }
  __syncthreads();
}

template <typename T>
__global__ void __launch_bounds__(kThreads) keep_kernel(const T* in, int n, uint64_t* out) {
  after_earlier_kernels();
  __shared__ uint64_t keys[kSortedKeys];
  const int first = static_cast<int>(blockIdx.x) * kSortedKeys;
  for (int i = static_cast<int>(threadIdx.x); i < kSortedKeys; i += kThreads)
    keys[i] = first + i < n ? key_at(in, first + i) : 0;
  sort_keys(keys);
  for (int i = static_cast<int>(threadIdx.x); i < kLikeliest; i += kThreads)
    out[int64_t{blockIdx.x} * kLikeliest + i] = keys[i];
}

__device__ __forceinline__ uint64_t warp_max_key(uint64_t key) {
  for (int lanes = kWarp / 2; lanes > 0; lanes /= 2) {
    const uint64_t other = __shfl_xor_sync(kAllLanes, key, lanes);
    key = other > key ? other : key;
  }
  return key;
}

__global__ void __launch_bounds__(kBestThreads) best_kernel(const float* logits, int n, uint64_t* best) {
  after_earlier_kernels();
  __shared__ uint64_t of_warps[kBestThreads / kWarp];
  const auto thread = static_cast<int>(threadIdx.x);
  uint64_t key = 0;
  for (int i = static_cast<int>(blockIdx.x) * kBestThreads + thread; i < n; i += kBestBlocks * kBestThreads) {
    const uint64_t other = key_at(logits, i);
    key = other > key ? other : key;
  }
  key = warp_max_key(key);
  if (thread % kWarp == 0) of_warps[thread / kWarp] = key;
  __syncthreads();
  if (thread >= kWarp) return;
  key = warp_max_key(thread < kBestThreads / kWarp ? of_warps[thread] : 0);
  if (thread == 0) best[blockIdx.x] = key;
}

__global__ void __launch_bounds__(kWeighThreads)
    weigh_kernel(const float* logits, int n, const uint64_t* best, float temperature, double* sums) {
  after_earlier_kernels();
  __shared__ double parts[kWeighThreads];
  const auto thread = static_cast<int>(threadIdx.x);
  const double first = __uint_as_float(bits_of(best[0]));
  double sum = 0.0;
  for (int i = static_cast<int>(blockIdx.x) * kWeighThreads + thread; i < n; i += kWeighBlocks * kWeighThreads)
    if (logits[i] > -INFINITY) sum += exp((static_cast<double>(logits[i]) - first) / static_cast<double>(temperature));
  parts[thread] = sum;
  for (int half = kWeighThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) parts[thread] += parts[thread + half];
  }
  if (thread == 0) sums[blockIdx.x] = parts[0];
}

}  // namespace

uint64_t likeliest_key(float logit, int id) {
  uint32_t bits = 0;
  static_assert(sizeof(bits) == sizeof(logit));
  std::memcpy(&bits, &logit, sizeof(bits));
  return logit > -INFINITY ? key_of(bits, id) : 0;
}
float logit_of_key(uint64_t key) {
  const uint32_t bits = bits_of(key);
  float logit = 0;
  std::memcpy(&logit, &bits, sizeof(bits));
  return logit;
}

int64_t likeliest_scratch(int n) {
  return int64_t{2} * n_blocks(n) * kLikeliest;
}

cudaError_t find_likeliest(cudaStream_t stream, const float* logits, int n, uint64_t* scratch, uint64_t* best) {
  uint64_t* halves[2] = {scratch, scratch + int64_t{n_blocks(n)} * kLikeliest};
  int blocks = n_blocks(n);
  uint64_t* out = blocks > 1 ? halves[0] : best;
  cudaError_t error =
      launch(stream, dim3(static_cast<unsigned>(blocks)), kThreads, 0, keep_kernel<float>, logits, n, out);
  for (int pass = 1; blocks > 1 && error == cudaSuccess; ++pass) {
    const int n_keys = blocks * kLikeliest;
    const uint64_t* in = out;
    blocks = n_blocks(n_keys);
    out = blocks > 1 ? halves[pass % 2] : best;
    error = launch(stream, dim3(static_cast<unsigned>(blocks)), kThreads, 0, keep_kernel<uint64_t>, in, n_keys, out);
  }
  return error;
}

cudaError_t find_best(cudaStream_t stream, const float* logits, int n, uint64_t* best) {
  return launch(stream, dim3(kBestBlocks), kBestThreads, 0, best_kernel, logits, n, best);
}

cudaError_t weigh_logits(cudaStream_t stream, const float* logits, int n, const uint64_t* best, float temperature,
                         double* sums) {
  return launch(stream, dim3(kWeighBlocks), kWeighThreads, 0, weigh_kernel, logits, n, best, temperature, sums);
}

}  // namespace mneme::engine::cuda
