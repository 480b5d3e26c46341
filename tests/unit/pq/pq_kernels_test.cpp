// The retrieval kernels of every instruction set against plain loops written here.
#include "engine/pq/pq_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

using ::testing::ElementsAreArray;

constexpr int kGuard = 64;  // readable beyond the end

struct ScanCase {
  int n_parts, n_heads, n_keys, n_entries = kTableEntries;
};

struct Scan {
  std::vector<std::vector<uint8_t>> codes;
  std::vector<int16_t> tables;
  std::vector<int16_t> scores;
  std::vector<float> sums;
  ScanRun run;

  Scan(const ScanCase& c, uint64_t seed) {
    Random random(seed);
    for (int p = 0; p < c.n_parts; ++p) {
      codes.emplace_back(static_cast<size_t>(c.n_keys + kGuard));
      for (uint8_t& code : codes.back()) code = static_cast<uint8_t>(random.below(static_cast<uint64_t>(c.n_entries)));
      run.codes[p] = codes.back().data();
    }
    tables.resize(static_cast<size_t>(c.n_heads * c.n_parts * c.n_entries));
    const auto range = static_cast<uint64_t>(1 - score_floor(c.n_parts));
    for (int16_t& entry : tables) entry = static_cast<int16_t>(-static_cast<int>(random.below(range)));
    const int stride = (c.n_keys + kScanBlock - 1) / kScanBlock * kScanBlock;
    scores.assign(static_cast<size_t>(c.n_heads * stride), 0);
    sums.assign(static_cast<size_t>(c.n_heads * kScanBlock), 0.0f);
    run.n_parts = c.n_parts;
    run.n_heads = c.n_heads;
    run.n_entries = c.n_entries;
    run.tables = tables.data();
    run.n_keys = c.n_keys;
    run.scores = scores.data();
    run.score_stride = stride;
    run.sums = sums.data();
  }
  int score(int head, int key) const { return scores[static_cast<size_t>(head * run.score_stride + key)]; }
};

const std::vector<ScanCase> kScans = {{2, 4, 1000}, {2, 1, 32}, {1, 3, 31},       {4, 2, 257}, {3, 5, 64},
                                      {8, 1, 95},   {2, 2, 1},  {4, 4, 200, 256}, {2, 4, 0}};

TEST(PqKernels, ScanSumsTableEntries) {
  for (const ScanCase& c : kScans) {
    Scan scan(c, 7);
    best_pq_kernels().scan(scan.run);
    for (int h = 0; h < c.n_heads; ++h) {
      double total = 0;
      for (int i = 0; i < c.n_keys; ++i) {
        int expected = kScoreBias;
        for (int p = 0; p < c.n_parts; ++p)
          expected += scan.tables[static_cast<size_t>((h * c.n_parts + p) * c.n_entries +
                                                      scan.codes[static_cast<size_t>(p)][static_cast<size_t>(i)])];
        ASSERT_EQ(scan.score(h, i), expected) << c.n_parts << " parts, key " << i;
        total += std::exp2(static_cast<double>(expected - kScoreBias) / kScoreUnit);
      }
      double got = 0;
      for (int lane = 0; lane < kScanBlock; ++lane) got += scan.sums[static_cast<size_t>(h * kScanBlock + lane)];
      EXPECT_NEAR(got, total, 0.07 * total + 1e-12);  // what the linear mantissa may be off
    }
  }
}

TEST(PqKernels, EveryInstructionSetGivesTheSameBits) {
  for (const ScanCase& c : kScans) {
    Scan reference(c, 11);
    pq_kernels_scalar().scan(reference.run);
    std::vector<float> factors;
    for (int h = 0; h < c.n_heads; ++h) factors.push_back(0.37f * static_cast<float>(h + 1));
    const auto padded = static_cast<size_t>(reference.run.score_stride);
    for (const PqKernels* kernels : available_pq_kernels()) {
      Scan scan(c, 11);
      kernels->scan(scan.run);
      for (int h = 0; h < c.n_heads; ++h)
        for (int i = 0; i < c.n_keys; ++i) ASSERT_EQ(scan.score(h, i), reference.score(h, i)) << kernels->name;
      EXPECT_THAT(scan.sums, ElementsAreArray(reference.sums)) << kernels->name;
      for (const bool maximum : {false, true}) {
        std::vector<int16_t> expected(padded), got(padded);
        CombineRun run{.n_heads = c.n_heads,
                       .scores = reference.scores.data(),
                       .score_stride = reference.run.score_stride,
                       .factors = factors.data(),
                       .maximum = maximum,
                       .n_keys = c.n_keys,
                       .out = expected.data()};
        pq_kernels_scalar().combine(run);
        run.out = got.data();
        kernels->combine(run);
        const auto n = static_cast<size_t>(c.n_keys);
        EXPECT_TRUE(std::equal(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(n), expected.begin()))
            << kernels->name << (maximum ? ", maximum" : ", sum");
      }
    }
  }
}

