// Attention, RoPE and the KV cache through the backend, against plain double arithmetic.
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/backend/attention_precision.h"
#include "engine/backend/backend.h"
#include "tests/support/loaded_model.h"

namespace mneme::engine {
namespace {

struct Shape {
  int n_heads, n_kv_heads, head_dim, n_keys, n_rows;
  int window = 0;
  float softcap = 0;
  bool causal = true;
  KvType type = KvType::kF16;
  std::optional<float> sink = {};  // about which the heads' sinks lie
  float distance_bias = 0;
};
Shape with_sinks(float about, Shape s) {
  s.sink = about;
  return s;
}
Shape with_slopes(Shape s) {
  s.distance_bias = 8.0f;
  s.causal = false;
  return s;
}

class AttentionTest : public ::testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(
    Shapes, AttentionTest,
    ::testing::Values(
        Shape{1, 1, 64, 1, 1}, Shape{4, 1, 64, 63, 63}, Shape{4, 2, 80, 64, 64}, Shape{8, 2, 64, 129, 17},
        Shape{6, 6, 96, 128, 1}, Shape{8, 1, 128, 1300, 1}, Shape{2, 1, 256, 700, 5}, Shape{4, 2, 40, 300, 90},
        Shape{4, 4, 64, 300, 300, 100}, Shape{4, 4, 64, 900, 2, 33}, Shape{8, 2, 64, 200, 200, 0, 20.0f},
        Shape{4, 4, 32, 200, 200, 0, 0, false}, Shape{16, 4, 64, 2000, 3},
        // Many queries: whole and part blocks of rows and keys, windows, wide heads.
        Shape{16, 4, 64, 300, 300}, Shape{8, 2, 64, 161, 5}, Shape{4, 1, 128, 257, 37}, Shape{8, 2, 96, 500, 129, 70},
        Shape{2, 1, 256, 140, 140, 0, 30.0f}, Shape{4, 1, 32, 130, 130, 0, 0, false}, Shape{1, 1, 64, 129, 17, 1},
        // Q8_0: few and many queries, page ends, windows, not causal.
        Shape{1, 1, 64, 1, 1, 0, 0, true, KvType::kQ8_0}, Shape{4, 1, 64, 127, 60, 0, 0, true, KvType::kQ8_0},
        Shape{8, 2, 128, 1300, 1, 0, 0, true, KvType::kQ8_0}, Shape{8, 8, 96, 700, 3, 33, 0, true, KvType::kQ8_0},
        Shape{4, 2, 32, 257, 257, 0, 20.0f, true, KvType::kQ8_0}, Shape{2, 1, 256, 300, 90, 0, 0, false, KvType::kQ8_0},
        // Windows around their rows: many rows and few, odd windows, keys that end before a window does.
        Shape{4, 2, 32, 700, 700, 130, 0, false}, Shape{2, 2, 64, 300, 5, 63, 0, false},
        Shape{4, 1, 64, 200, 40, 512, 0, false},
        // So many parts that a thread takes all heads of a page together.
        Shape{8, 4, 64, 9300, 1}, Shape{6, 3, 32, 8300, 2, 8200}, Shape{4, 2, 64, 9217, 1, 0, 0, true, KvType::kQ8_0},
        // One row, as decoding has it: every width of heads and kind of KV, windows, soft caps, parts that end
        // anywhere.
        Shape{4, 2, 40, 300, 1, 33}, Shape{8, 2, 128, 200, 1, 0, 20.0f}, Shape{5, 1, 80, 500, 1, 70, 0, false},
        Shape{2, 1, 256, 700, 1}, Shape{3, 3, 256, 70, 1}, Shape{6, 2, 36, 150, 1}, Shape{2, 2, 128, 129, 1},
        Shape{12, 2, 128, 2049, 1}, Shape{4, 2, 64, 700, 1, 100, 0, true, KvType::kQ8_0},
        Shape{7, 1, 256, 400, 1, 0, 0, true, KvType::kQ8_0}, Shape{2, 2, 96, 260, 1, 0, 0, true, KvType::kQ8_0},
        // Many scattered rows, as fusion repairs them: larger blocks.
        Shape{2, 1, 64, 1100, 280}, Shape{4, 4, 32, 700, 300, 90},
        // Wider than usual, as latent attention's.
        Shape{16, 1, 576, 300, 1}, Shape{4, 1, 576, 1300, 3}, Shape{10, 1, 576, 150, 40},
        Shape{8, 1, 576, 257, 20, 0, 0, true, KvType::kQ8_0}, Shape{2, 1, 300, 140, 30, 50}));

constexpr float kAbove = 1e30f;  // all scores: outputs are zero
constexpr float kBelow = -1e30f;
INSTANTIATE_TEST_SUITE_P(
    Sinks, AttentionTest,
    ::testing::Values(
        // One key; many rows, with windows and caps, wide heads and odd ones; cut along the keys.
        with_sinks(0, {1, 1, 64, 1, 1}), with_sinks(1, {4, 2, 64, 40, 40}), with_sinks(3, {8, 2, 64, 300, 300}),
        with_sinks(2, {4, 1, 128, 257, 37, 70}), with_sinks(1, {2, 1, 256, 140, 140, 0, 30.0f}),
        with_sinks(2, {6, 2, 36, 150, 40}), with_sinks(4, {2, 1, 128, 1500, 40}),
        with_sinks(1, {4, 1, 64, 127, 60, 0, 0, true, KvType::kQ8_0}), with_sinks(2, {4, 2, 64, 200, 90, 0, 20.0f}),
        // Few rows, as drafts have them, and one.
        with_sinks(5, {16, 4, 64, 2000, 3}), with_sinks(3, {4, 4, 64, 900, 2, 33}), with_sinks(2, {4, 2, 64, 60, 8}),
        with_sinks(6, {8, 1, 128, 1300, 1}), with_sinks(2, {3, 3, 256, 70, 1}), with_sinks(2, {6, 2, 36, 150, 1}),
        with_sinks(1, {8, 2, 64, 1, 1}), with_sinks(5, {8, 2, 128, 1300, 1, 0, 0, true, KvType::kQ8_0}),
        with_sinks(4, {4, 2, 64, 700, 1, 100, 0, true, KvType::kQ8_0}), with_sinks(4, {16, 2, 64, 9300, 1, 128}),
        // Far above all scores and far below: each of the kernels.
        with_sinks(kAbove, {4, 2, 64, 1, 1}), with_sinks(kAbove, {8, 2, 64, 700, 1}),
        with_sinks(kAbove, {8, 2, 64, 700, 3}), with_sinks(kAbove, {4, 2, 64, 200, 200}),
        with_sinks(kAbove, {2, 1, 128, 1500, 40}), with_sinks(kBelow, {4, 2, 64, 1, 1}),
        with_sinks(kBelow, {8, 2, 64, 700, 1}), with_sinks(kBelow, {8, 2, 64, 700, 3}),
        with_sinks(kBelow, {4, 2, 64, 200, 200}), with_sinks(kBelow, {2, 1, 128, 1500, 40})));

INSTANTIATE_TEST_SUITE_P(Slopes, AttentionTest,
                         ::testing::Values(with_slopes({4, 4, 32, 200, 200}), with_slopes({12, 12, 64, 150, 150}),
                                           with_slopes({6, 6, 64, 130, 5}), with_slopes({12, 12, 64, 700, 1}),
                                           with_slopes({3, 3, 96, 900, 40}), with_slopes({2, 2, 256, 140, 90}),
                                           with_slopes({6, 2, 40, 129, 128}), with_slopes({1, 1, 64, 1, 1}),
                                           with_slopes({4, 2, 128, 500, 129, 70}), with_slopes({5, 5, 10, 90, 60}),
                                           with_slopes({8, 8, 64, 300, 90, 0, 20.0f}),
                                           with_slopes({4, 4, 64, 300, 90, 0, 0, false, KvType::kQ8_0}),
                                           with_sinks(2, with_slopes({4, 4, 64, 300, 90}))));

// Of two layers, of which the second attends.
ModelConfig config_of(const Shape& s) {
  ModelConfig config;
  config.n_layers = 2;
  config.n_heads = s.n_heads;
  config.n_kv_heads = s.n_kv_heads;
  config.head_dim = s.head_dim;
  config.attention_scale = 1.0f / std::sqrt(static_cast<float>(s.head_dim));
  config.attention_softcap = s.softcap;
  config.causal = s.causal;
  config.distance_bias = s.distance_bias;
  config.layers.resize(2);
  config.layers[1].sliding_window = s.window;
  Random random(s.n_heads);
  for (int h = 0; s.sink && h < s.n_heads; ++h) config.layers[1].sinks.push_back(*s.sink + random.gaussian());
  return config;
}

// Output of one row's head, in double.
std::vector<double> attended(const Shape& s, const ModelConfig& config, int position, int head, const float* query,
                             const std::vector<f16>& keys, const std::vector<f16>& values) {
  const auto at = [&](int token) {
    return (static_cast<size_t>(token) * s.n_kv_heads + head / (s.n_heads / s.n_kv_heads)) * s.head_dim;
  };
  std::vector<double> weight(s.n_keys, 0.0);
  double sum = s.sink ? std::exp(double{config.layers[1].sinks[head]}) : 0.0;
  for (int t = 0; t < s.n_keys; ++t) {
    if (s.causal && t > position) continue;
    if (s.window > 0 && s.causal && t <= position - s.window) continue;
    if (s.window > 0 && !s.causal && std::abs(t - position) > s.window / 2) continue;
    double dot = 0;
    for (int d = 0; d < s.head_dim; ++d) dot += double{query[d]} * to_f32(keys[at(t) + d]);
    dot *= config.attention_scale;
    if (s.distance_bias > 0) dot -= double{config.slope_of(head)} * std::abs(t - position);
    if (s.softcap > 0) dot = s.softcap * std::tanh(dot / s.softcap);
    sum += weight[t] = std::exp(dot);
  }
  std::vector<double> out(s.head_dim, 0.0);
  for (int t = 0; t < s.n_keys; ++t)
    for (int d = 0; d < s.head_dim; ++d) out[d] += weight[t] / sum * to_f32(values[at(t) + d]);
  return out;
}

TEST_P(AttentionTest, EqualsDoublePrecision) {
  const Shape s = GetParam();
  Random random(s.n_keys * 31 + s.head_dim);
  auto backend = mneme::testing::open_test_backend(2);
  const ModelConfig config = config_of(s);
  auto cache = *backend->make_kv_cache(
      {.n_layers = 2, .n_kv_heads = s.n_kv_heads, .head_dim = s.head_dim, .max_tokens = s.n_keys, .type = s.type});
  ASSERT_TRUE(cache->reserve(s.n_keys).ok());
  const size_t kv_elements = static_cast<size_t>(s.n_keys) * s.n_kv_heads * s.head_dim;
  std::vector<f16> keys(kv_elements), values(kv_elements);
  for (f16& x : keys) x = to_f16(random.gaussian());
  for (f16& x : values) x = to_f16(random.gaussian());
  cache->place(1, 0, s.n_keys, keys, values, nullptr);
  // What the cache holds: for Q8_0 the rounded KV, itself rounded to f16 on the way out.
  ASSERT_TRUE(cache->read(1, 0, s.n_keys, false, keys, values).ok());
  const double tolerance = s.type == KvType::kF16 ? mneme::testing::test_device().attention_tolerance : 3e-3;

  // The last row is the last key; the others are spread over the sequence.
  std::vector<TokenPos> positions(s.n_rows);
  for (int i = 0; i < s.n_rows; ++i) positions[i] = static_cast<TokenPos>((int64_t{i + 1} * s.n_keys) / s.n_rows - 1);
  const RowGroup group{cache.get(), 0, s.n_rows};
  const RowSet rows{positions, {&group, 1}};
  auto q = *backend->make_activations(s.n_rows, s.n_heads * s.head_dim);
  auto out = *backend->make_activations(s.n_rows, s.n_heads * s.head_dim);

  // Queries reach the backend as embeddings of an F32 table.
  std::vector<float> queries(static_cast<size_t>(s.n_rows) * s.n_heads * s.head_dim);
  for (float& x : queries) x = 2.0f * random.gaussian();
  const TensorView view{.name = "queries",
                        .n_out = s.n_rows,
                        .n_in = s.n_heads * s.head_dim,
                        .bytes = std::as_bytes(std::span(queries)),
                        .use = MatrixUse::kLookup};
  auto table = *backend->load_matrix(view);
  std::vector<TokenId> ids(s.n_rows);
  std::iota(ids.begin(), ids.end(), 0);
  backend->embed(*table, ids, 1.0f, *q);

  backend->attend(config, 1, rows, *q, *out);
  std::vector<float> result(queries.size());
  ASSERT_TRUE(backend->read(*out, s.n_rows, result).ok());
  {
    const CoarseAttention precision(true);
    backend->attend(config, 1, rows, *q, *out);
  }
  std::vector<float> coarse(queries.size());
  ASSERT_TRUE(backend->read(*out, s.n_rows, coarse).ok());

  for (int row = 0; row < s.n_rows; ++row)
    for (int h = 0; h < s.n_heads; ++h) {
      const float* query = queries.data() + (static_cast<size_t>(row) * s.n_heads + h) * s.head_dim;
      const auto expected = attended(s, config, positions[row], h, query, keys, values);
      for (int d = 0; d < s.head_dim; ++d) {
        const size_t at = (static_cast<size_t>(row) * s.n_heads + h) * s.head_dim + d;
        ASSERT_NEAR(result[at], expected[d], tolerance) << "row " << row << " head " << h;
        // bf16: scores of some units move by hundredths, their weights by as much of themselves.
        ASSERT_NEAR(coarse[at], expected[d], 4e-2) << "row " << row << " head " << h;
      }
    }
}

TEST(CoarseAttention, EndsWithItsScopeAndIsTheThreadsOwn) {
  EXPECT_FALSE(CoarseAttention::active());
  {
    const CoarseAttention outer(true);
    {
      const CoarseAttention inner(false);
      EXPECT_TRUE(CoarseAttention::active()) << "what is within a coarse scope is coarse";
      std::thread([] { EXPECT_FALSE(CoarseAttention::active()); }).join();
    }
    EXPECT_TRUE(CoarseAttention::active());
  }
  EXPECT_FALSE(CoarseAttention::active());
}

TEST(KvCache, Q8RoundsToA127thOfEachBlocksLargest) {
  auto backend = mneme::testing::open_test_backend(2);
  KvCacheOptions options{.n_layers = 2,
                         .n_kv_heads = 3,
                         .head_dim = 64,
                         .max_tokens = 300,
                         .keep_unrotated_keys = true,
                         .type = KvType::kQ8_0};
  auto cache = *backend->make_kv_cache(options);
  ASSERT_TRUE(cache->reserve(300).ok());
  Random random(9);
  std::vector<f16> keys(200 * 192), values(200 * 192);
  for (size_t i = 0; i < keys.size(); ++i) {
    const float size = i / 32 % 7 == 0 ? 0.0f : std::exp(random.gaussian());  // some blocks are all zero
    keys[i] = to_f16(size * random.gaussian());
    values[i] = to_f16(size * random.gaussian());
  }
  cache->place(1, 50, 200, keys, values, nullptr);
  std::vector<f16> got_keys(keys.size()), got_values(values.size());
  ASSERT_TRUE(cache->read(1, 50, 200, false, got_keys, got_values).ok());
  const auto expect_close = [](const std::vector<f16>& got, const std::vector<f16>& stored) {
    for (size_t block = 0; block < stored.size(); block += 32) {
      float largest = 0;
      for (size_t i = block; i < block + 32; ++i) largest = std::max(largest, std::fabs(to_f32(stored[i])));
      for (size_t i = block; i < block + 32; ++i)
        ASSERT_NEAR(to_f32(got[i]), to_f32(stored[i]), largest * (0.5 / 127 + 1e-3)) << i;
    }
  };
  expect_close(got_keys, keys);
  expect_close(got_values, values);
  ASSERT_TRUE(cache->read(1, 50, 200, true, got_keys, got_values).ok());
  for (size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(got_keys[i].bits, keys[i].bits) << "unrotated keys stay f16";

  const KvCacheOptions odd{.n_layers = 1, .n_kv_heads = 1, .head_dim = 40, .max_tokens = 10, .type = KvType::kQ8_0};
  EXPECT_EQ(backend->make_kv_cache(odd).status().code(), StatusCode::kUnsupported);
  options.keep_unrotated_keys = false;
  auto small = *backend->make_kv_cache(options);
  options.type = KvType::kF16;
  auto large = *backend->make_kv_cache(options);
  ASSERT_TRUE(small->reserve(256).ok());
  ASSERT_TRUE(large->reserve(256).ok());
  EXPECT_LT(static_cast<double>(small->memory_bytes()), 0.54 * static_cast<double>(large->memory_bytes()));
}

TEST(KvCache, PlaceAndReadAgree) {
  auto backend = mneme::testing::open_test_backend(2);
  KvCacheOptions options{
      .n_layers = 1, .n_kv_heads = 2, .head_dim = 24, .max_tokens = 500, .keep_unrotated_keys = true};
  auto cache = *backend->make_kv_cache(options);
  ASSERT_TRUE(cache->reserve(300).ok());
  Random random(5);
  std::vector<f16> keys(200 * 48), values(200 * 48);
  for (f16& x : keys) x = to_f16(random.gaussian());
  for (f16& x : values) x = to_f16(random.gaussian());
  RopeConfig rope{RopeLayout::kSplitHalf, 16, {1.0f, 0.5f, 0.25f, 0.1f, 0.05f, 0.02f, 0.01f, 0.001f}, 1.0f};
  cache->place(0, 77, 200, keys, values, &rope);

  std::vector<f16> got_keys(keys.size()), got_values(values.size());
  ASSERT_TRUE(cache->read(0, 77, 200, true, got_keys, got_values).ok());
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(got_keys[i].bits, keys[i].bits);
    ASSERT_EQ(got_values[i].bits, values[i].bits);
  }
  ASSERT_TRUE(cache->read(0, 77, 200, false, got_keys, got_values).ok());
  for (int t = 0; t < 200; ++t)
    for (int h = 0; h < 2; ++h)
      for (int i = 0; i < 24; ++i) {
        const size_t base = (static_cast<size_t>(t) * 2 + h) * 24;
        double expected = to_f32(keys[base + i]);
        if (i < 16) {
          const double angle = double{rope.inverse_frequencies[i % 8]} * (77 + t);
          const double a = to_f32(keys[base + i % 8]);
          const double b = to_f32(keys[base + i % 8 + 8]);
          expected = i < 8 ? a * std::cos(angle) - b * std::sin(angle) : a * std::sin(angle) + b * std::cos(angle);
        }
        ASSERT_NEAR(to_f32(got_keys[base + i]), expected, 1e-3 * (1 + std::fabs(expected)));
      }
}

TEST(KvCache, RefusesWhatDoesNotFit) {
  auto backend = mneme::testing::open_test_backend(1);
  auto cache = *backend->make_kv_cache({.n_layers = 1, .n_kv_heads = 1, .head_dim = 16, .max_tokens = 10});
  EXPECT_EQ(cache->reserve(11).code(), StatusCode::kResource);
  EXPECT_EQ(cache->memory_bytes(), 0);
  EXPECT_TRUE(cache->reserve(10).ok());
  EXPECT_GT(cache->memory_bytes(), 0);
  std::vector<f16> buffer(16);
  EXPECT_EQ(cache->read(0, 0, 1, true, buffer, buffer).code(), StatusCode::kUsage);
  EXPECT_EQ(cache->read(0, 500, 1, false, buffer, buffer).code(), StatusCode::kUsage);
}

// One thread takes both heads of a page together, as there are parts enough; of more threads each takes one after the
// other.
TEST(Attention, SameForAnyNumberOfThreads) {
  constexpr int kTokens = 5000;
  std::vector<std::vector<float>> results;
  for (int threads : {1, 2, 3}) {
    auto backend = mneme::testing::open_test_backend(threads);
    ModelConfig config;
    config.n_heads = 4;
    config.n_kv_heads = 2;
    config.head_dim = 64;
    config.attention_scale = 0.125f;
    config.layers.resize(1);
    auto cache = *backend->make_kv_cache({.n_layers = 1, .n_kv_heads = 2, .head_dim = 64, .max_tokens = kTokens});
    ASSERT_TRUE(cache->reserve(kTokens).ok());
    Random random(9);
    std::vector<f16> keys(kTokens * 128), values(kTokens * 128);
    for (f16& x : keys) x = to_f16(random.gaussian());
    for (f16& x : values) x = to_f16(random.gaussian());
    cache->place(0, 0, kTokens, keys, values, nullptr);
    std::vector<float> query(256);
    for (float& x : query) x = random.gaussian();
    TensorView view{.name = "q", .n_out = 1, .n_in = 256, .bytes = std::as_bytes(std::span(query))};
    auto table = *backend->load_matrix(view);
    auto q = *backend->make_activations(1, 256);
    auto out = *backend->make_activations(1, 256);
    const TokenId id = 0;
    backend->embed(*table, {&id, 1}, 1.0f, *q);
    const TokenPos position = kTokens - 1;
    const RowGroup group{cache.get(), 0, 1};
    backend->attend(config, 0, {{&position, 1}, {&group, 1}}, *q, *out);
    results.emplace_back(256);
    ASSERT_TRUE(backend->read(*out, 1, results.back()).ok());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace mneme::engine
