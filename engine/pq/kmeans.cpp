#include "engine/pq/kmeans.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/random.h"

namespace mneme::engine {
namespace {

std::vector<float> sampled_start(const KMeansPoints& points, int n, uint64_t seed) {
  std::vector<float> centroids;
  centroids.reserve(static_cast<size_t>(n) * static_cast<size_t>(points.dim));
  for (const int i : sampled_points(points.n, n, seed))
    centroids.insert(centroids.end(), points.row(i), points.row(i) + points.dim);
  return centroids;
}

float squared_distance(const float* a, const float* b, int dim) {
  float sum = 0;
  for (int d = 0; d < dim; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

class Lloyd {
 public:
  Lloyd(const KMeansPoints& points, int n_clusters, const PqKernels& kernels)
      : points_(points),
        n_clusters_(n_clusters),
        kernels_(kernels),
        codes_(static_cast<size_t>(points.n)),
        sums_(static_cast<size_t>(n_clusters) * static_cast<size_t>(points.dim)),
        counts_(static_cast<size_t>(n_clusters)) {}

  // Whether any centroid moved.
  bool iterate(std::vector<float>& centroids) {
    assign(centroids);
    accumulate();
    bool moved = false;
    for (int c = 0; c < n_clusters_; ++c) {
      if (counts_[static_cast<size_t>(c)] == 0) continue;
      const auto count = static_cast<float>(counts_[static_cast<size_t>(c)]);
      for (int d = 0; d < points_.dim; ++d) {
        float& value = centroids[at(c) + static_cast<size_t>(d)];
        const float mean = sums_[at(c) + static_cast<size_t>(d)] / count;
        moved |= mean != value;
        value = mean;
      }
    }
    for (int c = 0; c < n_clusters_; ++c)
      if (counts_[static_cast<size_t>(c)] == 0) moved |= refill(c, centroids);
    return moved;
  }

 private:
  size_t at(int cluster) const { return static_cast<size_t>(cluster) * static_cast<size_t>(points_.dim); }

  void assign(const std::vector<float>& centroids) {
    const int width = (n_clusters_ + 15) / 16 * 16;
    const TransposedCentroids t = transpose_centroids(centroids.data(), n_clusters_, points_.dim, width);
    kernels_.nearest({.n_points = points_.n,
                      .dim = points_.dim,
                      .points = points_.data,
                      .point_stride = points_.stride,
                      .n_centroids = width,
                      .centroids = t.columns.data(),
                      .half_norms = t.half_norms.data(),
                      .codes = codes_.data()});
  }

  void accumulate() {
    std::fill(sums_.begin(), sums_.end(), 0.0f);
    std::fill(counts_.begin(), counts_.end(), 0);
    for (int i = 0; i < points_.n; ++i) {
      const int code = codes_[static_cast<size_t>(i)];
      ++counts_[static_cast<size_t>(code)];
      const float* row = points_.row(i);
      float* sum = sums_.data() + at(code);
      for (int d = 0; d < points_.dim; ++d) sum[d] += row[d];
    }
  }

  // An empty cluster takes the farthest point of the largest one. False when that has no spread: then there are fewer
  // different points than clusters.
  bool refill(int empty, std::vector<float>& centroids) {
    const auto largest = static_cast<int>(std::max_element(counts_.begin(), counts_.end()) - counts_.begin());
    int farthest = -1;
    float distance = 0;
    for (int i = 0; i < points_.n; ++i) {
      if (codes_[static_cast<size_t>(i)] != largest) continue;
      const float d = squared_distance(points_.row(i), centroids.data() + at(largest), points_.dim);
      if (d > distance) {
        distance = d;
        farthest = i;
      }
    }
    if (farthest < 0) return false;
    std::copy(points_.row(farthest), points_.row(farthest) + points_.dim,
              centroids.begin() + static_cast<std::ptrdiff_t>(at(empty)));
    codes_[static_cast<size_t>(farthest)] = static_cast<uint8_t>(empty);
    --counts_[static_cast<size_t>(largest)];
    counts_[static_cast<size_t>(empty)] = 1;
    return true;
  }

  const KMeansPoints points_;
  const int n_clusters_;
  const PqKernels& kernels_;
  std::vector<uint8_t> codes_;
  std::vector<float> sums_;  // (n_clusters, dim)
  std::vector<int> counts_;
};

}  // namespace

// The first n of a partial shuffle.
std::vector<int> sampled_points(int n_points, int n, uint64_t seed) {
  Random random(seed);
  std::vector<int> order(static_cast<size_t>(n_points));
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i < n; ++i) {
    const auto other = static_cast<size_t>(i) + random.below(static_cast<uint64_t>(n_points - i));
    std::swap(order[static_cast<size_t>(i)], order[other]);
  }
  order.resize(static_cast<size_t>(n));
  return order;
}

TransposedCentroids transpose_centroids(const float* centroids, int n_clusters, int dim, int width) {
  TransposedCentroids t{.dim = dim, .width = width, .columns = {}, .half_norms = {}};
  t.columns.assign(static_cast<size_t>(dim) * static_cast<size_t>(width), 0.0f);
  t.half_norms.assign(static_cast<size_t>(width), std::numeric_limits<float>::infinity());
  for (int c = 0; c < n_clusters; ++c) {
    float norm = 0;
    for (int d = 0; d < dim; ++d) {
      const float value = centroids[static_cast<size_t>(c) * static_cast<size_t>(dim) + static_cast<size_t>(d)];
      t.columns[static_cast<size_t>(d) * static_cast<size_t>(width) + static_cast<size_t>(c)] = value;
      norm += value * value;
    }
    t.half_norms[static_cast<size_t>(c)] = 0.5f * norm;
  }
  return t;
}

Result<Clusters> k_means(const KMeansPoints& points, const KMeansOptions& options, const PqKernels& kernels,
                         const CancelToken& cancel) {
  Clusters result;
  result.n_clusters = std::min(options.n_clusters, points.n);
  result.centroids = sampled_start(points, result.n_clusters, options.seed);
  Lloyd lloyd(points, result.n_clusters, kernels);
  for (bool moved = true; moved && result.iterations < options.max_iterations; ++result.iterations) {
    if (cancel.cancelled()) return cancelled();
    moved = lloyd.iterate(result.centroids);
  }
  return result;
}

}  // namespace mneme::engine