TEST(PqKernels, CombiningAddsWeights) {
  Random random(3);
  constexpr int kKeys = 500;
  constexpr int kHeads = 4;
  std::vector<int16_t> scores(static_cast<size_t>(kHeads * 512));
  for (int16_t& score : scores) score = static_cast<int16_t>(kScoreBias - static_cast<int>(random.below(3000)));
  const std::vector<float> factors = {1.0f, 3.0f, 0.3f, 0.8f};
  std::vector<int16_t> out(512);
  best_pq_kernels().combine({.n_heads = kHeads,
                             .scores = scores.data(),
                             .score_stride = 512,
                             .factors = factors.data(),
                             .maximum = false,
                             .n_keys = kKeys,
                             .out = out.data()});
  for (int i = 0; i < kKeys; ++i) {
    double sum = 0;
    for (int h = 0; h < kHeads; ++h)
      sum += factors[static_cast<size_t>(h)] *
             std::exp2(static_cast<double>(scores[static_cast<size_t>(h * 512 + i)] - kScoreBias) / kScoreUnit);
    // Linear mantissas are off by up to 0.086 of a halving, once on the way in and once on the way out.
    EXPECT_NEAR(out[static_cast<size_t>(i)] - kScoreBias, std::log2(sum) * kScoreUnit, 24) << i;
  }
}

TEST(PqKernels, TheLowestScoresStayNumbers) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    const auto lowest = static_cast<int16_t>(kScoreBias + 8 * score_floor(8));
    const std::vector<int16_t> scores(64, lowest);
    const std::vector<float> factors = {1e-7f, 1e-7f};
    std::vector<int16_t> out(32);
    kernels->combine({.n_heads = 2,
                      .scores = scores.data(),
                      .score_stride = 32,
                      .factors = factors.data(),
                      .maximum = false,
                      .n_keys = 32,
                      .out = out.data()});
    EXPECT_GT(out[0], kScoreUnit) << kernels->name;  // a normal float, not a denormal one
    EXPECT_LT(out[0], lowest);
  }
}

TEST(PqKernels, CountsAtThresholds) {
  Random random(6);
  for (const int n : {0, 5, 32, 77, 4000}) {
    std::vector<int16_t> scores(static_cast<size_t>(n));
    for (int16_t& score : scores) score = static_cast<int16_t>(random.below(65536) - 32768);
    const int16_t thresholds[kThresholds] = {INT16_MIN, -100, 20000, INT16_MAX};
    for (const PqKernels* kernels : available_pq_kernels()) {
      int counts[kThresholds];
      kernels->count(scores.data(), n, thresholds, counts);
      for (int t = 0; t < kThresholds; ++t)
        EXPECT_EQ(counts[t],
                  std::count_if(scores.begin(), scores.end(), [&](int16_t score) { return score >= thresholds[t]; }))
            << kernels->name;
    }
  }
}

// More keys than 16-bit counters hold.
TEST(PqKernels, CountsBeyondSixteenBits) {
  const std::vector<int16_t> scores(size_t{3} << 20, 7);
  const int16_t thresholds[kThresholds] = {7, 8, -1, 7};
  for (const PqKernels* kernels : available_pq_kernels()) {
    int counts[kThresholds];
    kernels->count(scores.data(), 3 << 20, thresholds, counts);
    EXPECT_EQ(counts[0], 3 << 20) << kernels->name;
    EXPECT_EQ(counts[1], 0) << kernels->name;
  }
}

