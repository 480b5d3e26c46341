#include "engine/backend/cuda/product_row.h"

#include "engine/backend/cuda/next_weights.cuh"
#include "engine/backend/cuda/product_items.cuh"

namespace mneme::engine::cuda {
namespace {

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
      if (kWhole || own(first, step) < n_pieces) add_piece<Reader>(raw[step], own(first, step), x, sums);
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
  const RowInShared x = row_in_shared(dynamic_shared<unsigned char>(), row.width);
  norm_and_round<kMostStretches>(row, x);
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

// Pairs go to the blocks in turn, so that few of them keep all multiprocessors at work. All registers of a
// multiprocessor are one block's.
template <typename Reader>
__global__ void __launch_bounds__(kRowThreads, 1) multiply_row_kernel(RowToNorm row, Pairs pairs) {
  const auto n_blocks = static_cast<int>(gridDim.x);
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  multiply_items<Reader>(
      row, warp * n_blocks + static_cast<int>(blockIdx.x), pairs.n, n_blocks * kRowWarps,
      [&](int pair) { return weights_of(pair_at(pairs, pair)); },
      [&](int pair, const float(&sums)[kOutputs]) {
        const PlacedPair at = pair_at(pairs, pair);
        const int lane = static_cast<int>(threadIdx.x) % kWarp;
        if (lane < kOutputs && at.first_output + lane < at.w.n_out)
          at.y[at.first_output + lane] = lane == 0 ? sums[0] : sums[1];
      });
}

template <typename Reader>
__global__ void __launch_bounds__(kRowThreads, 1)
    multiply_row_gated_kernel(RowToNorm row, GatedParts parts, RoundedRows out) {
  const Neurons neurons(out.width);
  const auto warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  float2* const gated = gated_in_shared(row_in_shared(dynamic_shared<unsigned char>(), row.width), row.width);
  multiply_items<Reader>(
      row, warp, neurons.n(), kRowWarps, [&](int item) { return neurons.weights_of(parts, item); },
      [&](int item, const float(&sums)[kOutputs]) {
        if (lane == 0) gated[item] = {sums[0], sums[1]};
      });
  activate_neurons(neurons, parts, gated, out);
}

}  // namespace

bool norms_within(const RowToNorm& row) {
  return row.norm.weight != nullptr && row.width % kStretch == 0 && row.width <= width_of(kMostStretches) &&
         is_aligned(row.x) && is_aligned(row.norm.weight);
}

cudaError_t multiply_row(cudaStream_t stream, std::span<const ProductPart> parts, const RowToNorm& row,
                         int n_processors) {
  const Pairs pairs = pairs_of(parts);
  const dim3 grid(static_cast<unsigned>(std::min(pairs.n, n_processors)));
  cudaError_t error = cudaErrorInvalidValue;
  with_unit_reader(parts[0].w.type, [&](auto reader) {
    error = launch(stream, grid, kRowThreads, row_shared_bytes(row.width),
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
    error = launch(stream, dim3(static_cast<unsigned>(grid.n_blocks)), kRowThreads, grid.shared_bytes,
                   multiply_row_gated_kernel<PieceReader<decltype(reader)>>, row, parts, out);
  });
  return error;
}

}  // namespace mneme::engine::cuda
