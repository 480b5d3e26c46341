#include "engine/backend/cuda/product_row.h"

#include <algorithm>
#include <climits>

#include "engine/backend/cuda/activation.cuh"
#include "engine/backend/cuda/next_weights.cuh"
#include "engine/backend/cuda/product_units.cuh"
#include "engine/backend/cuda/rounding.cuh"
#include "engine/backend/cuda/row_norm.cuh"

namespace mneme::engine::cuda {
namespace {

// The warps of four blocks of multiply_few(), so that as many loads are under way; all registers of a multiprocessor.
constexpr int kWarps = 16;
constexpr int kThreads = kWarps * kWarp;

// A row is normed by stretches of 128 elements, four neighbours a lane; a warp's are kWarps stretches apart.
constexpr int kStretch = 4 * kWarp;
constexpr int kMostStretches = 4;  // a warp's
constexpr int kMostWidth = kMostStretches * kWarps * kStretch;

// The row in shared memory, as int8. Units lie so that the eight lanes that read at a time meet no bank twice, whether
// their units follow each other, are every second one (MXFP4) or two of four (Q4_K).
struct RowInShared {
  uint32_t* codes;  // words of four
  float* scales;
  float* sums;
  static __device__ __forceinline__ int place_of(int unit) { return unit ^ (3 * ((unit >> 3) & 1)); }
};
size_t shared_bytes_of(int width) {
  const auto n = static_cast<size_t>(width);
  return n + (n / kRoundBlock + n / kSumBlock) * sizeof(float);
}
__device__ __forceinline__ RowInShared row_in_shared(int width) {
  auto* codes = dynamic_shared<uint32_t>();
  auto* scales = reinterpret_cast<float*>(codes + width / 4);
  return {codes, scales, scales + width / kRoundBlock};
}
// What lies behind it.
__device__ __forceinline__ float2* gated_in_shared(int width) {
  return reinterpret_cast<float2*>(row_in_shared(width).sums + width / kSumBlock);
}

// A lane's four neighbours of each stretch of its warp; zeros beyond the row.
struct RowStretches {
  float4 fours[kMostStretches];
  static __device__ __forceinline__ int index(int stretch) {
    return stretch * kWarps * kStretch + static_cast<int>(threadIdx.x) * 4;
  }
  __device__ __forceinline__ RowStretches(const float* from, int width) {
#pragma unroll
    for (int stretch = 0; stretch < kMostStretches; ++stretch) {
      const int i = index(stretch);
      fours[stretch] = i < width ? *reinterpret_cast<const float4*>(from + i) : float4{0.0f, 0.0f, 0.0f, 0.0f};
    }
  }
};

// The row's sum of squares, added up in the order of norm_rows(): its threads have four neighbours each, those beyond
// the 1,024th go round, and a warp here has the stretches of kTheirs warps there.
constexpr int kNormWarps = kMostNormThreads / kWarp;
__device__ __forceinline__ float sum_of_squares(const RowStretches& row) {
  constexpr int kTheirs = kNormWarps / kWarps;
  __shared__ float parts[kNormWarps];
  const auto warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
#pragma unroll
  for (int theirs = 0; theirs < kTheirs; ++theirs) {
    float squares = 0.0f;
#pragma unroll
    for (int stretch = theirs; stretch < kMostStretches; stretch += kTheirs) {
      const float4& four = row.fours[stretch];
      squares = plus_square(plus_square(plus_square(plus_square(squares, four.x), four.y), four.z), four.w);
    }
    squares = warp_sum(squares);
    if (lane == 0) parts[theirs * kWarps + warp] = squares;
  }
  __syncthreads();
  return warp_sum(parts[lane]);
}

// All threads of the block; whole warps are within the row or beyond it.
__device__ __forceinline__ RowInShared norm_and_round(const RowToNorm& of) {
  const RowInShared out = row_in_shared(of.width);
  const RowStretches row(of.x, of.width);
  const RowStretches weights(of.norm.weight, of.width);
  const float inverse = inverse_deviation(sum_of_squares(row), of.width, of.norm.epsilon);
#pragma unroll
  for (int stretch = 0; stretch < kMostStretches; ++stretch) {
    const int i = RowStretches::index(stretch);
    if (i >= of.width) break;
    const float4& x = row.fours[stretch];
    const float4& w = weights.fours[stretch];
    const RoundedFour rounded = round_four({normed(x.x, inverse, w.x, 0.0f), normed(x.y, inverse, w.y, 0.0f),
                                            normed(x.z, inverse, w.z, 0.0f), normed(x.w, inverse, w.w, 0.0f)});
    const int unit = i / kUnit;
    out.codes[(RowInShared::place_of(unit) * kUnit + i % kUnit) / 4] = rounded.codes;
    if (i % kSumBlock == 0) out.sums[unit] = rounded.sum;
    if (i % kRoundBlock == 0) out.scales[i / kRoundBlock] = rounded.scale;
  }
  __syncthreads();
  return out;
}

// What a warp multiplies at a time: kOutputs rows of weights.
struct WeightRows {
  const uint8_t* rows[kOutputs];
};

// Pieces of a warp's rows of weights that are read together. Types whose units are taken apart as they are read get
// two.
template <typename Reader>
struct Step {
  static constexpr int kAtOnce = Reader::kAtOnce > 1 ? Reader::kAtOnce : 2;
  static constexpr int kPieces = kAtOnce * kWarp;
  typename Reader::Raw raw[kAtOnce][kOutputs];

