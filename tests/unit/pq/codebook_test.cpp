// Codebooks: tables against plain products, codes after rotation, what memory they take.
#include "engine/pq/codebook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "base/random.h"
#include "engine/model/rope_scaling.h"

namespace mneme::engine {
namespace {

constexpr int kHeadDim = 32;

std::vector<float> random_keys(int n, uint64_t seed) {
  Random random(seed);
  std::vector<float> keys(static_cast<size_t>(n * kHeadDim));
  for (float& x : keys) x = random.gaussian();
  return keys;
}

Codebook train(const KeyParts& parts, const std::vector<float>& keys, int n_bits = 6) {
  auto book = Codebook::train(parts, keys, static_cast<int>(keys.size()) / kHeadDim,
                              {.n_bits = n_bits, .iterations = 5, .seed = 2}, best_pq_kernels());
  EXPECT_TRUE(book.ok());
  return *std::move(book);
}

std::vector<std::vector<uint8_t>> encode(const Codebook& book, const std::vector<float>& keys) {
  const size_t n = keys.size() / kHeadDim;
  std::vector<std::vector<uint8_t>> codes(static_cast<size_t>(book.n_parts()), std::vector<uint8_t>(n));
  std::vector<uint8_t*> pointers;
  for (std::vector<uint8_t>& part : codes) pointers.push_back(part.data());
  book.encode(keys, static_cast<int>(n), best_pq_kernels(), pointers);
  return codes;
}

// Keys in the order of parts, turned by RoPE as if they stood `positions` later.
std::vector<float> turned(const std::vector<float>& keys, const KeyParts& parts, const RopeConfig& rope,
                          int positions) {
  std::vector<int> place(kHeadDim);
  for (int i = 0; i < kHeadDim; ++i) place[static_cast<size_t>(parts.order[static_cast<size_t>(i)])] = i;
  std::vector<float> out = keys;
  for (size_t key = 0; key < keys.size(); key += kHeadDim)
    for (int pair = 0; pair < rope.n_rot / 2; ++pair) {
      const bool split = rope.layout == RopeLayout::kSplitHalf;
      const size_t a = key + static_cast<size_t>(place[static_cast<size_t>(split ? pair : 2 * pair)]);
      const size_t b =
          key + static_cast<size_t>(place[static_cast<size_t>(split ? pair + rope.n_rot / 2 : 2 * pair + 1)]);
      const double angle = double{rope.inverse_frequencies[static_cast<size_t>(pair)]} * positions;
      out[a] = static_cast<float>(keys[a] * std::cos(angle) - keys[b] * std::sin(angle));
      out[b] = static_cast<float>(keys[a] * std::sin(angle) + keys[b] * std::cos(angle));
    }
  return out;
}

TEST(KeyParts, KeepPairsTogetherAndUseEveryDimensionOnce) {
  for (const RopeLayout layout : {RopeLayout::kInterleaved, RopeLayout::kSplitHalf}) {
    for (const int n_rot : {32, 24, 8}) {
      const RopeConfig rope = make_rope(layout, n_rot, 10000, {}, {});
      for (const int n_parts : {1, 2, 4, 8}) {
        const KeyParts parts = make_key_parts(kHeadDim, n_parts, &rope);
        EXPECT_TRUE(parts.keeps_pairs);
        EXPECT_EQ(std::set<int>(parts.order.begin(), parts.order.end()).size(), size_t{kHeadDim});
        std::vector<int> part_of(kHeadDim);
        for (int i = 0; i < kHeadDim; ++i)
          part_of[static_cast<size_t>(parts.order[static_cast<size_t>(i)])] = i / parts.part_dim;
        for (int pair = 0; pair < n_rot / 2; ++pair) {
          const bool split = layout == RopeLayout::kSplitHalf;
          EXPECT_EQ(part_of[static_cast<size_t>(split ? pair : 2 * pair)],
                    part_of[static_cast<size_t>(split ? pair + n_rot / 2 : 2 * pair + 1)]);
        }
      }
    }
  }
  EXPECT_FALSE(make_key_parts(10, 2, nullptr).order.empty());
  const RopeConfig rope = make_rope(RopeLayout::kSplitHalf, 10, 10000, {}, {});
  EXPECT_FALSE(make_key_parts(10, 2, &rope).keeps_pairs);  // five dimensions a part
}

TEST(Codebook, CodesAreThoseOfTheNearestCentroids) {
  for (const int n_parts : {1, 2, 4}) {
    const KeyParts parts = make_key_parts(kHeadDim, n_parts, nullptr);
    const Codebook book = train(parts, random_keys(700, 20), 5);
    const std::vector<float> keys = random_keys(101, 21);
    const auto codes = encode(book, keys);
    for (int p = 0; p < n_parts; ++p) {
      std::vector<std::vector<float>> centroids;
      centroids.reserve(32);
      for (int c = 0; c < 32; ++c) centroids.push_back(book.centroid(p, c));
      for (size_t i = 0; i < 101; ++i) {
        const float* key = keys.data() + i * kHeadDim + static_cast<size_t>(p * book.part_dim());
        std::vector<double> distances;
        for (const std::vector<float>& centroid : centroids) {
          distances.push_back(0);
          for (size_t d = 0; d < centroid.size(); ++d) distances.back() += std::pow(double{key[d]} - centroid[d], 2);
        }
        const double nearest = *std::min_element(distances.begin(), distances.end());
        EXPECT_NEAR(distances[codes[static_cast<size_t>(p)][i]], nearest, 1e-4) << p << " of " << n_parts << ", " << i;
      }
    }
  }
}

TEST(Codebook, TablesGiveTheProductsOfWhatCodesStandFor) {
  const KeyParts parts = make_key_parts(kHeadDim, 4, nullptr);
  const std::vector<float> keys = random_keys(800, 1);
  const Codebook book = train(parts, keys);
  const auto codes = encode(book, keys);
  const std::vector<float> query = random_keys(1, 2);
  constexpr float kScale = 0.5f;
  for (const PqKernels* kernels : available_pq_kernels()) {
    std::vector<int16_t> tables(static_cast<size_t>(4 * book.entries()));
    const float left_out = book.make_tables(query, kScale, *kernels, tables);
    for (size_t i = 0; i < 800; i += 37) {
      double expected = 0;
      double got = left_out;
      for (int p = 0; p < 4; ++p) {
        const int code = codes[static_cast<size_t>(p)][i];
        const std::vector<float> centroid = book.centroid(p, code);
        for (int d = 0; d < book.part_dim(); ++d)
          expected += kScale * query[static_cast<size_t>(p * book.part_dim() + d)] * centroid[static_cast<size_t>(d)];
        got += tables[static_cast<size_t>(p * book.entries() + code)] * std::log(2.0) / kScoreUnit;
      }
      EXPECT_NEAR(got, expected, 0.012) << kernels->name;  // half a unit per part
    }
  }
}

// Weights by spread are closer to what the keys of a code weigh on average than those of their centroids.
TEST(Codebook, SpreadGivesMeanWeights) {
  constexpr int kKeys = 8000;
  constexpr float kScale = 0.3f;
  const KeyParts parts = make_key_parts(kHeadDim, 2, nullptr);
  const std::vector<float> keys = random_keys(kKeys, 30);
  const Codebook book = train(parts, keys);
  const auto codes = encode(book, keys);
  const std::vector<float> query = random_keys(1, 31);
  for (const PqKernels* kernels : available_pq_kernels()) {
    double error[2] = {};
    for (const bool by_spread : {false, true}) {
      std::vector<float> weights(2 * kTableEntries);
      const float left_out = book.make_weights(query, kScale, by_spread, *kernels, weights);
      double expected = 0;
      double estimated = 0;
      for (size_t i = 0; i < kKeys; ++i) {
        double score = 0;
        for (size_t d = 0; d < kHeadDim; ++d) score += kScale * query[d] * keys[i * kHeadDim + d];
        expected += std::exp(score);
        estimated += weights[codes[0][i]] * double{weights[kTableEntries + codes[1][i]]} * std::exp(left_out);
      }
      error[by_spread] = std::fabs(std::log(estimated / expected));
    }
    EXPECT_LT(error[1], 0.3 * error[0]) << kernels->name;
    EXPECT_LT(error[1], 0.1) << kernels->name;
  }
}

TEST(Codebook, RotatesExactly) {
  for (const RopeLayout layout : {RopeLayout::kInterleaved, RopeLayout::kSplitHalf}) {
    const RopeConfig rope = make_rope(layout, 24, 10000, {}, {});
    const KeyParts parts = make_key_parts(kHeadDim, 2, &rope);
    const std::vector<float> keys = random_keys(2000, 3);
    Codebook book = train(parts, keys);
    const auto codes = encode(book, keys);
    constexpr int kPositions = 4711;
    book.rotate(parts, rope, kPositions);
    const auto moved = encode(book, turned(keys, parts, rope, kPositions));
    // Equal but for the few keys that lie between two centroids to the rounding of those to 8 bits.
    int differ = 0;
    for (size_t p = 0; p < 2; ++p)
      for (size_t i = 0; i < 2000; ++i) differ += codes[p][i] != moved[p][i];
    EXPECT_LE(differ, 100);
  }
}

// Keys spread along some dimensions more than along others: after a quarter of a turn along their partners.
TEST(Codebook, TheSpreadTurnsWithTheKeys) {
  RopeConfig rope = make_rope(RopeLayout::kSplitHalf, kHeadDim, 10000, {}, {});
  std::fill(rope.inverse_frequencies.begin(), rope.inverse_frequencies.end(), std::acos(0.0f));
  const KeyParts parts = make_key_parts(kHeadDim, 2, &rope);
  std::vector<float> keys = random_keys(2000, 22);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] *= parts.order[i % kHeadDim] < kHeadDim / 2 ? 2.0f : 0.1f;
  Codebook book = train(parts, keys);
  const std::vector<float> query = random_keys(1, 23);
  std::vector<float> before(2 * kTableEntries), after(before.size());
  book.make_weights(query, 0.3f, true, best_pq_kernels(), before);
  book.rotate(parts, rope, 1);
  book.make_weights(turned(query, parts, rope, 1), 0.3f, true, best_pq_kernels(), after);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 0.02f) << i;
}

