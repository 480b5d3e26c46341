#include "engine/backend/cuda/row_kernels.h"

#include <climits>

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/product_kernels.h"
#include "engine/backend/cuda/quant_units.cuh"
#include "engine/backend/cuda/rounding.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 256;  // whole warps: rounding to int8 exchanges among 32 neighbours

// A thread takes a unit, so that a block of a quantised type is taken apart once.
__global__ void __launch_bounds__(kThreads) embed(MatrixRef table, const int* ids, float scale, bool add, float* x) {
  after_earlier_kernels();
  const int64_t row = blockIdx.x;  // rows along x: the other dimensions end at 65535
  const int unit = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (unit * kUnit >= table.n_in) return;
  float values[kUnit];
  read_weights(table.type, reinterpret_cast<const uint8_t*>(table.data) + ids[row] * table.stride_bytes, unit,
               table.n_in, values);
  float* out = x + row * table.n_in;
  for (int i = 0; i < kUnit && unit * kUnit + i < table.n_in; ++i) {
    const int at = unit * kUnit + i;
    out[at] = (add ? out[at] : 0.0f) + values[i] * scale;
  }
}

__global__ void __launch_bounds__(kThreads) gather(const float* x, int width, const int* rows, float* out) {
  after_earlier_kernels();
  const float* from = x + int64_t{rows[blockIdx.x]} * width;
  float* to = out + int64_t{blockIdx.x} * width;
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) to[i] = from[i];
}

// Mean and inverse deviation of a row, whose elements the threads take in turn; all threads of the block.
struct RowMoments {
  float mean;
  float inverse;
};
template <typename Element>
__device__ RowMoments moments(const NormRef& norm, int width, Element element) {
  float mean = 0.0f;
  if (norm.kind == NormKind::kLayer) {
    float sum = 0.0f;
    for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) sum += element(i);
    mean = block_sum(sum) / static_cast<float>(width);
  }
  float squares = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    const float distance = element(i) - mean;
    squares += distance * distance;
  }
  return {mean, 1.0f / sqrtf(block_sum(squares) / static_cast<float>(width) + norm.epsilon)};
}

__device__ __forceinline__ float normed(const NormRef& norm, const RowMoments& row, int i, float value) {
  const float scaled = (value - row.mean) * row.inverse * norm.weight[i];
  return norm.bias != nullptr ? scaled + norm.bias[i] : scaled;
}

__global__ void __launch_bounds__(kThreads)
    norm_kernel(const float* x, const int* rows, NormRef norm, RoundedRows out) {
  after_earlier_kernels();
  const int64_t from = rows == nullptr ? static_cast<int>(blockIdx.x) : rows[blockIdx.x];
  const float* row = x + from * out.width;
  RowMoments row_moments{0.0f, 1.0f};
  if (norm.weight != nullptr) row_moments = moments(norm, out.width, [&](int i) { return row[i]; });
  for (int i = static_cast<int>(threadIdx.x); i < out.width; i += kThreads) {
    const float value = norm.weight != nullptr ? normed(norm, row_moments, i, row[i]) : row[i];
    store_rounded(out, blockIdx.x, i, value);
  }
}

__global__ void __launch_bounds__(kThreads) add_block_kernel(BlockOut block, int width, float* x) {
  after_earlier_kernels();
  const int64_t at = int64_t{blockIdx.x} * width;
  const float* product = block.product + at;
  float* row = x + at;
  const float scale = block.row_scales != nullptr ? block.row_scales[blockIdx.x] : 1.0f;
  // Each thread writes only the elements it alone reads, so the row can change in place.
  const auto added = [&](int i) {
    const float value = product[i] * scale + (block.bias != nullptr ? block.bias[i] : 0.0f);
    return block.after_residual ? value + row[i] : value;
  };
  RowMoments row_moments{0.0f, 1.0f};
  const bool norms = block.norm.weight != nullptr;
  if (norms) row_moments = moments(block.norm, width, added);
  for (int i = static_cast<int>(threadIdx.x); i < width; i += kThreads) {
    const float value = norms ? normed(block.norm, row_moments, i, added(i)) : added(i);
    row[i] = block.after_residual ? value : row[i] + value;
  }
}

__device__ __forceinline__ float activation_of(Activation kind, float x) {
  if (kind == Activation::kSilu) return x / (1.0f + expf(-x));
  if (kind == Activation::kGelu) return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
  return 0.5f * x * (1.0f + tanhf(0.79788456080286536f * (x + 0.044715f * x * x * x)));
}