// Around scores that many cells have, few, and none; at both ends of what a score may be.
TEST(PqKernels, CountsNearAThresholdOneByOne) {
  Random random(7);
  std::vector<int16_t> scores(kCells);
  std::vector<float> counts(kCells);
  for (size_t i = 0; i < scores.size(); ++i) {
    scores[i] = static_cast<int16_t>(i % 2 == 0 ? random.below(kScoreEnd) : 16000 + random.below(100));
    counts[i] = static_cast<float>(random.below(1000));
  }
  scores[5] = 0;
  scores[6] = kScoreEnd - 1;
  for (const int first : {0, 1, 9000, 15940, 15990, 16050, 16099, kScoreEnd - kNearScores}) {
    for (const PqKernels* kernels : available_pq_kernels()) {
      float reaching[kNearScores + 1];
      kernels->count_near(scores.data(), counts.data(), static_cast<int16_t>(first), reaching);
      for (int i = 0; i <= kNearScores; ++i) {
        double expected = 0;
        for (size_t cell = 0; cell < scores.size(); ++cell)
          if (scores[cell] >= first + i) expected += counts[cell];
        ASSERT_EQ(reaching[i], expected) << kernels->name << ", " << first << " + " << i;
      }
    }
  }
}

TEST(PqKernels, CollectFindsAllThatReachTheThreshold) {
  Random random(5);
  for (const int n : {0, 1, 31, 32, 33, 500}) {
    std::vector<int16_t> scores(static_cast<size_t>(n));
    for (int16_t& score : scores) score = static_cast<int16_t>(static_cast<int>(random.below(200)) - 100);
    for (const int16_t threshold : {int16_t{-101}, int16_t{0}, int16_t{90}, int16_t{100}, int16_t{INT16_MIN}}) {
      std::vector<int32_t> expected;
      for (int i = 0; i < n; ++i)
        if (scores[static_cast<size_t>(i)] >= threshold) expected.push_back(1000 + i);
      for (const PqKernels* kernels : available_pq_kernels()) {
        std::vector<int32_t> got(static_cast<size_t>(n) + 16);
        got.resize(static_cast<size_t>(kernels->collect(scores.data(), n, threshold, 1000, got.data())));
        EXPECT_THAT(got, ElementsAreArray(expected)) << kernels->name << ", " << n;
      }
    }
  }
}

TEST(PqKernels, LastOfCellFindsTheLastKeys) {
  Random random(12);
  for (const int n_keys : {0, 1, 63, 64, 65, 1000, 4096}) {
    std::vector<uint8_t> first(static_cast<size_t>(n_keys + kGuard), 3), second(first.size(), 5);
    for (size_t i = 0; i < static_cast<size_t>(n_keys); ++i) {
      first[i] = static_cast<uint8_t>(2 + random.below(2));
      second[i] = static_cast<uint8_t>(4 + random.below(3));
    }
    std::vector<int32_t> expected;
    for (int i = n_keys - 1; i >= 0; --i)
      if (first[static_cast<size_t>(i)] == 3 && second[static_cast<size_t>(i)] == 5) expected.push_back(1000 + i);
    for (const PqKernels* kernels : available_pq_kernels()) {
      for (const size_t wanted : {size_t{0}, size_t{1}, size_t{7}, expected.size(), expected.size() + 10}) {
        std::vector<int32_t> out(wanted, -1);
        const int n = kernels->last_of_cell({.codes = {first.data(), second.data()},
                                             .cell = {3, 5},
                                             .n_keys = n_keys,
                                             .first_index = 1000,
                                             .n_wanted = static_cast<int>(wanted),
                                             .out = out.data()});
        ASSERT_EQ(static_cast<size_t>(n), std::min(wanted, expected.size())) << kernels->name << ", " << n_keys;
        out.resize(static_cast<size_t>(n));
        EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin())) << kernels->name << ", " << n_keys;
      }
    }
  }
}

