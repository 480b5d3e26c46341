#include "engine/backend/cuda/row_kernels.h"

#include <algorithm>
#include <type_traits>

#include "engine/backend/cuda/activation.cuh"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/next_weights.cuh"
#include "engine/backend/cuda/product_kernels.h"
#include "engine/backend/cuda/quant_units.cuh"
#include "engine/backend/cuda/rounding.cuh"
#include "engine/backend/cuda/row_norm.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 256;         // whole warps: rounding to int8 exchanges among 32 neighbours
constexpr int kAtOnce = 4;            // elements of a thread that works in vectors
constexpr int kFetchingBlocks = 128;  // about as many as a large GPU has multiprocessors

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

// A row as a block's threads take its elements in turn, kVector neighbours each: up to kHeld each, read at once and
// kept in registers, so that nothing waits for memory twice; kHeld 0 is for rows of any width, read again for every
// use.
template <int kHeld, int kVector, typename Load>
class RowElements {
 public:
  __device__ RowElements(int width, Load load) : width_(width), load_(load) {
#pragma unroll
    for (int j = 0; j < kHeld; ++j) held_[j] = index(j) < width ? load(index(j)) : 0.0f;
  }
  // body(j, i, element i), j the thread's count.
  template <typename Body>
  __device__ __forceinline__ void each(Body body) const {
    if constexpr (kHeld > 0) {
#pragma unroll
      for (int j = 0; j < kHeld; ++j)
        if (index(j) < width_) body(j, index(j), held_[j]);
    } else {
      for (int j = 0; index(j) < width_; ++j) body(j, index(j), load_(index(j)));
    }
  }
  // Element i of another row, the thread's j-th.
  __device__ __forceinline__ float at(int j, int i) const {
    if constexpr (kHeld > 0) return held_[j];
    return load_(i);
  }
  static __device__ __forceinline__ int index(int j) {
    const auto thread = static_cast<int>(threadIdx.x);
    return (thread + j / kVector * static_cast<int>(blockDim.x)) * kVector + j % kVector;
  }

 private:
  const int width_;
  const Load load_;
  float held_[kHeld > 0 ? kHeld : 1];
};
template <int kHeld, int kVector = 1, typename Load>
__device__ __forceinline__ RowElements<kHeld, kVector, Load> row_elements(int width, Load load) {
  return {width, load};
}

// A norm's weights, which no kernel writes.
template <int kHeld, int kVector = 1>
__device__ __forceinline__ auto norm_weights(const NormRef& norm, int width) {
  return row_elements<kHeld, kVector>(width, [&](int i) { return norm.weight != nullptr ? norm.weight[i] : 1.0f; });
}
__device__ __forceinline__ float bias_at(const NormRef& norm, int i) {
  return norm.bias != nullptr ? norm.bias[i] : 0.0f;
}

// Mean and inverse deviation of a row; all threads of the block. Without a norm: those that change nothing.
struct RowMoments {
  float mean = 0.0f;
  float inverse = 1.0f;
};
template <typename Elements>
__device__ RowMoments moments(const NormRef& norm, int width, const Elements& elements) {
  RowMoments row;
  if (norm.weight == nullptr) return row;
  if (norm.kind == NormKind::kLayer) {
    float sum = 0.0f;
    elements.each([&](int, int, float element) { sum += element; });
    row.mean = block_sum(sum) / static_cast<float>(width);
  }
  float squares = 0.0f;
  elements.each([&](int, int, float element) { squares = plus_square(squares, element - row.mean); });
  row.inverse = inverse_deviation(block_sum(squares), width, norm.epsilon);
  return row;
}

// A block a row; those behind them only ask for weights, which takes many multiprocessors.
template <int kHeld, int kVector>
__global__ void __launch_bounds__(kMostNormThreads)
    norm_kernel(const float* x, const int* rows, int n_rows, NormRef norm, RoundedRows out, NextWeights ahead) {
  if (static_cast<int>(blockIdx.x) >= n_rows) {
    fetch_weights(ahead, n_rows);
    after_earlier_kernels();
    return;
  }
  const auto weights = norm_weights<kHeld, kVector>(norm, out.width);
  after_earlier_kernels();
  const int64_t from = rows == nullptr ? static_cast<int>(blockIdx.x) : rows[blockIdx.x];
  const float* row = x + from * out.width;
  const auto elements = row_elements<kHeld, kVector>(out.width, [&](int i) { return row[i]; });
  const RowMoments of_row = moments(norm, out.width, elements);
  const auto normed_at = [&](int j, int i, float element) {
    return normed(element - of_row.mean, of_row.inverse, weights.at(j, i), bias_at(norm, i));
  };
  if constexpr (kVector == kAtOnce) {
#pragma unroll
    for (int j = 0; j < kHeld; j += kAtOnce) {
      const int i = elements.index(j);
      const auto at = [&](int k) { return normed_at(j + k, i + k, elements.at(j + k, i + k)); };
      if (i < out.width) store_four_rounded(out, blockIdx.x, i, {at(0), at(1), at(2), at(3)});
    }
  } else {
    elements.each([&](int j, int i, float element) { store_rounded(out, blockIdx.x, i, normed_at(j, i, element)); });
  }
}