// Why chunks do not carry codebooks of their own: for 512 tokens one takes 1/16 of the KV, with a sixteenth of the
// centroids still more than the 1/64 that all codes and centroids may take.
TEST(Codebook, OneForEveryChunkIsTooLarge) {
  constexpr int kWideHead = 64;
  constexpr int64_t kChunkTokens = 512;
  constexpr int64_t kKvBytes = kChunkTokens * kWideHead * 4;
  Random random(1);
  std::vector<float> keys(static_cast<size_t>(kChunkTokens * kWideHead));
  for (float& x : keys) x = random.gaussian();
  const KeyParts parts = make_key_parts(kWideHead, 2, nullptr);
  for (const int n_bits : {6, 4}) {
    const auto book =
        Codebook::train(parts, keys, kChunkTokens, {.n_bits = n_bits, .iterations = 1, .seed = 1}, best_pq_kernels());
    ASSERT_TRUE(book.ok());
    const int64_t packed_codes = kChunkTokens * 2 * n_bits / 8;
    EXPECT_GT((book->memory_bytes() + packed_codes) * 64, kKvBytes) << n_bits;
  }
}

TEST(Codebook, QueriesThatAreNoNumbersGiveFloors) {
  const KeyParts parts = make_key_parts(kHeadDim, 2, nullptr);
  const Codebook book = train(parts, random_keys(100, 5));
  std::vector<int16_t> tables(static_cast<size_t>(2 * book.entries()));
  book.make_tables(std::vector<float>(kHeadDim, std::numeric_limits<float>::quiet_NaN()), 1, best_pq_kernels(), tables);
  for (const int16_t entry : tables) EXPECT_EQ(entry, score_floor(2));
}

TEST(Codebook, WideCodesAndFewKeys) {
  const KeyParts parts = make_key_parts(kHeadDim, 2, nullptr);
  const std::vector<float> keys = random_keys(600, 6);
  const Codebook wide = train(parts, keys, 8);
  EXPECT_EQ(wide.entries(), 256);
  const auto codes = encode(wide, keys);
  EXPECT_GT(std::set<uint8_t>(codes[0].begin(), codes[0].end()).size(), 128u);
  const std::vector<float> three = random_keys(3, 7);
  for (const auto& part : encode(train(parts, three), three))
    for (const uint8_t code : part) EXPECT_LT(code, 3);
}

}  // namespace
}  // namespace mneme::engine