  // The pieces from `first` on; a row may end within them, which whole steps do not ask for.
  __device__ __forceinline__ void load(const WeightRows& weights, int first, int n_pieces) {
    first + kPieces <= n_pieces ? load_within<true>(weights, first, n_pieces)
                                : load_within<false>(weights, first, n_pieces);
    keep_loads_together();
  }
  __device__ __forceinline__ void add(int first, int n_pieces, const RowInShared& x, float (&sums)[kOutputs]) const {
    keep_loads_together();
    first + kPieces <= n_pieces ? add_within<true>(first, n_pieces, x, sums)
                                : add_within<false>(first, n_pieces, x, sums);
  }

 private:
  static __device__ __forceinline__ int own(int first, int step) {
    return first + step * kWarp + static_cast<int>(threadIdx.x) % kWarp;
  }
  template <bool kWhole>
  __device__ __forceinline__ void load_within(const WeightRows& weights, int first, int n_pieces) {
#pragma unroll
    for (int step = 0; step < kAtOnce; ++step) {
      const int piece = own(first, step);
#pragma unroll
      for (int o = 0; o < kOutputs; ++o)
        if (kWhole || piece < n_pieces) Reader::load(weights.rows[o], piece, raw[step][o]);
    }
  }
  template <bool kWhole>
  __device__ __forceinline__ void add_within(int first, int n_pieces, const RowInShared& x,
                                             float (&sums)[kOutputs]) const {
#pragma unroll
    for (int step = 0; step < kAtOnce; ++step)
      if (kWhole || own(first, step) < n_pieces) add_piece(raw[step], own(first, step), x, sums);
  }
  static __device__ __forceinline__ void add_piece(const typename Reader::Raw (&raw)[kOutputs], int piece,
                                                   const RowInShared& x, float (&sums)[kOutputs]) {
    Unit units[kOutputs][Reader::kUnits];
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) Reader::unpack(raw[o], piece, units[o]);
#pragma unroll
    for (int j = 0; j < Reader::kUnits; ++j) {
      const int unit = Reader::unit_of(piece, j);
      const int4 codes = reinterpret_cast<const int4*>(x.codes)[RowInShared::place_of(unit)];
      const float scale = x.scales[unit * kUnit / kRoundBlock];
      const float sum = Reader::kHasMinimum ? x.sums[unit] : 0.0f;
#pragma unroll
      for (int o = 0; o < kOutputs; ++o) sums[o] = plus_unit<Reader>(sums[o], units[o][j], codes, scale, sum);
    }
  }
};

// A warp's items, from `item` on and `stride` apart: weights_of(item) are its rows of weights, end(item, sums) takes
// their products, complete in every lane. The first weights, which no kernel writes, are on their way before the
// kernels ahead have ended, and those of the next item before the sums of one meet.
template <typename Reader, typename WeightsOf, typename End>
__device__ __forceinline__ void multiply_items(const RowToNorm& row, int item, int n_items, int stride,
                                               WeightsOf weights_of, End end) {
  const int n_pieces = row.width / (Reader::kUnits * kUnit);
  Step<Reader> step;
  WeightRows weights{};
  int first = 0;  // piece of the step
  const auto load = [&] {
    if (item >= n_items) return;
    if (first == 0) weights = weights_of(item);
    step.load(weights, first, n_pieces);
  };
  load();
  if (threadIdx.x == 0)
    fetch_to_cache(reinterpret_cast<const std::byte*>(row.norm.weight), row.width * static_cast<int>(sizeof(float)));
  after_earlier_kernels();
  const RowInShared x = norm_and_round(row);
  float sums[kOutputs] = {};
#pragma unroll 1
  while (item < n_items) {
    step.add(first, n_pieces, x, sums);
    const int done = item;
    first += Step<Reader>::kPieces;
    const bool is_complete = first >= n_pieces;
    if (is_complete) {
      first = 0;
      item += stride;
    }
    load();
    if (!is_complete) continue;
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) sums[o] = warp_sum(sums[o]);
    end(done, sums);
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) sums[o] = 0.0f;
  }
}

