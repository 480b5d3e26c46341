// Codebooks, codes and sums of values on the device: k-means by Lloyd's iterations over all KV heads of a layer at
// once, as engine/pq/kmeans.h and codebook.h have it for one. Distances add their products in the same order as there,
// so that equal centroids give equal codes, bit for bit; sums of points are added in slices, always in the same order.
// Each function enqueues on the stream and returns what the launches said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "base/f16.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/pq_layer_view.h"

namespace mneme::engine::cuda {

inline constexpr int kSlicePoints = 512;  // whose sums one block adds

// Tokens first, first + step, ... (n of them) of a layer.
struct TokenRun {
  int layer = 0;
  int first = 0;
  int n = 0;
  int step = 1;
};
// Keys or values of them as f32 to out (n_kv_heads, n, head_dim), dimensions in the given order (null: as they are);
// what is no number, or beyond 1e30, as 0.
cudaError_t gather_tokens(cudaStream_t stream, const KvView& kv, const TokenRun& run, bool values, const int* order,
                          float* out);

// Points of all heads and their codes.
struct PqPoints {
  int n_kv_heads = 0;
  int head_dim = 0;
  int n = 0;
  const float* data = nullptr;  // (n_kv_heads, n, head_dim)
  uint8_t* codes = nullptr;     // (n_kv_heads, kKeyParts, code_stride): point i at first + i
  int64_t code_stride = 0;
  int64_t first = 0;
};

// Centroids (n_kv_heads, head_dim places, kKeyCodes): floats, or bytes times scales (n_kv_heads, head_dim).
struct Centroids {
  const float* floats = nullptr;
  const int8_t* bytes = nullptr;
  const float* scales = nullptr;
  int n_clusters = 0;
};
// The nearest centroid's number for every point, the lowest of equals.
cudaError_t find_nearest(cudaStream_t stream, const PqPoints& points, const Centroids& centroids);

// Sums by code, in slices of kSlicePoints points.
struct CodeSums {
  // Each part's own places (width head_dim / 2) or all dimensions for both parts (width head_dim).
  bool own_places = true;
  Centroids around = {};  // with bytes: sums of squared distances from them instead
  float* sums = nullptr;  // (n_slices, n_kv_heads, kKeyParts, kKeyCodes, width)
  int* counts = nullptr;  // (n_slices, n_kv_heads, kKeyParts, kKeyCodes)
};
int n_slices(int n_points);
cudaError_t sum_by_code(cudaStream_t stream, const PqPoints& points, const CodeSums& sums);

// Centroids at the given points: (kKeyParts, n_clusters) numbers of points.
cudaError_t start_centroids(cudaStream_t stream, const PqPoints& points, const int* chosen, int n_clusters,
                            float* centroids);
// Centroids to the means of their points; an empty one takes the farthest point of the largest.
cudaError_t move_centroids(cudaStream_t stream, const PqPoints& points, const CodeSums& sums, int n_clusters,
                           float* centroids);
// To 8 bits, a scale for every place, into the layer's index.
cudaError_t round_centroids(cudaStream_t stream, const float* centroids, const PqLayerView& index);
// sums: of squared distances of n_points points.
cudaError_t measure_spread(cudaStream_t stream, const CodeSums& sums, int n_points, const PqLayerView& index);
// Adds sums over all dimensions to the index's sums of values; anew: instead of them.
cudaError_t add_value_sums(cudaStream_t stream, const CodeSums& sums, int n_points, bool anew,
                           const PqLayerView& index);

}  // namespace mneme::engine::cuda
