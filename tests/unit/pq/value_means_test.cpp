// Estimates of outputs from the mean values of codes.
#include "engine/pq/value_means.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

constexpr int kDim = 24;  // not a multiple of what vectors hold
constexpr int kKeys = 3000;

struct Values {
  std::vector<uint8_t> first = std::vector<uint8_t>(kKeys);
  std::vector<uint8_t> second = std::vector<uint8_t>(kKeys);
  std::vector<float> values = std::vector<float>(size_t{kKeys} * kDim);
  CodePair codes() const { return {first.data(), second.data()}; }

  // Every value is what its two codes add, and `noise`.
  explicit Values(float noise) {
    Random random(5);
    std::vector<float> of_code(size_t{2} * kTableEntries * kDim);
    for (float& x : of_code) x = random.gaussian();
    for (size_t i = 0; i < kKeys; ++i) {
      first[i] = static_cast<uint8_t>(i % kTableEntries);
      second[i] = static_cast<uint8_t>(random.below(kTableEntries));
      for (size_t d = 0; d < kDim; ++d)
        values[i * kDim + d] = of_code[first[i] * size_t{kDim} + d] +
                               of_code[(kTableEntries + second[i]) * size_t{kDim} + d] + noise * random.gaussian();
    }
  }
};

// Equal weights for all keys give the mean, exactly; weights by code what the model of two additive codes gives.
TEST(ValueMeans, EstimatesOutputs) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    const Values made(0.1f);
    ValueMeans sums(kDim);
    sums.add(made.codes(), 0, 1000, made.values);
    sums.add(made.codes(), 1000, kKeys, std::span(made.values).subspan(size_t{1000} * kDim));
    EXPECT_EQ(sums.value_stride(), 32);

    constexpr int kHeads = 5;  // four at once and one more
    Random random(6);
    for (const bool equal : {true, false}) {
      std::vector<float> first(kHeads * kTableEntries), second(first.size()), out(kHeads * 32, 5.0f);
      std::vector<double> expected(kHeads * kDim), total(kHeads);
      for (size_t h = 0; h < kHeads; ++h) {
        std::vector<double> weight_of(kTableEntries);
        for (double& w : weight_of) w = equal ? 1.0 : 3.0 * random.uniform();
        for (size_t i = 0; i < kKeys; ++i) {
          const double w = weight_of[made.first[i]];
          first[h * kTableEntries + made.first[i]] += static_cast<float>(w);
          second[h * kTableEntries + made.second[i]] += static_cast<float>(w);
          for (size_t d = 0; d < kDim; ++d) expected[h * kDim + d] += w * made.values[i * kDim + d];
          total[h] += w;
        }
      }
      sums.estimate(first, second, kHeads, *kernels, out);
      for (size_t h = 0; h < kHeads; ++h)
        for (size_t d = 0; d < kDim; ++d)
          EXPECT_NEAR(out[h * 32 + d] / total[h], expected[h * kDim + d] / total[h], equal ? 4e-3 : 0.1)
              << kernels->name;
    }
  }
}

// Weights that are all on one code give the mean of its keys, and a code without keys gives the mean of all.
TEST(ValueMeans, CodesWithoutKeysStandForTheMean) {
  const std::vector<uint8_t> first = {0, 0, 1, 1}, second(4, 3);
  const std::vector<float> values = {1, 2, 3, 4};
  ValueMeans means(1);
  means.add({first.data(), second.data()}, 0, 4, values);
  for (const auto& [code, expected] : {std::pair{0, 1.5f}, {1, 3.5f}, {2, 2.5f}}) {
    std::vector<float> of_first(kTableEntries), of_second(kTableEntries), out(16);
    of_first[static_cast<size_t>(code)] = of_second[3] = 2.0f;
    means.estimate(of_first, of_second, 1, best_pq_kernels(), out);
    EXPECT_NEAR(out[0], 2 * expected, 1e-3) << code;
  }
}

TEST(ValueMeans, NothingGivesNothing) {
  const ValueMeans sums(kDim);
  std::vector<float> weights(kTableEntries), out(32, 5.0f);
  sums.estimate(weights, weights, 1, best_pq_kernels(), out);
  EXPECT_EQ(out, std::vector<float>(32));
}

}  // namespace
}  // namespace mneme::engine
