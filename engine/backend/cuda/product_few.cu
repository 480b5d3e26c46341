// Products of one to eight rows: decoding. A warp makes kOutputs outputs (product_units.cuh); the activations come from
// the first-level cache.
#include <climits>

#include "engine/backend/cuda/activation.cuh"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/product_kernels.h"
#include "engine/backend/cuda/product_units.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kWarps = 4;   // small blocks: the last wave of a grid wastes less
constexpr int kVector = 8;  // elements a lane takes at a time of F32, F16, BF16

// What a launch multiplies: up to three matrices side by side along x, or pairs of rows and experts along y.
struct Work {
  ProductPart parts[kMostParts];
  int first_block[kMostParts];  // beyond the grid for parts that are not there
  int64_t stride;
  ProductEnd end;
  RowNorm norm;
  Activation activation;  // of gated products: parts[0] is the gate, parts[1] what it is multiplied with
  ExpertPairs pairs;
  bool operator==(const Work&) const = default;
};

// Which matrix, outputs and rows this warp works on.
struct Selected {
  MatrixRef w;
  float* y;
  int first_output;
  int x_row;
};
__device__ __forceinline__ Selected select(const Work& work) {
  const auto block = static_cast<int>(blockIdx.x);
  Selected at{work.parts[0].w, work.parts[0].y, 0, 0};
  int first_block = 0;
#pragma unroll
  for (int part = 1; part < kMostParts; ++part) {
    if (block < work.first_block[part]) continue;
    at.w = work.parts[part].w;
    at.y = work.parts[part].y;
    first_block = work.first_block[part];
  }
  at.first_output = ((block - first_block) * kWarps + static_cast<int>(threadIdx.x) / kWarp) * kOutputs;
  if (work.pairs.experts.matrices == nullptr) return at;
  const auto pair = static_cast<int>(blockIdx.y);
  at.w = work.pairs.experts.matrices[work.pairs.chosen[pair]];
  at.y += pair * work.stride;
  at.x_row = pair / work.pairs.pairs_per_row;
  return at;
}

// Gated: one output of both matrices, whose shape is the same.
__device__ __forceinline__ Selected select_gated(const Work& work) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  return {work.parts[0].w, work.parts[0].y, static_cast<int>(blockIdx.x) * kWarps + warp, 0};
}

// What is added to the outputs of the warp's matrix, or null.
__device__ __forceinline__ const float* biases_of(const Work& work) {
  const ExpertPairs& pairs = work.pairs;
  return pairs.experts.biases != nullptr ? pairs.experts.biases[pairs.chosen[blockIdx.y]] : work.end.bias;
}

// How many steps a lane's loads are begun for together: a warp that waits for one vector at a time leaves memory idle.
// Several rows keep their sums in the registers instead.
template <int kRows>
constexpr int unrolled(int most) {
  return kRows == 1 ? most : 1;
}

// Plain weights' loads go round in two halves: those of one are under way while the other is summed up. Quantised ones,
// whose sums wait for more of x, were slower so on an H100.
constexpr int kHalves = 2;

// Positions [at, end) in steps of kStep: load(half, at) and add(half, at) by turns, the loads two halves ahead of the
// sums. end - at is a multiple of kStep, and the first two halves have been loaded (load_halves).
template <int kStep, typename Load>
__device__ __forceinline__ void load_halves(int at, int end, Load load) {
#pragma unroll
  for (int half = 0; half < kHalves; ++half)
    if (at + half * kStep < end) load(half, at + half * kStep);
}
template <int kStep, typename Load, typename Add>
__device__ __forceinline__ int add_halves(int at, int end, Load load, Add add) {
  while (at < end) {
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
      if (at >= end) break;
      keep_loads_together();
      add(half, at);
      if (at + kHalves * kStep < end) load(half, at + kHalves * kStep);
      at += kStep;
    }
  }
  return at;
}

// The one output that a lane writes, of kOutputs times kRows or of kRows gated ones, and what is added to it: asked for
// early.
template <int kRows, bool kGated = false>
struct Target {
  static_assert(kOutputs * kRows <= kWarp);
  float* y = nullptr;  // null: none
  float before = 0.0f;
  float bias = 0.0f;

