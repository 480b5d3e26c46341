// k-means by Lloyd's iterations over f32 points: sampled start, deterministic by seed, empty clusters refilled, ended
// by a limit or when nothing changes. Threads: pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

// Rows of f32; must be finite.
struct KMeansPoints {
  const float* data = nullptr;  // (n, stride), of which the first `dim` elements count
  int64_t stride = 0;
  int n = 0;  // at least 1
  int dim = 0;
  const float* row(int i) const { return data + i * stride; }
};

struct KMeansOptions {
  int n_clusters = 64;
  int max_iterations = 8;
  uint64_t seed = 1;
};

struct Clusters {
  int n_clusters = 0;            // min(asked for, n)
  std::vector<float> centroids;  // (n_clusters, dim)
  int iterations = 0;            // run
};

// n different ones of n_points points, at random: where the centroids start.
std::vector<int> sampled_points(int n_points, int n, uint64_t seed);

// kCancelled between iterations.
Result<Clusters> k_means(const KMeansPoints& points, const KMeansOptions& options, const PqKernels& kernels,
                         const CancelToken& cancel = never_cancelled());

// Centroids as PqKernels::nearest takes them: transposed, padded to `width` columns that are never chosen.
struct TransposedCentroids {
  int dim = 0;
  int width = 0;                  // a multiple of 16
  std::vector<float> columns;     // (dim, width)
  std::vector<float> half_norms;  // (width)
};
TransposedCentroids transpose_centroids(const float* centroids, int n_clusters, int dim, int width);

}  // namespace mneme::engine