template <int kHeld>
__global__ void __launch_bounds__(kMostNormThreads) add_block_kernel(BlockOut block, int width, float* x) {
  const auto weights = norm_weights<kHeld>(block.norm, width);
  after_earlier_kernels();
  const int64_t at = int64_t{blockIdx.x} * width;
  const float* product = block.product + at;
  float* row = x + at;
  const float scale = block.row_scales != nullptr ? block.row_scales[blockIdx.x] : 1.0f;
  // Each thread writes only the elements it alone reads, so the row can change in place.
  const auto before = row_elements<kHeld>(width, [&](int i) { return row[i]; });
  const auto added = row_elements<kHeld>(width, [&](int i) {
    const float value = product[i] * scale + (block.bias != nullptr ? block.bias[i] : 0.0f);
    return block.after_residual ? value + row[i] : value;
  });
  const RowMoments of_row = moments(block.norm, width, added);
  added.each([&](int j, int i, float element) {
    const float value = normed(element - of_row.mean, of_row.inverse, weights.at(j, i), bias_at(block.norm, i));
    row[i] = block.after_residual || block.replaces ? value : before.at(j, i) + value;
  });
}

__device__ __forceinline__ float activated(const GatedRows& in, float gate, float up, int i) {
  if (in.up_bias != nullptr) up += in.up_bias[i];
  return in.gate != nullptr ? gated_activation(in.activation, gate, up) : activation_of(in.activation, up);
}

__global__ void __launch_bounds__(kThreads) activate(GatedRows in, RoundedRows out, NextWeights ahead) {
  fetch_weights(ahead);
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  // The last warps of a row whose width is no multiple of 32 are not whole; int8 is not wanted then.
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (i >= out.width) return;
  const float gate = in.gate != nullptr ? in.gate[row * in.stride + i] : 0.0f;
  store_rounded(out, row, i, activated(in, gate, in.up[row * in.stride + i], i));
}

// The same of four neighbours a thread, in vectors.
__global__ void __launch_bounds__(kThreads) activate_vectors(GatedRows in, RoundedRows out, NextWeights ahead) {
  fetch_weights(ahead);
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x) * kAtOnce;
  if (i >= out.width) return;
  const float4 up = *reinterpret_cast<const float4*>(in.up + row * in.stride + i);
  const float4 gate = in.gate != nullptr ? *reinterpret_cast<const float4*>(in.gate + row * in.stride + i) : up;
  store_four_rounded(out, row, i,
                     {activated(in, gate.x, up.x, i), activated(in, gate.y, up.y, i + 1),
                      activated(in, gate.z, up.z, i + 2), activated(in, gate.w, up.w, i + 3)});
}

// Rows that begin at x, `stride` apart, and what is made of them: int8 takes whole warps.
bool suits_vectors(const float* x, int64_t stride, const RoundedRows& out) {
  return out.width % (out.codes != nullptr ? kAtOnce * kWarp : kAtOnce) == 0 && stride % kAtOnce == 0 &&
         reinterpret_cast<uintptr_t>(x) % sizeof(float4) == 0;
}

// The power of two that brings a row within f16.
__device__ __forceinline__ float scale_within_half(float largest) {
  float scale = 1.0f;
  if (isfinite(largest))
    while (largest / scale > kLargestHalf / 2) scale *= 2.0f;
  return scale;
}

// Rows that are scaled, one a block.
__global__ void __launch_bounds__(kThreads) round_scaled_kernel(const float* x, int64_t stride, RoundedRows out) {
  after_earlier_kernels();
  const float* row = x + blockIdx.x * stride;
  float largest = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < out.width; i += kThreads) largest = fmaxf(largest, fabsf(row[i]));
  const float scale = scale_within_half(block_max(largest));
  if (threadIdx.x == 0) out.row_scales[blockIdx.x] = scale;
  const float inverse = 1.0f / scale;
  for (int i = static_cast<int>(threadIdx.x); i < out.width; i += kThreads)
    store_rounded(out, blockIdx.x, i, row[i] * inverse);
}

__global__ void __launch_bounds__(kThreads) round_kernel(const float* x, int64_t stride, RoundedRows out) {
  after_earlier_kernels();
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (i < out.width) store_rounded(out, blockIdx.x, i, x[blockIdx.x * stride + i]);
}