__global__ void __launch_bounds__(kThreads) activate(GatedRows in, RoundedRows out) {
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  // The last warps of a row whose width is no multiple of 32 are not whole; int8 is not wanted then.
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (i >= out.width) return;
  float up = in.up[row * in.stride + i];
  if (in.up_bias != nullptr) up += in.up_bias[i];
  const float value = in.gate != nullptr ? activation_of(in.activation, in.gate[row * in.stride + i]) * up
                                         : activation_of(in.activation, up);
  store_rounded(out, row, i, value);
}

// The power of two that brings a row within f16.
__device__ __forceinline__ float scale_within_half(float largest) {
  float scale = 1.0f;
  if (isfinite(largest))
    while (largest / scale > kLargestHalf / 2) scale *= 2.0f;
  return scale;
}

__global__ void __launch_bounds__(kThreads) round_kernel(const float* x, int64_t stride, RoundedRows out) {
  after_earlier_kernels();
  const float* row = x + blockIdx.x * stride;
  float inverse = 1.0f;
  if (out.row_scales != nullptr) {
    float largest = 0.0f;
    for (int i = static_cast<int>(threadIdx.x); i < out.width; i += kThreads) largest = fmaxf(largest, fabsf(row[i]));
    const float scale = scale_within_half(block_max(largest));
    if (threadIdx.x == 0) out.row_scales[blockIdx.x] = scale;
    inverse = 1.0f / scale;
  }
  for (int i = static_cast<int>(threadIdx.x); i < out.width; i += kThreads)
    store_rounded(out, blockIdx.x, i, row[i] * inverse);
}

__global__ void __launch_bounds__(kThreads) finish_logits_kernel(float scale, float softcap, int64_t n, float* x) {
  after_earlier_kernels();
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const float value = x[i] * scale;
  x[i] = softcap > 0.0f ? softcap * tanhf(value / softcap) : value;
}

// --- Experts --------------------------------------------------------------------------------------------------------

// The lane with the largest value of its row's scores that is not taken yet; lower experts first among equals.
struct Best {
  float score;
  int expert;
};
__device__ Best best_left(const float* scores, int n_experts, const int* taken, int n_taken) {
  Best best{-INFINITY, n_experts};
  for (int e = static_cast<int>(threadIdx.x) % kWarp; e < n_experts; e += kWarp) {
    bool is_taken = false;
    for (int i = 0; i < n_taken; ++i) is_taken = is_taken || taken[i] == e;
    if (!is_taken && (best.expert == n_experts || scores[e] > best.score)) best = {scores[e], e};
  }
  for (int lanes = kWarp / 2; lanes > 0; lanes /= 2) {
    const Best other{__shfl_xor_sync(kAllLanes, best.score, lanes), __shfl_xor_sync(kAllLanes, best.expert, lanes)};
    const bool exists = other.expert < n_experts;
    const bool better = other.score > best.score || (other.score == best.score && other.expert < best.expert);
    if (exists && (best.expert == n_experts || better)) best = other;
  }
  return best;
}

// A warp per row. Every lane writes the same choice, and reads back what it wrote itself.
__global__ void __launch_bounds__(kWarp) choose(const float* all_scores, bool normalise, Routing routing) {
  after_earlier_kernels();
  const int n_experts = routing.n_experts;
  const int n_used = routing.n_used;
  const float* scores = all_scores + int64_t{blockIdx.x} * n_experts;
  int* chosen = routing.chosen + int64_t{blockIdx.x} * n_used;
  float* weights = routing.weights + int64_t{blockIdx.x} * n_used;
  float largest = 0.0f;
  float used = 0.0f;
  for (int i = 0; i < n_used; ++i) {
    const Best best = best_left(scores, n_experts, chosen, i);
    if (i == 0) largest = best.score;
    chosen[i] = best.expert;
    weights[i] = expf(best.score - largest);
    used += weights[i];
    __syncwarp();
  }
  float total = 0.0f;
  for (int e = static_cast<int>(threadIdx.x); e < n_experts; e += kWarp) total += expf(scores[e] - largest);
  total = warp_sum(total);
  if (threadIdx.x != 0) return;
  for (int i = 0; i < n_used; ++i) weights[i] /= normalise ? used : total;
}

