// k-means by Lloyd's iterations over f32 points: sampled start, deterministic by seed, empty clusters refilled, ended
// by a limit or when nothing changes. Threads: pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

struct KMeansOptions {
  int n_clusters = 64;
  int max_iterations = 8;
  uint64_t seed = 1;
};

struct Clusters {
  int n_clusters = 0;            // min(asked for, n_points)
  std::vector<float> centroids;  // (n_clusters, dim)
  int iterations = 0;            // run
};

// points: (n_points, point_stride), of which the first `dim` elements count; n_points >= 1. Points must be finite.
// kCancelled between iterations.
Result<Clusters> k_means(const float* points, int64_t point_stride, int n_points, int dim, const KMeansOptions& options,
                         const PqKernels& kernels, const CancelToken& cancel = never_cancelled());

// Centroids as PqKernels::nearest takes them: transposed, padded to `width` columns that are never chosen.
struct TransposedCentroids {
  int dim = 0;
  int width = 0;                  // a multiple of 16
  std::vector<float> columns;     // (dim, width)
  std::vector<float> half_norms;  // (width)
};
TransposedCentroids transpose_centroids(const float* centroids, int n_clusters, int dim, int width);

}  // namespace mneme::engine