  __device__ Target(const Work& work, const Selected& at, int n_rows) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int output = at.first_output + lane / kRows;
    const int row = lane % kRows;
    if (lane >= (kGated ? 1 : kOutputs) * kRows || row >= n_rows || output >= at.w.n_out) return;
    y = at.y + row * work.stride + output;
    if (work.end.adds) before = *y;
    const float* biases = biases_of(work);
    if (biases != nullptr) bias = biases[output];
  }
  __device__ void write(float (&sums)[kOutputs][kRows]) const {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    float own = 0.0f;
#pragma unroll
    for (int o = 0; o < kOutputs; ++o)
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float sum = warp_sum(sums[o][r]);
        if (lane == o * kRows + r) own = sum;
      }
    if (y != nullptr) *y = before + (own + bias);
  }
  __device__ void write_gated(Activation activation, float (&sums)[kOutputs][kRows]) const {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    float gate = 0.0f;
    float up = 0.0f;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float of_gate = warp_sum(sums[0][r]);
      const float of_up = warp_sum(sums[1][r]);
      if (lane != r) continue;
      gate = of_gate;
      up = of_up;
    }
    if (y != nullptr) *y = gated_activation(activation, gate, up + bias);
  }
};

// One unit of kOutputs rows of weights with the same unit of every row of x; rows beyond the last repeat the last.
template <typename Reader, int kRows>
__device__ __forceinline__ void add_unit(const Unit (&weights)[kOutputs], int unit, const Selected& at,
                                         const RoundedRows& x, int n_rows, float (&sums)[kOutputs][kRows]) {
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int64_t first = int64_t{at.x_row + min(r, n_rows - 1)} * at.w.n_in + int64_t{unit} * kUnit;
    const int4 codes = *reinterpret_cast<const int4*>(x.codes + first);
    const float scale = x.scales[first / kRoundBlock];
    const float sum = Reader::kHasMinimum ? x.sums[first / kSumBlock] : 0.0f;
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) sums[o][r] = plus_unit<Reader>(sums[o][r], weights[o], codes, scale, sum);
  }
}

// A piece of kOutputs rows of weights, read before.
template <typename Reader, int kRows>
__device__ __forceinline__ void add_piece(const typename Reader::Raw (&raw)[kOutputs], int piece, const Selected& at,
                                          const RoundedRows& x, int n_rows, float (&sums)[kOutputs][kRows]) {
  Unit units[kOutputs][Reader::kUnits];
#pragma unroll
  for (int o = 0; o < kOutputs; ++o) Reader::unpack(raw[o], piece, units[o]);
#pragma unroll
  for (int j = 0; j < Reader::kUnits; ++j) {
    Unit weights[kOutputs];
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) weights[o] = units[o][j];
    add_unit<Reader, kRows>(weights, Reader::unit_of(piece, j), at, x, n_rows, sums);
  }
}

// What a warp multiplies, and its first weights: no kernel writes them, so they are on their way before the kernels
// ahead have ended. Experts' are known only then.
template <bool kGated = false, typename LoadFirst>
__device__ __forceinline__ Selected select_and_wait(const Work& work, LoadFirst load_first) {
  if (work.pairs.experts.matrices != nullptr) after_earlier_kernels();
  const Selected at = kGated ? select_gated(work) : select(work);
  load_first(at);
  if (work.pairs.experts.matrices == nullptr) after_earlier_kernels();
  return at;
}

// One row: registers for four blocks a multiprocessor, with their loads 64 KB under way; else the compiler decides (0).
template <typename Reader, int kRows>
__global__ void __launch_bounds__(kWarps* kWarp, kRows == 1 ? 4 : 0)
    multiply_int8(Work work, RoundedRows x, int n_rows) {
  constexpr int kAtOnce = unrolled<kRows>(Reader::kAtOnce);
  constexpr int kStep = kAtOnce * kWarp;
  using Raw = typename Reader::Raw;
  const uint8_t* rows[kOutputs];
  Raw read[kAtOnce][kOutputs];
  int piece = static_cast<int>(threadIdx.x) % kWarp;
  const auto load_steps = [&] {
#pragma unroll
    for (int step = 0; step < kAtOnce; ++step)
#pragma unroll
      for (int o = 0; o < kOutputs; ++o) Reader::load(rows[o], piece + step * kWarp, read[step][o]);
  };
  int n_whole = 0;  // pieces that are read in whole steps
  const Selected at = select_and_wait(work, [&](const Selected& selected) {
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) rows[o] = weight_row(selected.w, selected.first_output + o);
    n_whole = kAtOnce > 1 ? selected.w.n_in / (Reader::kUnits * kUnit) / kStep * kStep : 0;
    if (n_whole > 0) load_steps();
  });
  if (at.first_output >= at.w.n_out) return;
  const Target<kRows> target(work, at, n_rows);
  float sums[kOutputs][kRows] = {};
  if constexpr (kAtOnce > 1) {
    while (piece < n_whole) {
      keep_loads_together();
#pragma unroll
      for (int step = 0; step < kAtOnce; ++step)
        add_piece<Reader, kRows>(read[step], piece + step * kWarp, at, x, n_rows, sums);
      piece += kStep;
      if (piece < n_whole) load_steps();
    }
  }
  const int n_pieces = at.w.n_in / (Reader::kUnits * kUnit);
  constexpr int kRest = kAtOnce > 1 ? 2 : 1;  // the rest of a row of 14,336 elements is two pieces a lane