__global__ void __launch_bounds__(kThreads) round_vectors_kernel(const float* x, int64_t stride, RoundedRows out) {
  after_earlier_kernels();
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x) * kAtOnce;
  if (i >= out.width) return;
  store_four_rounded(out, blockIdx.x, i, *reinterpret_cast<const float4*>(x + blockIdx.x * stride + i));
}

__global__ void __launch_bounds__(kThreads) finish_logits_kernel(float scale, float softcap, int64_t n, float* x) {
  after_earlier_kernels();
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const float value = x[i] * scale;
  x[i] = softcap > 0.0f ? softcap * tanhf(value / softcap) : value;
}

__global__ void __launch_bounds__(kThreads)
    rule_out_kernel(const int* columns, int n_columns, int64_t stride, float* x) {
  after_earlier_kernels();
  const int i = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (i < n_columns) x[blockIdx.x * stride + columns[i]] = -INFINITY;
}

unsigned blocks(int64_t n, int per_block) {
  return static_cast<unsigned>((n + per_block - 1) / per_block);
}
unsigned count(int n) {
  return static_cast<unsigned>(n);
}

// Calls body with how many elements of a row a thread holds, and the threads of its block.
template <typename Body>
cudaError_t with_held(int width, Body body) {
  constexpr int kFew = 4;
  constexpr int kMany = 8;  // what the registers of so many threads hold
  const int n_threads = std::min(kMostNormThreads, static_cast<int>(blocks(width, kFew * kWarp)) * kWarp);
  if (width <= kFew * n_threads) return body(std::integral_constant<int, kFew>(), n_threads);
  if (width <= kMany * n_threads) return body(std::integral_constant<int, kMany>(), n_threads);
  return body(std::integral_constant<int, 0>(), n_threads);
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
                      const RoundedRows& out, const NextWeights& ahead) {
  if (n_rows == 0) return cudaSuccess;
  const dim3 grid(count(n_rows + (ahead.is_empty() ? 0 : kFetchingBlocks)));
  const bool in_vectors = suits_vectors(x, out.width, out);
  return with_held(out.width, [&](auto held, int n_threads) {
    if constexpr (held() > 0) {
      if (in_vectors)
        return launch(stream, grid, n_threads, 0, norm_kernel<held(), kAtOnce>, x, rows, n_rows, norm, out, ahead);
    }
    return launch(stream, grid, n_threads, 0, norm_kernel<held(), 1>, x, rows, n_rows, norm, out, ahead);
  });
}

cudaError_t add_block(cudaStream_t stream, const BlockOut& block, int n_rows, int width, float* x) {
  return with_held(width, [&](auto held, int n_threads) {
    return launch(stream, dim3(count(n_rows)), n_threads, 0, add_block_kernel<held()>, block, width, x);
  });
}

cudaError_t activate_rows(cudaStream_t stream, const GatedRows& in, int n_rows, const RoundedRows& out,
                          const NextWeights& ahead) {
  if (suits_vectors(in.gate, in.stride, out) && suits_vectors(in.up, in.stride, out))
    return launch(stream, dim3(count(n_rows), blocks(out.width, kAtOnce * kThreads)), kThreads, 0, activate_vectors, in,
                  out, ahead);
  return launch(stream, dim3(count(n_rows), blocks(out.width, kThreads)), kThreads, 0, activate, in, out, ahead);
}

cudaError_t round_rows(cudaStream_t stream, const float* x, int64_t x_stride, int n_rows, const RoundedRows& out) {
  if (out.row_scales != nullptr)
    return launch(stream, dim3(count(n_rows)), kThreads, 0, round_scaled_kernel, x, x_stride, out);
  if (suits_vectors(x, x_stride, out))
    return launch(stream, dim3(count(n_rows), blocks(out.width, kAtOnce * kThreads)), kThreads, 0, round_vectors_kernel,
                  x, x_stride, out);
  return launch(stream, dim3(count(n_rows), blocks(out.width, kThreads)), kThreads, 0, round_kernel, x, x_stride, out);
}

cudaError_t rule_out(cudaStream_t stream, const int* columns, int n_columns, int n_rows, int64_t stride, float* x) {
  return launch(stream, dim3(count(n_rows), blocks(n_columns, kThreads)), kThreads, 0, rule_out_kernel, columns,
                n_columns, stride, x);
}

cudaError_t finish_logits(cudaStream_t stream, float scale, float softcap, int64_t n, float* x) {
  return launch(stream, dim3(blocks(n, kThreads)), kThreads, 0, finish_logits_kernel, scale, softcap, n, x);
}

}  // namespace mneme::engine::cuda
