#include "engine/codec/kv_moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

// Channels that hang together, far from zero.
std::vector<f16> rows_of(int n, int kv_dim, uint64_t seed) {
  Random random(seed);
  std::vector<f16> rows;
  for (int t = 0; t < n; ++t) {
    const float common = random.gaussian();
    for (int c = 0; c < kv_dim; ++c)
      rows.push_back(to_f16(20.0f * static_cast<float>(c % 5) + common + random.gaussian()));
  }
  return rows;
}

struct Plain {
  std::vector<double> mean;
  std::vector<double> covariance;  // (kv_dim, kv_dim)
};

// Twice over the rows.
Plain plain(const std::vector<f16>& rows, int kv_dim) {
  const size_t n = rows.size() / kv_dim;
  Plain result{std::vector<double>(kv_dim), std::vector<double>(static_cast<size_t>(kv_dim) * kv_dim)};
  for (size_t i = 0; i < rows.size(); ++i) result.mean[i % kv_dim] += to_f32(rows[i]) / static_cast<double>(n);
  for (size_t t = 0; t < n; ++t) {
    for (int i = 0; i < kv_dim; ++i) {
      for (int j = 0; j < kv_dim; ++j) {
        const double product =
            (to_f32(rows[t * kv_dim + i]) - result.mean[i]) * (to_f32(rows[t * kv_dim + j]) - result.mean[j]);
        result.covariance[static_cast<size_t>(i) * kv_dim + j] += product / static_cast<double>(n);
      }
    }
  }
  return result;
}

TEST(KvMoments, EqualThoseOfRowsThatAreKept) {
  for (const int n : {1, 2, 7, 8, 9, 16, 131}) {
    constexpr int kKvDim = 48;
    constexpr int kGroup = 16;
    const std::vector<f16> rows = rows_of(n, kKvDim, static_cast<uint64_t>(n));
    KvMoments moments(kKvDim, kGroup);
    const size_t first = static_cast<size_t>(n / 3) * kKvDim;
    moments.add(std::span(rows).first(first));
    moments.add(std::span(rows).subspan(first));
    ASSERT_EQ(moments.n_rows(), static_cast<size_t>(n));
    const Plain expected = plain(rows, kKvDim);
    for (int c = 0; c < kKvDim; ++c) {
      EXPECT_NEAR(moments.mean(c), expected.mean[c], 1e-9) << n;
      EXPECT_NEAR(moments.variance(c), expected.covariance[static_cast<size_t>(c) * kKvDim + c], 1e-8) << n;
    }
    for (int g = 0; g < kKvDim / kGroup; ++g) {
      for (int i = 0; i < kGroup; ++i) {
        for (int j = 0; j < kGroup; ++j) {
          const size_t at = static_cast<size_t>(g * kGroup + i) * kKvDim + g * kGroup + j;
          EXPECT_NEAR(moments.covariance(g, i, j), expected.covariance[at], 1e-8) << n;
        }
      }
    }
  }
}

TEST(KvMoments, RowsThatAreNotFiniteAreLeftOut) {
  constexpr int kKvDim = 16;
  const std::vector<f16> rows = rows_of(20, kKvDim, 3);
  std::vector<f16> with_bad = rows;
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<f16> row(kKvDim, to_f16(1.0f));
    row[5] = to_f16(bad);
    with_bad.insert(with_bad.begin() + 7 * kKvDim, row.begin(), row.end());
  }
  KvMoments moments(kKvDim, kKvDim), clean(kKvDim, kKvDim);
  moments.add(with_bad);
  clean.add(rows);
  EXPECT_EQ(moments.n_rows(), 20u);
  for (int c = 0; c < kKvDim; ++c) {
    EXPECT_EQ(moments.mean(c), clean.mean(c));
    for (int other = 0; other < kKvDim; ++other)
      EXPECT_NEAR(moments.covariance(0, c, other), clean.covariance(0, c, other), 1e-9);
  }
}

TEST(KvMoments, NothingAddedIsZero) {
  const KvMoments moments(32, 16);
  EXPECT_EQ(moments.n_rows(), 0u);
  EXPECT_EQ(moments.mean(31), 0);
  EXPECT_EQ(moments.covariance(1, 15, 0), 0);
}

}  // namespace
}  // namespace mneme::engine