#pragma unroll 1
  for (; piece < n_pieces; piece += kRest * kWarp) {
    Raw raw[kRest][kOutputs];
#pragma unroll
    for (int step = 0; step < kRest; ++step)
#pragma unroll
      for (int o = 0; o < kOutputs; ++o)
        if (step == 0 || piece + step * kWarp < n_pieces) Reader::load(rows[o], piece + step * kWarp, raw[step][o]);
#pragma unroll
    for (int step = 0; step < kRest; ++step)
      if (step == 0 || piece + step * kWarp < n_pieces)
        add_piece<Reader, kRows>(raw[step], piece + step * kWarp, at, x, n_rows, sums);
  }
  target.write(sums);
}

// A lane's piece of a row as it lies in memory.
template <TensorType kType>
struct RawVector {
  uint4 words[kType == TensorType::kF32 ? 2 : 1];
};

template <TensorType kType>
__device__ __forceinline__ void load_raw(const uint8_t* row, int i, RawVector<kType>& out) {
  constexpr int kWords = sizeof(RawVector<kType>) / sizeof(uint4);
  const auto* vectors = reinterpret_cast<const uint4*>(row) + i / kVector * kWords;
#pragma unroll
  for (int j = 0; j < kWords; ++j) out.words[j] = vectors[j];
}

template <TensorType kType>
__device__ __forceinline__ void unpack(const RawVector<kType>& raw, float (&w)[kVector]) {
#pragma unroll
  for (int j = 0; j < kVector; ++j) {
    if constexpr (kType == TensorType::kF32) {
      const uint4& four = raw.words[j / 4];
      const uint32_t words[4] = {four.x, four.y, four.z, four.w};
      w[j] = __uint_as_float(words[j % 4]);
    } else {
      const uint4& eight = raw.words[0];
      const uint32_t words[4] = {eight.x, eight.y, eight.z, eight.w};
      const auto half = static_cast<uint16_t>(words[j / 2] >> (16 * (j % 2)));
      w[j] = kType == TensorType::kF16 ? half_to_float({half}) : bf16_to_float(half);
    }
  }
}

// Rows of x start at any multiple of 4 bytes; those of a multiple of 4 elements are read in vectors. kWhole: n is a
// multiple of kVector, so nothing is asked on the way.
template <bool kWhole>
__device__ __forceinline__ void load_row(const float* x, int i, int n, float (&out)[kVector]) {
  if (kWhole || (n % 4 == 0 && i + kVector <= n)) {
    const auto* vectors = reinterpret_cast<const float4*>(x + i);
    const float4 a = vectors[0];
    const float4 b = vectors[1];
    out[0] = a.x, out[1] = a.y, out[2] = a.z, out[3] = a.w;
    out[4] = b.x, out[5] = b.y, out[6] = b.z, out[7] = b.w;
  } else {
#pragma unroll
    for (int j = 0; j < kVector; ++j) out[j] = i + j < n ? x[i + j] : 0.0f;
  }
}

// A row's norm, done by the warp that multiplies it: elements are weighted as they come and their squares summed up,
// the products divided at the end.
template <bool kNormed>
struct Norming {
  const RowNorm& norm;
  float squares = 0.0f;