// Pairs of outputs of up to three matrices, counted through.
struct Pairs {
  ProductPart parts[kMostParts];
  int first[kMostParts];  // beyond n for parts that are not there
  int n;
  bool operator==(const Pairs&) const = default;
};
struct PlacedPair {
  MatrixRef w;
  float* y;
  int first_output;
};
__device__ __forceinline__ PlacedPair pair_at(const Pairs& pairs, int pair) {
  PlacedPair at{pairs.parts[0].w, pairs.parts[0].y, pair * kOutputs};
#pragma unroll
  for (int part = 1; part < kMostParts; ++part) {
    if (pair < pairs.first[part]) continue;
    at = {pairs.parts[part].w, pairs.parts[part].y, (pair - pairs.first[part]) * kOutputs};
  }
  return at;
}

// Pairs go to the blocks in turn, so that few of them keep all multiprocessors at work.
template <typename Reader>
__global__ void __launch_bounds__(kThreads, 1) multiply_row_kernel(RowToNorm row, Pairs pairs) {
  const auto n_blocks = static_cast<int>(gridDim.x);
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const auto weights_of = [&](int pair) {
    const PlacedPair at = pair_at(pairs, pair);
    return WeightRows{{weight_row(at.w, at.first_output), weight_row(at.w, at.first_output + 1)}};
  };
  multiply_items<Reader>(row, warp * n_blocks + static_cast<int>(blockIdx.x), pairs.n, n_blocks * kWarps, weights_of,
                         [&](int pair, const float(&sums)[kOutputs]) {
                           const PlacedPair at = pair_at(pairs, pair);
                           const int lane = static_cast<int>(threadIdx.x) % kWarp;
                           if (lane < kOutputs && at.first_output + lane < at.w.n_out)
                             at.y[at.first_output + lane] = lane == 0 ? sums[0] : sums[1];
                         });
}