// Few, many and all keys taken, whole blocks and a rest.
TEST(PqKernels, CollectCellsFindsAllKeysOfTheCellsTaken) {
  Random random(13);
  std::vector<int16_t> scores(kCells);
  for (int16_t& score : scores) score = static_cast<int16_t>(random.below(1000));
  for (const int n_keys : {0, 1, 63, 64, 200, 1000}) {
    std::vector<uint8_t> codes[2];
    for (auto& part : codes) {
      part.resize(static_cast<size_t>(n_keys + kGuard));
      for (uint8_t& code : part) code = static_cast<uint8_t>(random.below(kTableEntries));
    }
    for (const int threshold : {0, 100, 700, 900, 990, 1000}) {
      std::vector<int32_t> expected;
      for (size_t i = 0; i < static_cast<size_t>(n_keys); ++i)
        if (scores[size_t{codes[0][i]} * kTableEntries + codes[1][i]] >= threshold)
          expected.push_back(500 + static_cast<int32_t>(i));
      for (const PqKernels* kernels : available_pq_kernels()) {
        std::vector<int32_t> out(expected.size() + 64);
        const int n = kernels->collect_cells({.scores = scores.data(),
                                              .threshold = static_cast<int16_t>(threshold),
                                              .codes = {codes[0].data(), codes[1].data()},
                                              .n_keys = n_keys,
                                              .first_index = 500,
                                              .out = out.data()});
        out.resize(static_cast<size_t>(n));
        EXPECT_EQ(out, expected) << kernels->name << ", " << n_keys << " keys, " << threshold;
      }
    }
  }
}

TEST(PqKernels, NearestIsNearest) {
  Random random(9);
  for (const auto& [dim, n_centroids, used] :
       {std::tuple{32, 64, 64}, {32, 64, 40}, {7, 16, 3}, {16, 256, 256}, {1, 16, 16}}) {
    constexpr int kPoints = 101;
    const int stride = dim + 3;
    std::vector<float> points(static_cast<size_t>(kPoints * stride));
    for (float& x : points) x = random.gaussian();
    std::vector<float> centroids(static_cast<size_t>(dim * n_centroids));
    for (float& x : centroids) x = random.gaussian();
    std::vector<float> half_norms(static_cast<size_t>(n_centroids), std::numeric_limits<float>::infinity());
    const auto distance = [&](int point, int c) {
      double sum = 0;
      for (int d = 0; d < dim; ++d) {
        const double x = points[static_cast<size_t>(point * stride + d)];
        const double y = centroids[static_cast<size_t>(d * n_centroids + c)];
        sum += (x - y) * (x - y);
      }
      return sum;
    };
    for (int c = 0; c < used; ++c) {
      double norm = 0;
      for (int d = 0; d < dim; ++d) {
        const double y = centroids[static_cast<size_t>(d * n_centroids + c)];
        norm += y * y;
      }
      half_norms[static_cast<size_t>(c)] = static_cast<float>(norm / 2);
    }
    for (const PqKernels* kernels : available_pq_kernels()) {
      std::vector<uint8_t> codes(kPoints, 255);
      kernels->nearest({.n_points = kPoints,
                        .dim = dim,
                        .points = points.data(),
                        .point_stride = stride,
                        .n_centroids = n_centroids,
                        .centroids = centroids.data(),
                        .half_norms = half_norms.data(),
                        .codes = codes.data()});
      for (int i = 0; i < kPoints; ++i) {
        ASSERT_LT(codes[static_cast<size_t>(i)], used) << kernels->name;
        double best = std::numeric_limits<double>::infinity();
        for (int c = 0; c < used; ++c) best = std::min(best, distance(i, c));
        EXPECT_NEAR(distance(i, codes[static_cast<size_t>(i)]), best, 1e-4 * (1 + best)) << kernels->name;
      }
    }
  }
}

TEST(PqKernels, WhatIsNoNumberGetsTheFirstCentroid) {
  const std::vector<float> point(4, std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> centroids(4 * 64, 1.0f);
  const std::vector<float> half_norms(64, 2.0f);
  for (const PqKernels* kernels : available_pq_kernels()) {
    uint8_t code = 77;
    kernels->nearest({.n_points = 1,
                      .dim = 4,
                      .points = point.data(),
                      .point_stride = 4,
                      .n_centroids = 64,
                      .centroids = centroids.data(),
                      .half_norms = half_norms.data(),
                      .codes = &code});
    EXPECT_EQ(code, 0) << kernels->name;
  }
}

}  // namespace
}  // namespace mneme::engine
