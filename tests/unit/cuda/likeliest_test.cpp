// Choosing tokens on a device: the largest logits in the sampler's order, and tokens as from all logits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/likeliest_kernels.h"
#include "engine/transformer/sampler.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/simt/simt.h"

namespace mneme::testing {
namespace {

using engine::TokenId;
using engine::TokenPos;
using engine::cuda::kLikeliest;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class Likeliest : public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
};

engine::LikeliestTokens read_likeliest(const std::vector<float>& logits, float temperature) {
  const auto backend = *engine::cuda::make_cuda_backend({});
  const auto x = *backend->make_activations(2, static_cast<int>(logits.size()));
  std::vector<float> rows = logits;
  rows.insert(rows.begin(), logits.size(), 3.0f);
  engine::cuda::write_activations(*backend, rows, *x);
  auto likeliest = backend->likeliest(*x, 1, temperature);
  EXPECT_TRUE(likeliest.ok()) << likeliest.status().message();
  return std::move(*likeliest);
}

TEST_F(Likeliest, AreThoseOfASort) {
  Random random(3);
  for (const size_t n : {size_t{1}, size_t{97}, size_t{256}, size_t{257}, size_t{2048}, size_t{2049}, size_t{20000}}) {
    std::vector<float> logits(n);
    for (float& x : logits) x = std::round(40.0f * random.gaussian()) / 8.0f;  // with many equals
    if (n > 90) {
      logits[5] = std::numeric_limits<float>::quiet_NaN();
      logits[6] = -kInfinity;
      logits[7] = -0.0f;
      logits[8] = 0.0f;
    }
    std::vector<TokenId> order;
    double total = 0;
    for (size_t i = 0; i < n; ++i)
      if (logits[i] > -kInfinity) order.push_back(static_cast<TokenId>(i));
    const auto of = [&](TokenId id) { return logits[static_cast<size_t>(id)]; };
    std::sort(order.begin(), order.end(), [&](TokenId a, TokenId b) { return of(a) != of(b) ? of(a) > of(b) : a < b; });
    for (const TokenId id : order) total += std::exp((double{of(id)} - of(order[0])) / 0.7);
    const auto got = read_likeliest(logits, 0.7f);
    ASSERT_EQ(got.tokens.size(), std::min<size_t>(order.size(), kLikeliest));
    for (size_t i = 0; i < got.tokens.size(); ++i) {
      ASSERT_EQ(got.tokens[i].id, order[i]) << n << " " << i;
      ASSERT_EQ(got.tokens[i].logit, of(order[i]));
    }
    EXPECT_EQ(got.are_all, order.size() < kLikeliest || n <= kLikeliest) << n;
    EXPECT_NEAR(got.total, total, 1e-6 * total);
    const auto first = read_likeliest(logits, 0.0f);
    ASSERT_EQ(first.tokens.size(), 1u);
    EXPECT_EQ(first.tokens[0].id, order[0]) << n;
    EXPECT_EQ(first.tokens[0].logit, of(order[0]));
  }
  EXPECT_TRUE(read_likeliest({-kInfinity, std::numeric_limits<float>::quiet_NaN()}, 0.0f).tokens.empty());
  EXPECT_TRUE(read_likeliest({-kInfinity, std::numeric_limits<float>::quiet_NaN()}, 1.0f).tokens.empty());
}

TEST_F(Likeliest, ThreadsMayRunInAnyOrder) {
  Random random(4);
  std::vector<float> logits(5000);
  for (float& x : logits) x = random.gaussian();
  const auto expected = read_likeliest(logits, 0.9f);
  simt::machine().order = simt::ThreadOrder::kDescending;
  const auto got = read_likeliest(logits, 0.9f);
  EXPECT_EQ(got.total, expected.total);
  for (size_t i = 0; i < got.tokens.size(); ++i) EXPECT_EQ(got.tokens[i].id, expected.tokens[i].id);
}

// Rows of a step by samplers of their own: greedy, drawn, drawn from so flat a distribution that all logits are copied,
// and by a penalty, for which they always are.
TEST_F(Likeliest, TokensAreThoseOfAllLogits) {
  auto model = load_model(random_gguf({.vocab_size = 3000, .seed = 5}));
  ASSERT_NE(model, nullptr);
  const auto cache = model->new_cache(16);
  const std::vector<TokenPos> positions = {0, 1, 2, 3};
  const std::vector<TokenId> ids = {1, 2, 3, 4};
  const engine::RowGroup group{cache.get(), 0, 4};
  ASSERT_TRUE(model->pass->begin({positions, {&group, 1}}, ids).ok());
  for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
  const std::vector<int> rows = {0, 1, 2, 3};
  std::vector<float> logits;
  ASSERT_TRUE(model->pass->logits(rows, logits).ok());
  const std::vector<engine::SamplerOptions> options = {{},
                                                       {.temperature = 0.1f, .top_p = 0.9f, .seed = 2},
                                                       {.temperature = 30.0f, .seed = 3},
                                                       {.repetition_penalty = 1.5f}};
  for (size_t n : {size_t{2}, size_t{4}}) {
    std::vector<engine::Sampler> samplers(options.begin(), options.end());
    std::vector<engine::Sampler> expected = samplers;
    std::vector<engine::Sampler*> pointers;
    for (size_t i = 0; i < n; ++i) pointers.push_back(&samplers[i]);
    for (int round = 0; round < 10; ++round) {
      std::vector<TokenId> tokens(n);
      const int64_t copied = simt::counters().bytes_to_host;
      ASSERT_TRUE(model->pass->sample(std::span(rows).first(n), pointers, tokens).ok());
      const int64_t allowed = n == 2 ? int64_t{2} * 4096 : int64_t{1} << 20;
      EXPECT_LE(simt::counters().bytes_to_host - copied, allowed) << "no logits";
      for (size_t i = 0; i < n; ++i)
        EXPECT_EQ(tokens[i], expected[i].sample(std::span(logits).subspan(i * 3000, 3000))) << i << " in " << round;
    }
  }
}

}  // namespace
}  // namespace mneme::testing