// One block; a thread per expert counts and then places its pairs, so the order is the same every time.
__global__ void __launch_bounds__(kThreads) group(Routing routing, int* offsets, int* rows, int* places) {
  after_earlier_kernels();
  const int* chosen = routing.chosen;
  const int n_experts = routing.n_experts;
  const int n_pairs = routing.n_rows * routing.n_used;
  for (int e = static_cast<int>(threadIdx.x); e < n_experts; e += kThreads) {
    int count = 0;
    for (int i = 0; i < n_pairs; ++i) count += chosen[i] == e ? 1 : 0;
    offsets[e + 1] = count;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    offsets[0] = 0;
    for (int e = 0; e < n_experts; ++e) offsets[e + 1] += offsets[e];
  }
  __syncthreads();
  for (int e = static_cast<int>(threadIdx.x); e < n_experts; e += kThreads) {
    int next = offsets[e];
    for (int i = 0; i < n_pairs; ++i) {
      if (chosen[i] != e) continue;
      rows[next] = i / routing.n_used;
      places[i] = next++;
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    combine(Routing routing, const float* y, const int* places, int width, float* out) {
  after_earlier_kernels();
  const int n_used = routing.n_used;
  const int64_t row = blockIdx.x;
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (i >= width) return;
  const int* chosen = routing.chosen + row * n_used;
  float sum = 0.0f;
  // In ascending order of the experts, as the CPU adds them.
  for (int done = 0, last = -1; done < n_used; ++done) {
    int next = 0;
    int lowest = INT_MAX;
    for (int j = 0; j < n_used; ++j) {
      if (chosen[j] <= last || chosen[j] >= lowest) continue;
      next = j;
      lowest = chosen[j];
    }
    last = lowest;
    const int64_t pair = row * n_used + next;
    const int64_t place = places == nullptr ? pair : places[pair];
    sum += routing.weights[pair] * y[place * width + i];
  }
  out[row * width + i] = sum;
}

unsigned blocks(int64_t n, int per_block) {
  return static_cast<unsigned>((n + per_block - 1) / per_block);
}
unsigned count(int n) {
  return static_cast<unsigned>(n);
}

}  // namespace

cudaError_t embed_rows(cudaStream_t stream, const MatrixRef& table, const int* ids, int n_rows, float scale, bool add,
                       float* x) {
  const unsigned n_units = blocks(table.n_in, kUnit);
  return launch(stream, dim3(count(n_rows), blocks(n_units, kThreads)), kThreads, 0, embed, table, ids, scale, add, x);
}

cudaError_t gather_rows(cudaStream_t stream, const float* x, int width, const int* rows, int n_rows, float* out) {
  return launch(stream, dim3(count(n_rows)), kThreads, 0, gather, x, width, rows, out);
}

cudaError_t norm_rows(cudaStream_t stream, const float* x, const int* rows, int n_rows, const NormRef& norm,
                      const RoundedRows& out) {
  return launch(stream, dim3(count(n_rows)), kThreads, 0, norm_kernel, x, rows, norm, out);
}

cudaError_t add_block(cudaStream_t stream, const BlockOut& block, int n_rows, int width, float* x) {
  return launch(stream, dim3(count(n_rows)), kThreads, 0, add_block_kernel, block, width, x);
}

cudaError_t activate_rows(cudaStream_t stream, const GatedRows& in, int n_rows, const RoundedRows& out) {
  return launch(stream, dim3(count(n_rows), blocks(out.width, kThreads)), kThreads, 0, activate, in, out);
}

cudaError_t round_rows(cudaStream_t stream, const float* x, int64_t x_stride, int n_rows, const RoundedRows& out) {
  return launch(stream, dim3(count(n_rows)), kThreads, 0, round_kernel, x, x_stride, out);
}

cudaError_t finish_logits(cudaStream_t stream, float scale, float softcap, int64_t n, float* x) {
  return launch(stream, dim3(blocks(n, kThreads)), kThreads, 0, finish_logits_kernel, scale, softcap, n, x);
}

cudaError_t choose_experts(cudaStream_t stream, const float* scores, bool normalise, const Routing& out) {
  return launch(stream, dim3(count(out.n_rows)), kWarp, 0, choose, scores, normalise, out);
}

cudaError_t group_by_expert(cudaStream_t stream, const Routing& routing, int* offsets, int* rows, int* places) {
  return launch(stream, dim3(1), kThreads, 0, group, routing, offsets, rows, places);
}

cudaError_t combine_experts(cudaStream_t stream, const Routing& routing, const float* y, const int* places, int width,
                            float* out) {
  return launch(stream, dim3(count(routing.n_rows), blocks(width, kThreads)), kThreads, 0, combine, routing, y, places,
                width, out);
}

}  // namespace mneme::engine::cuda
