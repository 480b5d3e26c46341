// Products of many rows in f32 on the ordinary units, for every type: exact, and what remains where cuBLAS is missing.
// A block makes 64 x 64 outputs; weights are dequantised into shared memory once for its 64 rows.
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/product_kernels.h"
#include "engine/backend/cuda/quant_units.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kTile = 64;           // rows and outputs of a block
constexpr int kDepth = 32;          // elements of a row at a time: two units
constexpr int kThreads = 256;       // each makes 4 x 4 outputs
constexpr int kPadded = kTile + 4;  // keeps float4 reads aligned and spreads the columns over the banks

struct alignas(16) Tiles {  // read in vectors
  float x[kDepth][kPadded];
  float w[kDepth][kPadded];
};

// What the block multiplies: rows [0, n_rows) of x through `rows`, outputs from first_output on.
struct Work {
  MatrixRef w;
  const float* x;
  const int* rows;  // null: as they are
  int n_rows;
  int first_row;
  int first_output;
  const float* bias;  // (n_out); null: none
};

__device__ void load_weights(const Work& work, int first, Tiles& tiles) {
  const int thread = static_cast<int>(threadIdx.x);
  if (thread >= kTile * kDepth / kUnit) return;
  const int column = thread % kTile;
  const int unit = thread / kTile;
  const int output = work.first_output + column;
  float values[kUnit] = {};
  if (output < work.w.n_out) {
    const auto* row = reinterpret_cast<const uint8_t*>(work.w.data) + output * work.w.stride_bytes;
    read_weights(work.w.type, row, first / kUnit + unit, work.w.n_in, values);
  }
  for (int i = 0; i < kUnit; ++i) tiles.w[unit * kUnit + i][column] = values[i];
}

__device__ void load_activations(const Work& work, int first, Tiles& tiles) {
  constexpr int kPerThread = kTile * kDepth / kThreads;
  for (int j = 0; j < kPerThread; ++j) {
    const int index = static_cast<int>(threadIdx.x) + j * kThreads;
    const int k = index % kDepth;  // neighbouring threads read neighbouring elements
    const int row = work.first_row + index / kDepth;
    float value = 0.0f;
    if (row < work.n_rows && first + k < work.w.n_in) {
      const int64_t from = work.rows == nullptr ? row : work.rows[row];
      value = work.x[from * work.w.n_in + first + k];
    }
    tiles.x[k][index / kDepth] = value;
  }
}

__device__ void multiply_tiles(const Tiles& tiles, int row, int column, float (&sums)[4][4]) {
  for (int k = 0; k < kDepth; ++k) {
    const float4 x = *reinterpret_cast<const float4*>(&tiles.x[k][row]);
    const float4 w = *reinterpret_cast<const float4*>(&tiles.w[k][column]);
    const float xs[4] = {x.x, x.y, x.z, x.w};
    const float ws[4] = {w.x, w.y, w.z, w.w};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sums[i][j] += xs[i] * ws[j];
  }
}

__device__ void run(const Work& work, float* y, int64_t stride) {
  __shared__ Tiles tiles;
  const int row = static_cast<int>(threadIdx.x) / 16 * 4;
  const int column = static_cast<int>(threadIdx.x) % 16 * 4;
  float sums[4][4] = {};
  for (int first = 0; first < work.w.n_in; first += kDepth) {
    load_weights(work, first, tiles);
    load_activations(work, first, tiles);
    __syncthreads();
    multiply_tiles(tiles, row, column, sums);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int at_row = work.first_row + row + i;
      const int output = work.first_output + column + j;
      if (at_row < work.n_rows && output < work.w.n_out) {
        const float bias = work.bias != nullptr ? work.bias[output] : 0.0f;
        y[at_row * stride + output] = sums[i][j] + bias;
      }
    }
}

__global__ void __launch_bounds__(kThreads) tiled(MatrixRef w, const float* x, int n_rows, ProductOut out) {
  after_earlier_kernels();
  const auto first_row = static_cast<int>(blockIdx.y) * kTile;
  const Work work{w, x, nullptr, n_rows, first_row, static_cast<int>(blockIdx.x) * kTile, nullptr};
  run(work, out.y, out.stride);
}

// One expert per z; blocks beyond its rows have nothing to do, since only the device knows how many it has.
__global__ void __launch_bounds__(kThreads) tiled_groups(ExpertGroups groups, const float* x, ProductOut out) {
  after_earlier_kernels();
  const int expert = static_cast<int>(blockIdx.z);
  const int begin = groups.offsets[expert];
  const int n_rows = groups.offsets[expert + 1] - begin;
  const int first_row = static_cast<int>(blockIdx.y) * kTile;
  if (first_row >= n_rows) return;
  const MatrixRef& w = groups.experts.matrices[expert];
  const float* const* biases = groups.experts.biases;
  const Work work{w,
                  groups.rows == nullptr ? x + int64_t{begin} * w.n_in : x,
                  groups.rows == nullptr ? nullptr : groups.rows + begin,
                  n_rows,
                  first_row,
                  static_cast<int>(blockIdx.x) * kTile,
                  biases != nullptr ? biases[expert] : nullptr};
  run(work, out.y + begin * out.stride, out.stride);
}

// A thread dequantises a unit.
__global__ void __launch_bounds__(kThreads) to_f16(MatrixRef w, int first, int n, uint16_t* out) {
  after_earlier_kernels();
  const int n_units = w.n_in / kUnit;
  const int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t row = index / n_units;
  if (row >= n) return;
  const auto unit = static_cast<int>(index % n_units);
  float values[kUnit];
  read_weights(w.type, reinterpret_cast<const uint8_t*>(w.data) + (first + row) * w.stride_bytes, unit, w.n_in, values);
  // Two stores of 16 bytes.
  uint32_t words[kUnit / 2];
  for (int i = 0; i < kUnit / 2; ++i)
    words[i] = float_to_half(values[2 * i]).bits | static_cast<uint32_t>(float_to_half(values[2 * i + 1]).bits) << 16;
  auto* target = reinterpret_cast<uint4*>(out + row * w.n_in + int64_t{unit} * kUnit);
  target[0] = {words[0], words[1], words[2], words[3]};
  target[1] = {words[4], words[5], words[6], words[7]};
}

unsigned blocks(int64_t n, int per_block) {
  return static_cast<unsigned>((n + per_block - 1) / per_block);
}

}  // namespace

cudaError_t multiply_tiled(cudaStream_t stream, const MatrixRef& w, const float* x, int n_rows, ProductOut out) {
  return launch(stream, dim3(blocks(w.n_out, kTile), blocks(n_rows, kTile)), kThreads, 0, tiled, w, x, n_rows, out);
}

cudaError_t multiply_groups(cudaStream_t stream, const MatrixRef& shape, const ExpertGroups& groups, const float* x,
                            int n_rows, ProductOut out) {
  const dim3 grid(blocks(shape.n_out, kTile), blocks(n_rows, kTile), static_cast<unsigned>(groups.n_experts));
  return launch(stream, grid, kThreads, 0, tiled_groups, groups, x, out);
}

cudaError_t dequantise_f16(cudaStream_t stream, const MatrixRef& w, int first, int n, uint16_t* out) {
  const int64_t n_units = int64_t{n} * (w.n_in / kUnit);
  return launch(stream, dim3(blocks(n_units, kThreads)), kThreads, 0, to_f16, w, first, n, out);
}

}  // namespace mneme::engine::cuda
