// Attention received, against the plain sums in double precision.
#include "engine/fusion/row_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <gtest/gtest.h>

#include "base/random.h"

namespace mneme::engine {
namespace {

struct Shape {
  int n_heads;
  int n_kv_heads;
  int head_dim;
  int n_tokens;
  int n_rows;
  int window;
};

float random_number(Random& random) {
  return static_cast<float>(random.uniform() * 4.0 - 2.0);
}

class AttentionMass : public ::testing::TestWithParam<Shape> {
 protected:
  void SetUp() override {
    const Shape shape = GetParam();
    config_.n_heads = shape.n_heads;
    config_.n_kv_heads = shape.n_kv_heads;
    config_.head_dim = shape.head_dim;
    config_.attention_scale = 0.3f;
    Random random(7);
    layer_.keys.resize(static_cast<size_t>(shape.n_tokens) * static_cast<size_t>(config_.kv_dim()));
    for (f16& key : layer_.keys) key = to_f16(random_number(random));
    for (int i = 0; i < shape.n_rows * shape.n_heads * shape.head_dim; ++i) queries_.push_back(random_number(random));
    // The last rows of the snapshot, and one that stands behind it.
    for (int r = 0; r < shape.n_rows; ++r) positions_.push_back(std::max(0, shape.n_tokens + 1 - shape.n_rows + r));
  }

  double score(int row, int head, int token) const {
    const int kv_head = head / (config_.n_heads / config_.n_kv_heads);
    double sum = 0.0;
    for (int d = 0; d < config_.head_dim; ++d) {
      const auto q = static_cast<size_t>(int64_t{row * config_.n_heads + head} * config_.head_dim + d);
      const auto k = static_cast<size_t>(int64_t{token * config_.n_kv_heads + kv_head} * config_.head_dim + d);
      sum += static_cast<double>(queries_[q]) * to_f32(layer_.keys[k]);
    }
    return sum * config_.attention_scale;
  }

  std::vector<double> expected() const {
    const Shape shape = GetParam();
    std::vector<double> mass(static_cast<size_t>(shape.n_tokens));
    for (int r = 0; r < shape.n_rows; ++r) {
      const int position = positions_[static_cast<size_t>(r)];
      const int end = std::min(shape.n_tokens, position + 1);
      const int first = shape.window > 0 ? std::max(0, position - shape.window + 1) : 0;
      for (int head = 0; head < shape.n_heads; ++head) {
        double total = 0.0;
        for (int t = first; t < end; ++t) total += std::exp(score(r, head, t));
        for (int t = first; t < end; ++t) mass[static_cast<size_t>(t)] += std::exp(score(r, head, t)) / total;
      }
    }
    return mass;
  }