// Neighbours that share a scale, of which a block has every gridDim.x-th; an item is a neuron, whose gate and up a warp
// multiplies. They are activated 32 at a time when all of them are there.
template <typename Reader>
__global__ void __launch_bounds__(kThreads, 1)
    multiply_row_gated_kernel(RowToNorm row, GatedParts parts, RoundedRows out) {
  const auto n_blocks = static_cast<int>(gridDim.x);
  const auto block = static_cast<int>(blockIdx.x);
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int n_groups = (out.width / kRoundBlock - block + n_blocks - 1) / n_blocks;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  float2* const gated = gated_in_shared(row.width);
  const auto output_of = [&](int item) {
    return (block + item / kRoundBlock * n_blocks) * kRoundBlock + item % kRoundBlock;
  };
  const auto weights_of = [&](int item) {
    const int output = output_of(item);
    return WeightRows{{weight_row(parts.gate, output), weight_row(parts.up, output)}};
  };
  multiply_items<Reader>(row, warp, n_groups * kRoundBlock, kWarps, weights_of,
                         [&](int item, const float(&sums)[kOutputs]) {
                           if (lane == 0) gated[item] = {sums[0], sums[1]};
                         });
  __syncthreads();
  for (int group = warp; group < n_groups; group += kWarps) {
    const int item = group * kRoundBlock + lane;
    const int output = output_of(item);
    const float bias = parts.up_bias != nullptr ? parts.up_bias[output] : 0.0f;
    store_rounded(out, 0, output, gated_activation(parts.activation, gated[item].x, gated[item].y + bias));
  }
}

bool is_aligned(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % sizeof(float4) == 0;
}

// As few blocks as have no more groups each than with one a multiprocessor: all end at about the same time.
struct GatedGrid {
  int n_blocks;
  size_t shared_bytes;
};
GatedGrid gated_grid(int width, int n_out, int n_processors) {
  const int n_groups = n_out / kRoundBlock;
  const int each = (n_groups + n_processors - 1) / n_processors;
  return {(n_groups + each - 1) / each,
          shared_bytes_of(width) + static_cast<size_t>(each) * kRoundBlock * sizeof(float2)};
}

}  // namespace

bool norms_within(const RowToNorm& row) {
  return row.norm.weight != nullptr && row.width % kStretch == 0 && row.width <= kMostWidth && is_aligned(row.x) &&
         is_aligned(row.norm.weight);
}

cudaError_t multiply_row(cudaStream_t stream, std::span<const ProductPart> parts, const RowToNorm& row,
                         int n_processors) {
  Pairs pairs{};
  for (size_t part = 0; part < kMostParts; ++part) {
    const bool is_there = part < parts.size();
    pairs.first[part] = is_there ? pairs.n : INT_MAX;
    if (!is_there) continue;
    pairs.parts[part] = parts[part];
    pairs.n += (parts[part].w.n_out + kOutputs - 1) / kOutputs;
  }
  const dim3 grid(static_cast<unsigned>(std::min(pairs.n, n_processors)));
  cudaError_t error = cudaErrorInvalidValue;
  with_unit_reader(parts[0].w.type, [&](auto reader) {
    error = launch(stream, grid, kThreads, shared_bytes_of(row.width),
                   multiply_row_kernel<PieceReader<decltype(reader)>>, row, pairs);
  });
  return error;
}

// With fewer groups than half the multiprocessors there are, the others would be missed more than the launch; half of
// them have more loads under way than the memory needs.
bool gates_within(int width, int n_out, int n_processors) {
  return n_out % kRoundBlock == 0 && 2 * (n_out / kRoundBlock) >= n_processors &&
         gated_grid(width, n_out, n_processors).shared_bytes + kNormWarps * sizeof(float) <= kSharedBytesOfAnyKernel;
}

cudaError_t multiply_row_gated(cudaStream_t stream, const GatedParts& parts, const RowToNorm& row, int n_processors,
                               const RoundedRows& out) {
  const GatedGrid grid = gated_grid(row.width, out.width, n_processors);
  cudaError_t error = cudaErrorInvalidValue;
  with_unit_reader(parts.gate.type, [&](auto reader) {
    error = launch(stream, dim3(static_cast<unsigned>(grid.n_blocks)), kThreads, grid.shared_bytes,
                   multiply_row_gated_kernel<PieceReader<decltype(reader)>>, row, parts, out);
  });
  return error;
}

}  // namespace mneme::engine::cuda
