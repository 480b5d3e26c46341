// The tokens whose cells are taken, in order: one kernel counts them by chunk, the next one knows from the counts where
// each chunk's begin. A thread reads the codes of 16 tokens at once. There may be more chunks than candidates: blocks
// behind the last one end at once, and nobody reads their counts.
#include "engine/backend/cuda/pq_choice.h"
#include "engine/backend/cuda/pq_scan.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = kChunkKeys / kCodesOfVector;
constexpr int kWords = kCells / 32;

// Of a thread's tokens: bits of those whose cell is taken, and of those in the cell that is cut.
struct Bits {
  uint32_t taken = 0;
  uint32_t cut = 0;
};

__device__ Bits bits_of(const PqStep& step, const PqNumbers& now, int head, int first, const uint32_t* taken, int cut) {
  const uint8_t* codes = step.index.codes + int64_t{head} * kKeyParts * step.index.code_stride + first;
  const uint4 a = *reinterpret_cast<const uint4*>(codes);
  const uint4 b = *reinterpret_cast<const uint4*>(codes + step.index.code_stride);
  const uint32_t firsts[4] = {a.x, a.y, a.z, a.w};
  const uint32_t seconds[4] = {b.x, b.y, b.z, b.w};
  Bits bits;
#pragma unroll
  for (int i = 0; i < kCodesOfVector; ++i) {
    const int shift = 8 * (i % 4);
    const auto cell =
        static_cast<int>((firsts[i / 4] >> shift & 0xffu) * kKeyCodes + (seconds[i / 4] >> shift & 0xffu));
    const bool counts = first + i >= now.begin && first + i < now.end;
    if (!counts) continue;
    bits.taken |= (taken[cell / 32] >> (cell % 32) & 1u) << i;
    bits.cut |= (cell == cut ? 1u : 0u) << i;
  }
  return bits;
}

__device__ Bits own_bits(const PqStep& step, const PqNumbers& now, int head, int first, uint32_t* taken, int cut) {
  const uint32_t* all = step.choice.taken + int64_t{head} * kWords;
  for (int i = static_cast<int>(threadIdx.x); i < kWords; i += kThreads) taken[i] = all[i];
  __syncthreads();
  return first < now.end ? bits_of(step, now, head, first, taken, cut) : Bits{};
}

// Whether the block's chunk lies behind the last candidate.
__device__ __forceinline__ bool is_surplus(const PqNumbers& now) {
  return static_cast<int>(blockIdx.x) * kChunkKeys >= now.end;
}

__global__ void __launch_bounds__(kThreads) count_kernel(PqStep step) {
  const PqNumbers now = *step.numbers;
  after_earlier_kernels();
  if (is_surplus(now)) return;
  __shared__ uint32_t taken[kWords];
  const auto head = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) * kCodesOfVector;
  const Bits bits = own_bits(step, now, head, first, taken, step.choice.heads[head].cut);
  const float n_taken = block_sum(static_cast<float>(__popc(bits.taken)));
  const float n_cut = block_sum(static_cast<float>(__popc(bits.cut)));
  if (threadIdx.x != 0) return;
  int* counts = step.choice.chunk_counts + 2 * (int64_t{head} * gridDim.x + blockIdx.x);
  counts[0] = static_cast<int>(n_taken);
  counts[1] = static_cast<int>(n_cut);
}

__global__ void __launch_bounds__(kThreads) list_kernel(PqStep step) {
  const PqNumbers now = *step.numbers;
  after_earlier_kernels();
  if (is_surplus(now)) return;
  __shared__ uint32_t taken[kWords];
  const auto head = static_cast<int>(blockIdx.y);
  const HeadChoice choice = step.choice.heads[head];
  const int first = static_cast<int>(blockIdx.x * kThreads + threadIdx.x) * kCodesOfVector;
  const Bits bits = own_bits(step, now, head, first, taken, choice.cut);
  const int* counts = step.choice.chunk_counts + 2 * int64_t{head} * gridDim.x;
  float before[2] = {0.0f, 0.0f};
  for (int chunk = static_cast<int>(threadIdx.x); chunk < static_cast<int>(blockIdx.x); chunk += kThreads) {
    before[0] += static_cast<float>(counts[2 * chunk]);
    before[1] += static_cast<float>(counts[2 * chunk + 1]);
  }
  int n_taken = static_cast<int>(block_sum(before[0]));
  int n_cut = static_cast<int>(block_sum(before[1]));
  // Both at once: a chunk has no more than kChunkKeys of either.
  static_assert(kChunkKeys < 1 << 15);
  const int own = block_sum_before(__popc(bits.taken) | __popc(bits.cut) << 16);
  n_taken += own & 0xffff;
  n_cut += own >> 16;
  int* out = step.choice.positions + head * step.choice.position_stride;
#pragma unroll
  for (int i = 0; i < kCodesOfVector; ++i) {
    if ((bits.taken >> i & 1u) != 0) {
      out[n_taken + min(n_cut, choice.n_kept)] = first + i;
      ++n_taken;
    } else if ((bits.cut >> i & 1u) != 0) {
      if (n_cut < choice.n_kept) out[n_taken + n_cut] = first + i;
      ++n_cut;
    }
  }
}

}  // namespace

int n_chunks(int n_tokens) {
  return (n_tokens + kChunkKeys - 1) / kChunkKeys;
}

cudaError_t collect(cudaStream_t stream, const PqStep& step) {
  const dim3 grid(static_cast<unsigned>(step.n_chunks), static_cast<unsigned>(step.index.n_kv_heads));
  const cudaError_t error = launch(stream, grid, kThreads, 0, count_kernel, step);
  return error != cudaSuccess ? error : launch(stream, grid, kThreads, 0, list_kernel, step);
}

}  // namespace mneme::engine::cuda