  // Elements i .. i + 7 of the row.
  template <bool kWhole>
  __device__ __forceinline__ void weigh(int i, int n, float (&values)[kVector]) {
    if constexpr (kNormed) {
      float weights[kVector];
      load_row<kWhole>(norm.weight, i, n, weights);
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        squares = fmaf(values[j], values[j], squares);
        values[j] *= weights[j];
      }
    }
  }
  template <int kRows>
  __device__ __forceinline__ void finish(int n, float (&sums)[kOutputs][kRows]) const {
    if constexpr (kNormed) {
      const float inverse = 1.0f / sqrtf(warp_sum(squares) / static_cast<float>(n) + norm.epsilon);
#pragma unroll
      for (int o = 0; o < kOutputs; ++o) sums[o][0] *= inverse;
    }
  }
};

// Elements i .. i + 7 of kOutputs rows of weights, read before, with those of every row of x.
template <TensorType kType, bool kWhole, int kRows, bool kNormed>
__device__ __forceinline__ void add_vector(const RawVector<kType> (&raw)[kOutputs], int i, const Selected& at,
                                           const float* x, int n_rows, Norming<kNormed>& norming,
                                           float (&sums)[kOutputs][kRows]) {
  float weights[kOutputs][kVector];
#pragma unroll
  for (int o = 0; o < kOutputs; ++o) unpack<kType>(raw[o], weights[o]);
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    float values[kVector];
    load_row<kWhole>(x + int64_t{at.x_row + min(r, n_rows - 1)} * at.w.n_in, i, at.w.n_in, values);
    norming.template weigh<kWhole>(i, at.w.n_in, values);
#pragma unroll
    for (int o = 0; o < kOutputs; ++o)
#pragma unroll
      for (int j = 0; j < kVector; ++j) sums[o][r] += weights[o][j] * values[j];
  }
}

template <TensorType kType, int kRows, bool kGated, bool kNormed>
__global__ void __launch_bounds__(kWarps* kWarp) multiply_float(Work work, const float* x, int n_rows) {
  static_assert(kRows == 1 || !kNormed);
  constexpr int kLanes = kWarp * kVector;
  constexpr int kHalf = unrolled<kRows>(kType == TensorType::kF32 ? 2 : 4) / kHalves;  // 0 of several rows
  constexpr int kStep = kHalf * kLanes;
  const uint8_t* rows[kOutputs];
  RawVector<kType> raw[kHalves][kHalf > 0 ? kHalf : 1][kOutputs];
  const auto load = [&](int half, int first) {
#pragma unroll
    for (int step = 0; step < kHalf; ++step)
#pragma unroll
      for (int o = 0; o < kOutputs; ++o) load_raw<kType>(rows[o], first + step * kLanes, raw[half][step][o]);
  };
  int i = static_cast<int>(threadIdx.x) % kWarp * kVector;
  int n_whole = 0;  // elements that are read in whole steps: none of rows whose last vector ends within it
  const Selected at = select_and_wait<kGated>(work, [&](const Selected& selected) {
#pragma unroll
    for (int o = 0; o < kOutputs; ++o)
      rows[o] = kGated ? weight_row(work.parts[o].w, selected.first_output)
                       : weight_row(selected.w, selected.first_output + o);
    if constexpr (kHalf > 0) {
      n_whole = selected.w.n_in % kVector == 0 ? selected.w.n_in / kStep * kStep : 0;
      load_halves<kStep>(i, n_whole, load);
    }
  });
  if (at.first_output >= at.w.n_out) return;
  const Target<kRows, kGated> target(work, at, n_rows);
  float sums[kOutputs][kRows] = {};
  Norming<kNormed> norming{work.norm};
  if constexpr (kHalf > 0) {
    i = add_halves<kStep>(i, n_whole, load, [&](int half, int first) {
#pragma unroll
      for (int step = 0; step < kHalf; ++step)
        add_vector<kType, true>(raw[half][step], first + step * kLanes, at, x, n_rows, norming, sums);
    });
  }
#pragma unroll 1
  for (; i < at.w.n_in; i += kLanes) {
    RawVector<kType> vector[kOutputs];
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) load_raw<kType>(rows[o], i, vector[o]);
    add_vector<kType, false>(vector, i, at, x, n_rows, norming, sums);
  }
  norming.finish(at.w.n_in, sums);
  kGated ? target.write_gated(work.activation, sums) : target.write(sums);
}

int blocks_of(const MatrixRef& w) {
  constexpr int kPerBlock = kWarps * kOutputs;
  return (w.n_out + kPerBlock - 1) / kPerBlock;
}

