// Models of every quantised type against the fp64 reference on the same, dequantised weights: what rounding activations
// to int8 costs. The bar: KL of the next-token distributions at most 1e-3 over 64 teacher-forced steps, or the same
// best token in 99 of 100.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/gguf/tensor_type.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/reference_model.h"

namespace mneme::testing {
namespace {

using gguf::TensorType;

constexpr int kSteps = 64;

class QuantisedParity : public ::testing::TestWithParam<TensorType> {};
INSTANTIATE_TEST_SUITE_P(Types, QuantisedParity,
                         ::testing::Values(TensorType::kQ4_0, TensorType::kQ4_1, TensorType::kQ5_0, TensorType::kQ5_1,
                                           TensorType::kQ8_0, TensorType::kQ2_K, TensorType::kQ3_K, TensorType::kQ4_K,
                                           TensorType::kQ5_K, TensorType::kQ6_K, TensorType::kIQ4_NL,
                                           TensorType::kIQ4_XS, TensorType::kMXFP4),
                         [](const auto& info) { return std::string(gguf::tensor_type_info(info.param)->name); });

std::vector<double> log_softmax(std::vector<double> logits) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double x : logits) sum += std::exp(x - largest);
  for (double& x : logits) x -= largest + std::log(sum);
  return logits;
}

TEST_P(QuantisedParity, NextTokenDistributionsAgree) {
  const RandomModel description{.dim = 256,
                                .n_heads = 8,
                                .n_kv_heads = 2,
                                .head_dim = 32,
                                .ffn_dim = 512,
                                .vocab_size = 256,
                                .type = GetParam(),
                                .seed = 77};
  auto model = load_model(random_gguf(description));
  ASSERT_NE(model, nullptr);
  Random random(3);
  std::vector<int> ids(kSteps);
  for (int& id : ids) id = static_cast<int>(random.below(256));
  const auto expected = ReferenceModel(*model->file).all_logits(ids);

  const auto cache = model->new_cache(kSteps);
  double kl = 0;
  int same = 0;
  for (int step = 0; step < kSteps; ++step) {
    const engine::TokenPos position = step;
    const engine::RowGroup group{cache.get(), 0, 1};
    const engine::TokenId id = ids[static_cast<size_t>(step)];
    ASSERT_TRUE(model->pass->begin({{&position, 1}, {&group, 1}}, {&id, 1}).ok());
    for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
    std::vector<float> logits;
    const int row = 0;
    ASSERT_TRUE(model->pass->logits({&row, 1}, logits).ok());
    const auto& reference = expected[static_cast<size_t>(step)];
    const auto p = log_softmax(reference);
    const auto q = log_softmax(std::vector<double>(logits.begin(), logits.end()));
    for (size_t i = 0; i < p.size(); ++i) kl += std::exp(p[i]) * (p[i] - q[i]) / kSteps;
    same += std::max_element(reference.begin(), reference.end()) - reference.begin() ==
            std::max_element(logits.begin(), logits.end()) - logits.begin();
  }
  RecordProperty("kl", std::to_string(kl));
  RecordProperty("same_best", same);
  EXPECT_TRUE(kl <= 1e-3 || same * 100 >= 99 * kSteps)
      << "KL " << kl << ", same best token " << same << " of " << kSteps;
}

}  // namespace
}  // namespace mneme::testing