  ModelConfig config_;
  LayerSnapshot layer_;
  std::vector<float> queries_;
  std::vector<int> positions_;
};

TEST_P(AttentionMass, IsTheSumOfTheSoftmaxes) {
  std::vector<float> mass(static_cast<size_t>(GetParam().n_tokens));
  add_attention_mass(config_, queries_, positions_, layer_, GetParam().window, mass);
  const std::vector<double> wanted = expected();
  for (size_t t = 0; t < mass.size(); ++t) EXPECT_NEAR(mass[t], wanted[t], 1e-4 * wanted[t] + 1e-7) << t;
}

TEST_P(AttentionMass, IsAddedToWhatIsThere) {
  std::vector<float> once(static_cast<size_t>(GetParam().n_tokens));
  add_attention_mass(config_, queries_, positions_, layer_, GetParam().window, once);
  std::vector<float> twice = once;
  add_attention_mass(config_, queries_, positions_, layer_, GetParam().window, twice);
  for (size_t t = 0; t < once.size(); ++t) EXPECT_NEAR(twice[t], 2 * once[t], 1e-5 * once[t]);
}

INSTANTIATE_TEST_SUITE_P(Shapes, AttentionMass,
                         ::testing::Values(Shape{4, 2, 64, 100, 9, 0}, Shape{1, 1, 8, 1, 1, 0},
                                           Shape{6, 2, 24, 16, 3, 0}, Shape{2, 2, 80, 17, 5, 6},
                                           Shape{8, 1, 32, 333, 32, 40}, Shape{3, 3, 5, 40, 40, 0}));

TEST(AttentionMassOfBadKeys, StaysWithoutNanWhereOneKeyIsNotANumber) {
  ModelConfig config;
  config.n_heads = config.n_kv_heads = 1;
  config.head_dim = 4;
  config.attention_scale = 1.0f;
  LayerSnapshot layer;
  layer.keys.assign(20 * 4, to_f16(0.5f));
  layer.keys[5 * 4] = to_f16(std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> queries(4, 1.0f);
  const std::vector<int> positions{19};
  std::vector<float> mass(20);
  add_attention_mass(config, queries, positions, layer, 0, mass);
  for (const float m : mass) EXPECT_TRUE(std::isfinite(m));
  EXPECT_NEAR(mass[0], mass[19], 1e-6);  // its score is that of the number without the part that is none
  EXPECT_LT(mass[5], mass[0]);
  EXPECT_GT(mass[5], 0.0f);
}

TEST(AttentionMassOfNothing, IsNothing) {
  ModelConfig config;
  config.n_heads = config.n_kv_heads = 1;
  config.head_dim = 4;
  std::vector<float> mass(3);
  LayerSnapshot layer;
  layer.keys.resize(12);
  add_attention_mass(config, {}, {}, layer, 0, mass);
  EXPECT_EQ(mass, std::vector<float>(3));
  add_attention_mass(config, {}, {}, layer, 0, {});
}

std::vector<f16> random_halves(Random& random, size_t n, float scale) {
  std::vector<f16> halves(n);
  for (f16& half : halves) half = to_f16(scale * random_number(random));
  return halves;
}

// One part of a token's deviation: its squared distance, in units of the mean square norm of all fresh rows.
double relative_distance(const std::vector<f16>& stored, const std::vector<f16>& fresh, size_t width, size_t token) {
  double square = 0;
  for (const f16 x : fresh) square += double{to_f32(x)} * to_f32(x);
  double distance = 0;
  for (size_t i = token * width; i < (token + 1) * width; ++i)
    distance += std::pow(double{to_f32(fresh[i])} - to_f32(stored[i]), 2);
  return square > 0 ? distance / (square * static_cast<double>(width) / static_cast<double>(fresh.size())) : 0;
}

TEST(KvDeviation, IsWhatItsDefinitionSays) {
  Random random(9);
  for (const auto& [n_kv_heads, head_dim, n_tokens] :
       {std::tuple{1, 1, 1}, std::tuple{2, 16, 7}, std::tuple{3, 5, 101}}) {
    const size_t width = static_cast<size_t>(n_kv_heads) * static_cast<size_t>(head_dim);
    const size_t n = width * static_cast<size_t>(n_tokens);
    // Keys are much larger than values, which count as much all the same.
    const LayerSnapshot stored{random_halves(random, n, 50), random_halves(random, n, 0.1f)};
    LayerSnapshot fresh{random_halves(random, n, 50), random_halves(random, n, 0.1f)};
    for (const bool without_keys : {false, true}) {
      if (without_keys) std::fill(fresh.keys.begin(), fresh.keys.end(), f16{});
      const std::vector<float> scores = kv_deviation(stored, fresh, n_tokens);
      ASSERT_EQ(scores.size(), static_cast<size_t>(n_tokens));
      for (size_t t = 0; t < scores.size(); ++t) {
        const double expected = relative_distance(stored.keys, fresh.keys, width, t) +
                                relative_distance(stored.values, fresh.values, width, t);
        EXPECT_NEAR(scores[t], expected, 1e-4 * expected + 1e-6) << n_tokens << " " << t;
      }
    }
    for (const float score : kv_deviation(fresh, fresh, n_tokens)) EXPECT_EQ(score, 0.0f);
  }
}

TEST(SpreadScores, GiveWhatStandsAroundTheBestAPart) {
  const std::vector<float> own{0, 100, 0, 0, 0, 60, 50};
  const auto spread = [&](int before, int after) {
    std::vector<float> scores = own;
    spread_scores(scores, before, after);
    return scores;
  };
  const auto expect_near = [](const std::vector<float>& got, const std::vector<float>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t t = 0; t < got.size(); ++t) EXPECT_NEAR(got[t], wanted[t], 1e-3) << t;
  };
  expect_near(spread(0, 0), own);
  expect_near(spread(1, 0), {70, 100, 0, 0, 42, 60, 50});
  expect_near(spread(2, 1), {70, 100, 70, 29.4f, 42, 60, 50});
  expect_near(spread(0, 9), {0, 100, 70, 49, 34.3f, 60, 50});
  spread_scores({}, 2, 2);
}

TEST(ShareWithinWords, GivesTheOtherTokensOfAWordAPartOfTheBest) {
  std::vector<float> scores{1, 100, 0, 0, 7, 5, 20, 0};
  share_within_words(scores, std::vector<uint8_t>{1, 0, 0, 0, 1, 1, 0, 1});
  const std::vector<float> wanted{80, 100, 80, 64, 7, 16, 20, 0};
  for (size_t t = 0; t < scores.size(); ++t) EXPECT_NEAR(scores[t], wanted[t], 1e-4) << t;
  share_within_words({}, {});
}

}  // namespace
}  // namespace mneme::engine
