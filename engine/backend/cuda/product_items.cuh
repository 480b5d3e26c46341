// What the products of a single row share out among the warps of a block (product_row.cu, product_ring.cu): pairs of
// outputs, or neurons, whose gate and up belong together.
#pragma once

#include <algorithm>
#include <climits>
#include <span>

#include "engine/backend/cuda/activation.cuh"
#include "engine/backend/cuda/product_kernels.h"
#include "engine/backend/cuda/row_in_shared.cuh"

namespace mneme::engine::cuda {

// What a warp multiplies at a time: kOutputs rows of weights.
struct WeightRows {
  const uint8_t* rows[kOutputs];
};

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
__device__ __forceinline__ WeightRows weights_of(const PlacedPair& at) {
  return {{weight_row(at.w, at.first_output), weight_row(at.w, at.first_output + 1)}};
}
inline Pairs pairs_of(std::span<const ProductPart> parts) {
  Pairs pairs{};
  for (size_t part = 0; part < kMostParts; ++part) {
    const bool is_there = part < parts.size();
    pairs.first[part] = is_there ? pairs.n : INT_MAX;
    if (!is_there) continue;
    pairs.parts[part] = parts[part];
    pairs.n += (parts[part].w.n_out + kOutputs - 1) / kOutputs;
  }
  return pairs;
}

// Neighbours that share a scale, of which a block has every gridDim.x-th; an item is a neuron of them.
struct Neurons {
  int n_groups;  // of this block
  int n_blocks;
  int block;
  __device__ __forceinline__ explicit Neurons(int width)
      : n_blocks(static_cast<int>(gridDim.x)), block(static_cast<int>(blockIdx.x)) {
    n_groups = (width / kRoundBlock - block + n_blocks - 1) / n_blocks;
  }
  __device__ __forceinline__ int n() const { return n_groups * kRoundBlock; }
  __device__ __forceinline__ int output_of(int item) const {
    return (block + item / kRoundBlock * n_blocks) * kRoundBlock + item % kRoundBlock;
  }
  __device__ __forceinline__ WeightRows weights_of(const GatedParts& parts, int item) const {
    const int output = output_of(item);
    return {{weight_row(parts.gate, output), weight_row(parts.up, output)}};
  }
};

// gated[item]: products with gate and up. They are activated 32 at a time, when all of them are there.
__device__ __forceinline__ void activate_neurons(const Neurons& neurons, const GatedParts& parts, const float2* gated,
                                                 const RoundedRows& out) {
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int group = static_cast<int>(threadIdx.x) / kWarp; group < neurons.n_groups; group += kRowWarps) {
    const int item = group * kRoundBlock + lane;
    const int output = neurons.output_of(item);
    const float bias = parts.up_bias != nullptr ? parts.up_bias[output] : 0.0f;
    store_rounded(out, 0, output, gated_activation(parts.activation, gated[item].x, gated[item].y + bias));
  }
}

// As few blocks as have no more groups each than with one a multiprocessor: all end at about the same time.
struct GatedGrid {
  int n_blocks;
  size_t shared_bytes;
};
inline GatedGrid gated_grid(int width, int n_out, int n_processors) {
  const int n_groups = n_out / kRoundBlock;
  const int each = (n_groups + n_processors - 1) / n_processors;
  return {(n_groups + each - 1) / each,
          row_shared_bytes(width) + static_cast<size_t>(each) * kRoundBlock * sizeof(float2)};
}

inline bool is_aligned(const void* address) {
  return reinterpret_cast<uintptr_t>(address) % sizeof(float4) == 0;
}

}  // namespace mneme::engine::cuda
