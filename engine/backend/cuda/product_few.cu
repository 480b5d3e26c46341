// Products of one to eight rows: decoding. A warp makes kOutputs outputs, its lanes share their rows of weights in
// neighbouring pieces, so that a warp reads whole lines; the activations come from the first-level cache.
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/product_kernels.h"
#include "engine/backend/cuda/quant_units.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kWarps = 4;    // small blocks: the last wave of a grid wastes less
constexpr int kOutputs = 2;  // a warp's: each piece of x is used twice
constexpr int kVector = 8;   // elements a lane takes at a time of F32, F16, BF16

// Which matrix and which rows this block works on.
struct Selected {
  MatrixRef w;
  int x_row;
  int64_t y_row;
};
__device__ Selected select(const MatrixRef& w, const ExpertPairs& pairs) {
  if (pairs.matrices == nullptr) return {w, 0, 0};
  const int pair = static_cast<int>(blockIdx.y);
  return {pairs.matrices[pairs.chosen[pair]], pair / pairs.pairs_per_row, pair};
}

__device__ __forceinline__ int first_output() {
  return (static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / kWarp) * kOutputs;
}

// Rows of weights beyond the last, and rows of x beyond the last, repeat the last: reads stay inside, results are
// dropped.
__device__ __forceinline__ const uint8_t* weight_row(const MatrixRef& w, int output) {
  return reinterpret_cast<const uint8_t*>(w.data) + min(output, w.n_out - 1) * w.stride_bytes;
}

template <int kRows>
__device__ __forceinline__ void write_sums(float (&sums)[kOutputs][kRows], const MatrixRef& w, int n_rows,
                                           const ProductOut& out, int64_t y_row) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int o = 0; o < kOutputs; ++o) {
    for (int r = 0; r < kRows; ++r) {
      const float sum = warp_sum(sums[o][r]);
      const int output = first_output() + o;
      if (lane == 0 && r < n_rows && output < w.n_out) out.y[(y_row + r) * out.stride + output] = sum;
    }
  }
}

template <typename Reader, int kRows>
__global__ void __launch_bounds__(kWarps* kWarp)
    multiply_int8(MatrixRef dense, ExpertPairs pairs, RoundedRows x, int n_rows, ProductOut out) {
  const Selected at = select(dense, pairs);
  if (first_output() >= at.w.n_out) return;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  float sums[kOutputs][kRows] = {};
  for (int unit = lane; unit < at.w.n_in / kUnit; unit += kWarp) {
    Unit weights[kOutputs];
    for (int o = 0; o < kOutputs; ++o) Reader::read(weight_row(at.w, first_output() + o), unit, weights[o]);
    for (int r = 0; r < kRows; ++r) {
      const int64_t first = int64_t{at.x_row + min(r, n_rows - 1)} * at.w.n_in + int64_t{unit} * kUnit;
      const int4 codes = *reinterpret_cast<const int4*>(x.codes + first);
      const float scale = x.scales[first / kRoundBlock];
      const float sum = Reader::kHasMinimum ? x.sums[first / kSumBlock] : 0.0f;
      for (int o = 0; o < kOutputs; ++o) {
        int dot = __dp4a(weights[o].codes[0], codes.x, 0);
        dot = __dp4a(weights[o].codes[1], codes.y, dot);
        dot = __dp4a(weights[o].codes[2], codes.z, dot);
        dot = __dp4a(weights[o].codes[3], codes.w, dot);
        sums[o][r] += weights[o].scale * scale * static_cast<float>(dot);
        if (Reader::kHasMinimum) sums[o][r] -= weights[o].minimum * sum;
      }
    }
  }
  write_sums(sums, at.w, n_rows, out, at.y_row);
}

template <TensorType kType>
__device__ __forceinline__ void load_vector(const uint8_t* row, int i, float (&w)[kVector]) {
  if constexpr (kType == TensorType::kF32) {
    const auto* vectors = reinterpret_cast<const float4*>(row) + i / 4;
    const float4 a = vectors[0];
    const float4 b = vectors[1];
    w[0] = a.x, w[1] = a.y, w[2] = a.z, w[3] = a.w;
    w[4] = b.x, w[5] = b.y, w[6] = b.z, w[7] = b.w;
  } else {
    const uint4 bits = reinterpret_cast<const uint4*>(row)[i / kVector];
    const uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
    for (int j = 0; j < kVector; ++j) {
      const auto half = static_cast<uint16_t>(words[j / 2] >> (16 * (j % 2)));
      w[j] = kType == TensorType::kF16 ? half_to_float({half}) : bf16_to_float(half);
    }
  }
}

