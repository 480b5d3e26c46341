#include "engine/pq/kmeans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

constexpr int kDim = 8;

// n points around `n_centres` far apart centres.
std::vector<float> blobs(int n, int n_centres, uint64_t seed) {
  Random random(seed);
  std::vector<float> centres(static_cast<size_t>(n_centres * kDim));
  for (float& x : centres) x = 20 * random.gaussian();
  std::vector<float> points(static_cast<size_t>(n * kDim));
  for (int i = 0; i < n; ++i)
    for (int d = 0; d < kDim; ++d)
      points[static_cast<size_t>(i * kDim + d)] =
          centres[static_cast<size_t>(i % n_centres * kDim + d)] + 0.1f * random.gaussian();
  return points;
}

double mean_error(const std::vector<float>& points, const Clusters& clusters) {
  double total = 0;
  const int n = static_cast<int>(points.size()) / kDim;
  for (int i = 0; i < n; ++i) {
    double best = 1e30;
    for (int c = 0; c < clusters.n_clusters; ++c) {
      double sum = 0;
      for (int d = 0; d < kDim; ++d) {
        const double x =
            points[static_cast<size_t>(i * kDim + d)] - clusters.centroids[static_cast<size_t>(c * kDim + d)];
        sum += x * x;
      }
      best = std::min(best, sum);
    }
    total += best;
  }
  return total / n;
}

Clusters cluster(const std::vector<float>& points, const KMeansOptions& options, const PqKernels& kernels) {
  auto result = k_means({points.data(), kDim, static_cast<int>(points.size()) / kDim, kDim}, options, kernels);
  EXPECT_TRUE(result.ok());
  return *std::move(result);
}

TEST(KMeans, FindsClustersThatAreThere) {
  const std::vector<float> points = blobs(3000, 4, 1);
  for (const PqKernels* kernels : available_pq_kernels()) {
    const Clusters few = cluster(points, {.n_clusters = 64, .max_iterations = 10, .seed = 3}, *kernels);
    EXPECT_EQ(few.n_clusters, 64);
    EXPECT_LT(mean_error(points, few), 0.2) << kernels->name;  // far below the centres' distances of about 3000
  }
}

TEST(KMeans, IterationsOnlyImprove) {
  Random random(4);
  std::vector<float> points(static_cast<size_t>(2000 * kDim));
  for (float& x : points) x = random.gaussian();
  double last = 1e30;
  for (const int iterations : {1, 3, 10}) {
    const double error =
        mean_error(points, cluster(points, {.n_clusters = 32, .max_iterations = iterations}, best_pq_kernels()));
    EXPECT_LT(error, last);
    last = error;
  }
}

TEST(KMeans, SameSeedSameCentroids) {
  const std::vector<float> points = blobs(500, 7, 5);
  const KMeansOptions options{.n_clusters = 20, .max_iterations = 4, .seed = 9};
  EXPECT_THAT(cluster(points, options, best_pq_kernels()).centroids,
              ::testing::ElementsAreArray(cluster(points, options, best_pq_kernels()).centroids));
  KMeansOptions other = options;
  other.seed = 10;
  EXPECT_NE(cluster(points, options, best_pq_kernels()).centroids, cluster(points, other, best_pq_kernels()).centroids);
}

TEST(KMeans, EmptyClustersAreRefilled) {
  // All but 40 points are the same, so a sampled start puts most centroids on one spot.
  std::vector<float> points(static_cast<size_t>(2000 * kDim), 1.0f);
  Random random(6);
  for (int i = 0; i < 40 * kDim; ++i) points[static_cast<size_t>(i)] = 50 * random.gaussian();
  const Clusters clusters = cluster(points, {.n_clusters = 32, .max_iterations = 20}, best_pq_kernels());
  std::set<std::vector<float>> distinct;
  for (int c = 0; c < clusters.n_clusters; ++c)
    distinct.insert({clusters.centroids.begin() + c * kDim, clusters.centroids.begin() + (c + 1) * kDim});
  EXPECT_GE(distinct.size(), 24u);
}

TEST(KMeans, EqualPointsEndAtOnce) {
  const std::vector<float> points(static_cast<size_t>(300 * kDim), -2.5f);
  const Clusters clusters = cluster(points, {.n_clusters = 64, .max_iterations = 50}, best_pq_kernels());
  EXPECT_LE(clusters.iterations, 2);
  for (const float x : clusters.centroids) EXPECT_EQ(x, -2.5f);
}

TEST(KMeans, FewerPointsThanClusters) {
  const std::vector<float> points = blobs(5, 5, 8);
  const Clusters clusters = cluster(points, {.n_clusters = 64, .max_iterations = 5}, best_pq_kernels());
  EXPECT_EQ(clusters.n_clusters, 5);
  EXPECT_NEAR(mean_error(points, clusters), 0, 1e-9);
}

TEST(KMeans, StopsWhenCancelled) {
  CancelToken cancel;
  cancel.cancel();
  const std::vector<float> points = blobs(50, 5, 8);
  EXPECT_EQ(k_means({points.data(), kDim, 50, kDim}, {}, best_pq_kernels(), cancel).status().code(),
            StatusCode::kCancelled);
}

}  // namespace
}  // namespace mneme::engine