struct Launch {
  Work work;
  dim3 grid;
};
Launch work_of(std::span<const ProductPart> parts, int64_t stride) {
  Launch out{};
  int n_blocks = 0;
  for (int part = 0; part < kMostParts; ++part) {
    const bool is_there = static_cast<size_t>(part) < parts.size();
    out.work.first_block[part] = is_there ? n_blocks : INT_MAX;
    if (!is_there) continue;
    out.work.parts[part] = parts[static_cast<size_t>(part)];
    n_blocks += blocks_of(parts[static_cast<size_t>(part)].w);
  }
  out.work.stride = stride;
  out.grid = dim3(static_cast<unsigned>(n_blocks));
  return out;
}

template <typename Reader>
cudaError_t launch_int8(cudaStream_t stream, const Launch& what, const RoundedRows& x, int n_rows) {
  const auto kernel = n_rows == 1   ? multiply_int8<Reader, 1>
                      : n_rows <= 4 ? multiply_int8<Reader, 4>
                                    : multiply_int8<Reader, kFewRows>;
  return launch(stream, what.grid, kWarps * kWarp, 0, kernel, what.work, x, n_rows);
}

template <TensorType kType, bool kGated>
cudaError_t launch_float(cudaStream_t stream, const Launch& what, const float* x, int n_rows) {
  const bool normed = what.work.norm.weight != nullptr;
  if (normed && n_rows != 1) return cudaErrorInvalidValue;
  const auto kernel = normed        ? multiply_float<kType, 1, kGated, true>
                      : n_rows == 1 ? multiply_float<kType, 1, kGated, false>
                      : n_rows <= 4 ? multiply_float<kType, 4, kGated, false>
                                    : multiply_float<kType, kFewRows, kGated, false>;
  return launch(stream, what.grid, kWarps * kWarp, 0, kernel, what.work, x, n_rows);
}

cudaError_t any_int8(cudaStream_t stream, const Launch& what, const RoundedRows& x, int n_rows) {
  cudaError_t error = cudaErrorInvalidValue;
  with_unit_reader(what.work.parts[0].w.type,
                   [&](auto reader) { error = launch_int8<PieceReader<decltype(reader)>>(stream, what, x, n_rows); });
  return error;
}

template <bool kGated = false>
cudaError_t any_float(cudaStream_t stream, const Launch& what, const float* x, int n_rows) {
  const TensorType type = what.work.parts[0].w.type;
  if (type == TensorType::kF32) return launch_float<TensorType::kF32, kGated>(stream, what, x, n_rows);
  if (type == TensorType::kF16) return launch_float<TensorType::kF16, kGated>(stream, what, x, n_rows);
  return launch_float<TensorType::kBF16, kGated>(stream, what, x, n_rows);
}

}  // namespace

cudaError_t multiply_few(cudaStream_t stream, std::span<const ProductPart> parts, const RoundedRows& x, int n_rows,
                         int64_t stride, const ProductEnd& end) {
  Launch what = work_of(parts, stride);
  what.work.end = end;
  return any_int8(stream, what, x, n_rows);
}

cudaError_t multiply_few_f32(cudaStream_t stream, std::span<const ProductPart> parts, const float* x, int n_rows,
                             int64_t stride, const ProductEnd& end, const RowNorm& norm) {
  Launch what = work_of(parts, stride);
  what.work.end = end;
  what.work.norm = norm;
  return any_float(stream, what, x, n_rows);
}

cudaError_t multiply_few_gated_f32(cudaStream_t stream, const GatedParts& parts, const float* x, int n_rows, float* y) {
  Launch what{};
  what.work.parts[0] = {parts.gate, y};
  what.work.parts[1] = {parts.up, nullptr};
  what.work.stride = parts.gate.n_out;
  what.work.end.bias = parts.up_bias;
  what.work.activation = parts.activation;
  what.work.norm = parts.norm;
  what.grid = dim3(static_cast<unsigned>((parts.gate.n_out + kWarps - 1) / kWarps));
  return any_float<true>(stream, what, x, n_rows);
}

cudaError_t multiply_pairs(cudaStream_t stream, const MatrixRef& shape, const ExpertPairs& pairs, const RoundedRows& x,
                           ProductOut out) {
  const ProductPart part{shape, out.y};
  Launch what = work_of({&part, 1}, out.stride);
  what.work.pairs = pairs;
  what.grid.y = static_cast<unsigned>(pairs.n_pairs);
  return is_quantised(shape.type) ? any_int8(stream, what, x, 1) : any_float(stream, what, x.values, 1);
}

}  // namespace mneme::engine::cuda