// Rows of x start at any multiple of 4 bytes; those of a multiple of 4 elements are read in vectors.
__device__ __forceinline__ void load_row(const float* x, int i, int n, float (&out)[kVector]) {
  if (n % 4 == 0 && i + kVector <= n) {
    const auto* vectors = reinterpret_cast<const float4*>(x + i);
    const float4 a = vectors[0];
    const float4 b = vectors[1];
    out[0] = a.x, out[1] = a.y, out[2] = a.z, out[3] = a.w;
    out[4] = b.x, out[5] = b.y, out[6] = b.z, out[7] = b.w;
  } else {
    for (int j = 0; j < kVector; ++j) out[j] = i + j < n ? x[i + j] : 0.0f;
  }
}

template <TensorType kType, int kRows>
__global__ void __launch_bounds__(kWarps* kWarp)
    multiply_float(MatrixRef dense, ExpertPairs pairs, const float* x, int n_rows, ProductOut out) {
  const Selected at = select(dense, pairs);
  if (first_output() >= at.w.n_out) return;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  float sums[kOutputs][kRows] = {};
  for (int i = lane * kVector; i < at.w.n_in; i += kWarp * kVector) {
    float weights[kOutputs][kVector];
    for (int o = 0; o < kOutputs; ++o) load_vector<kType>(weight_row(at.w, first_output() + o), i, weights[o]);
    for (int r = 0; r < kRows; ++r) {
      float values[kVector];
      load_row(x + int64_t{at.x_row + min(r, n_rows - 1)} * at.w.n_in, i, at.w.n_in, values);
      for (int o = 0; o < kOutputs; ++o)
        for (int j = 0; j < kVector; ++j) sums[o][r] += weights[o][j] * values[j];
    }
  }
  write_sums(sums, at.w, n_rows, out, at.y_row);
}

dim3 grid_of(const MatrixRef& w, const ExpertPairs& pairs) {
  constexpr int kPerBlock = kWarps * kOutputs;
  return dim3(static_cast<unsigned>((w.n_out + kPerBlock - 1) / kPerBlock),
              static_cast<unsigned>(pairs.matrices == nullptr ? 1 : pairs.n_pairs));
}

template <typename Reader>
cudaError_t launch_int8(cudaStream_t stream, const MatrixRef& w, const ExpertPairs& pairs, const RoundedRows& x,
                        int n_rows, ProductOut out) {
  const auto kernel = n_rows == 1   ? multiply_int8<Reader, 1>
                      : n_rows <= 4 ? multiply_int8<Reader, 4>
                                    : multiply_int8<Reader, kFewRows>;
  return launch(stream, grid_of(w, pairs), kWarps * kWarp, 0, kernel, w, pairs, x, n_rows, out);
}

template <TensorType kType>
cudaError_t launch_float(cudaStream_t stream, const MatrixRef& w, const ExpertPairs& pairs, const float* x, int n_rows,
                         ProductOut out) {
  const auto kernel = n_rows == 1   ? multiply_float<kType, 1>
                      : n_rows <= 4 ? multiply_float<kType, 4>
                                    : multiply_float<kType, kFewRows>;
  return launch(stream, grid_of(w, pairs), kWarps * kWarp, 0, kernel, w, pairs, x, n_rows, out);
}

cudaError_t any_int8(cudaStream_t stream, const MatrixRef& w, const ExpertPairs& pairs, const RoundedRows& x,
                     int n_rows, ProductOut out) {
  cudaError_t error = cudaErrorInvalidValue;
  with_unit_reader(w.type,
                   [&](auto reader) { error = launch_int8<decltype(reader)>(stream, w, pairs, x, n_rows, out); });
  return error;
}

cudaError_t any_float(cudaStream_t stream, const MatrixRef& w, const ExpertPairs& pairs, const float* x, int n_rows,
                      ProductOut out) {
  if (w.type == TensorType::kF32) return launch_float<TensorType::kF32>(stream, w, pairs, x, n_rows, out);
  if (w.type == TensorType::kF16) return launch_float<TensorType::kF16>(stream, w, pairs, x, n_rows, out);
  return launch_float<TensorType::kBF16>(stream, w, pairs, x, n_rows, out);
}

}  // namespace

cudaError_t multiply_few(cudaStream_t stream, const MatrixRef& w, const RoundedRows& x, int n_rows, ProductOut out) {
  return any_int8(stream, w, {}, x, n_rows, out);
}

cudaError_t multiply_few_f32(cudaStream_t stream, const MatrixRef& w, const float* x, int n_rows, ProductOut out) {
  return any_float(stream, w, {}, x, n_rows, out);
}

cudaError_t multiply_pairs(cudaStream_t stream, const MatrixRef& shape, const ExpertPairs& pairs, const RoundedRows& x,
                           ProductOut out) {
  return x.codes != nullptr ? any_int8(stream, shape, pairs, x, 1, out)
                            : any_float(stream, shape, pairs, x.values, 1, out);
}

}  // namespace mneme::engine::cuda
