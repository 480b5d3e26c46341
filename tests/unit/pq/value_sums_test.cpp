// Estimates of outputs from the mean values of codes.
#include "engine/pq/value_sums.h"

#include <gtest/gtest.h>

#include <numeric>
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
TEST(ValueSums, EstimatesOutputs) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    const Values made(0.1f);
    ValueSums sums(kDim);
    sums.add(made.codes(), 0, 1000, made.values);
    sums.add(made.codes(), 1000, kKeys, std::span(made.values).subspan(size_t{1000} * kDim));
    EXPECT_EQ(sums.value_stride(), 32);

    Random random(6);
    for (const bool equal : {true, false}) {
      std::vector<double> weight_of(kTableEntries);
      for (double& w : weight_of) w = equal ? 1.0 : 3.0 * random.uniform();
      std::vector<float> first(kTableEntries), second(kTableEntries);
      std::vector<double> expected(kDim);
      double total = 0;
      for (size_t i = 0; i < kKeys; ++i) {
        const double w = weight_of[made.first[i]];
        first[made.first[i]] += static_cast<float>(w);
        second[made.second[i]] += static_cast<float>(w);
        for (size_t d = 0; d < kDim; ++d) expected[d] += w * made.values[i * kDim + d];
        total += w;
      }
      std::vector<float> out(32);
      sums.estimate(first, second, *kernels, out);
      for (size_t d = 0; d < kDim; ++d)
        EXPECT_NEAR(out[d] / total, expected[d] / total, equal ? 1e-4 : 0.1) << kernels->name;
    }
  }
}

TEST(ValueSums, NothingGivesNothing) {
  const ValueSums sums(kDim);
  std::vector<float> weights(kTableEntries), out(32, 5.0f);
  sums.estimate(weights, weights, best_pq_kernels(), out);
  EXPECT_EQ(out, std::vector<float>(32));
}

}  // namespace
}  // namespace mneme::engine
