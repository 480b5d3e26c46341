// Attention on tensor cores against the plain kernel (which attention_test compares with double arithmetic), over what
// changes its indices: widths of heads, ends of tiles and pages, windows, soft caps, several sequences, kinds of KV.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/f16.h"
#include "base/random.h"
#include "engine/backend/cuda/attention_kernels.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "tests/support/simt/simt.h"

namespace mneme::engine::cuda {
namespace {

struct Shape {
  int n_heads, n_kv_heads, head_dim;
  std::vector<int> rows, keys;  // of each sequence
  int window = 0;
  float softcap = 0;
  bool causal = true;
  KvType type = KvType::kF16;
  std::optional<float> sink = {};  // about which the heads' sinks lie
  float distance_bias = 0;
};

class TensorAttention : public ::testing::TestWithParam<Shape> {
 protected:
  void TearDown() override { simt::machine() = {}; }
};
INSTANTIATE_TEST_SUITE_P(
    Shapes, TensorAttention,
    ::testing::Values(Shape{1, 1, 64, {9}, {9}}, Shape{4, 2, 64, {70}, {200}}, Shape{8, 2, 128, {17, 33}, {129, 33}},
                      Shape{5, 5, 40, {64}, {300}}, Shape{3, 1, 96, {25}, {64}}, Shape{4, 4, 80, {20}, {65}, 30},
                      Shape{2, 2, 64, {100}, {400}, 70}, Shape{4, 2, 32, {40}, {128}, 0, 20.0f},
                      Shape{2, 1, 128, {50}, {150}, 0, 0, false},
                      Shape{4, 2, 64, {90}, {257}, 0, 0, true, KvType::kQ8_0},
                      Shape{140, 1, 16, {10}, {40}},  // more query heads on a KV head than a block holds
                      // Cut along the keys: ends of parts, rows that see nothing of one, windows, other kinds of KV.
                      Shape{4, 2, 64, {130}, {700}}, Shape{2, 1, 128, {40}, {1500}}, Shape{1, 1, 64, {20}, {900}, 300},
                      Shape{2, 1, 64, {30}, {1200}, 0, 20.0f}, Shape{2, 1, 128, {30}, {700}, 0, 0, false},
                      Shape{2, 1, 64, {30, 12}, {1100, 50}, 0, 0, true, KvType::kQ8_0},
                      // Sinks, whole and cut along the keys; slopes, which encoders have.
                      Shape{4, 2, 64, {70}, {200}, 0, 0, true, KvType::kF16, 4.0f},
                      Shape{8, 2, 128, {17, 33}, {700, 33}, 70, 0, true, KvType::kF16, 2.0f},
                      Shape{2, 1, 64, {30}, {1200}, 0, 20.0f, true, KvType::kF16, 6.0f},
                      Shape{2, 1, 128, {40}, {1500}, 0, 0, true, KvType::kQ8_0, 5.0f},
                      Shape{140, 1, 16, {10}, {40}, 0, 0, true, KvType::kF16, 1.0f},
                      Shape{12, 12, 64, {90, 64, 9}, {90, 64, 9}, 0, 0, false, KvType::kF16, {}, 8.0f},
                      Shape{6, 2, 128, {130}, {300}, 0, 0, false, KvType::kF16, {}, 8.0f},
                      Shape{4, 4, 40, {60}, {1100}, 100, 0, false, KvType::kF16, {}, 8.0f},
                      Shape{2, 1, 96, {40}, {1300}, 0, 0, false, KvType::kQ8_0, 3.0f, 8.0f}));

std::vector<float> attend_on(int major, const Shape& s) {
  simt::machine().major = major;
  auto backend = *make_cuda_backend({});
  ModelConfig config;
  config.n_heads = s.n_heads;
  config.n_kv_heads = s.n_kv_heads;
  config.head_dim = s.head_dim;
  config.attention_scale = 1.0f / std::sqrt(static_cast<float>(s.head_dim));
  config.attention_softcap = s.softcap;
  config.causal = s.causal;
  config.layers = {{.sliding_window = s.window}};
  config.distance_bias = s.distance_bias;
  Random random(7);
  std::vector<std::unique_ptr<KvCache>> caches;
  std::vector<RowGroup> groups;
  std::vector<TokenPos> positions;
  for (size_t i = 0; i < s.rows.size(); ++i) {
    caches.push_back(*backend->make_kv_cache(
        {.n_layers = 1, .n_kv_heads = s.n_kv_heads, .head_dim = s.head_dim, .max_tokens = s.keys[i], .type = s.type}));
    EXPECT_TRUE(caches[i]->reserve(s.keys[i]).ok());
    std::vector<f16> keys(static_cast<size_t>(s.keys[i] * s.n_kv_heads * s.head_dim)), values(keys.size());
    for (f16& x : keys) x = to_f16(random.gaussian());
    for (f16& x : values) x = to_f16(random.gaussian());
    caches[i]->place(0, 0, s.keys[i], keys, values, nullptr);
    groups.push_back({caches[i].get(), static_cast<int>(positions.size()), s.rows[i]});
    for (int row = 1; row <= s.rows[i]; ++row) positions.push_back(row * s.keys[i] / s.rows[i] - 1);
  }
  const auto n_rows = static_cast<int>(positions.size());
  const int width = s.n_heads * s.head_dim;
  std::vector<float> queries(static_cast<size_t>(n_rows * width));
  for (float& x : queries) x = 2.0f * random.gaussian();
  for (int head = 0; s.sink && head < s.n_heads; ++head) config.layers[0].sinks.push_back(*s.sink + random.gaussian());
  TensorView view{.name = "q", .n_out = n_rows, .n_in = width, .bytes = std::as_bytes(std::span(queries))};
  auto table = *backend->load_matrix(view);
  auto q = *backend->make_activations(n_rows, width);
  auto out = *backend->make_activations(n_rows, width);
  std::vector<TokenId> ids(static_cast<size_t>(n_rows));
  std::iota(ids.begin(), ids.end(), 0);
  backend->embed(*table, ids, 1.0f, *q);
  backend->attend(config, 0, {positions, groups}, *q, *out);
  std::vector<float> result(queries.size(), NAN);
  EXPECT_TRUE(backend->read(*out, n_rows, result).ok());
  return result;
}

// Queries of twice the usual size, rounded to f16 as weights are: 1.5e-3 and 1.6e-4 at most were seen, where an index
// that is wrong shows as tenths.
constexpr double kTolerance = 2.5e-3;
constexpr double kMeanTolerance = 2.5e-4;  // root mean square

TEST_P(TensorAttention, AgreesWithThePlainKernel) {
  const Shape& shape = GetParam();
  ASSERT_TRUE(suits_tensor_cores(shape.head_dim));
  const std::vector<float> plain = attend_on(7, shape);
  const std::vector<float> tensor = attend_on(8, shape);
  double squares = 0;
  for (size_t i = 0; i < plain.size(); ++i) {
    ASSERT_NEAR(tensor[i], plain[i], kTolerance) << i;
    squares += (tensor[i] - plain[i]) * (tensor[i] - plain[i]) / static_cast<double>(plain.size());
  }
  EXPECT_LE(std::sqrt(squares), kMeanTolerance);
  simt::machine().order = simt::ThreadOrder::kDescending;
  EXPECT_EQ(attend_on(8, shape), tensor) << "threads may run in any order";
}

class SingleRows : public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
};

// Decoding several sequences at once, which is compared with decoding each alone (attention_test compares those with
// double arithmetic). No part of it depends on the order of threads.
TEST_F(SingleRows, OfSeveralSequencesAreWhatEachIsAlone) {
  for (const int head_dim : {64, 128}) {
    Shape shape{8, 2, head_dim, {1, 1, 1}, {1, 700, 130}};
    const auto together = attend_on(8, shape);
    simt::machine().order = simt::ThreadOrder::kDescending;
    EXPECT_EQ(attend_on(8, shape), together);
    simt::machine() = {};
    // Two rows of the last sequence are no single rows any more: the kernel for a few.
    shape.rows[2] = 2;
    const auto several = attend_on(8, shape);
    const auto width = static_cast<size_t>(8 * head_dim);
    for (size_t i = 0; i < 2 * width; ++i) ASSERT_NEAR(together[i], several[i], 1e-5) << head_dim << " " << i;
  }
}

TEST_F(SingleRows, AreCutForEveryMultiprocessor) {
  const AttentionMeans means{132, true};
  const auto plan = [&](int n_heads, int n_kv_heads, int n_keys) {
    return plan_attention({.n_heads = n_heads, .n_kv_heads = n_kv_heads, .head_dim = 128},
                          {.most_rows = 1, .n_keys = n_keys, .n_tiles = 1}, means);
  };
  EXPECT_TRUE(plan(32, 8, 2304).single);
  EXPECT_EQ(plan(32, 8, 2304).n_splits, 18);
  EXPECT_EQ(plan(32, 8, 32).n_splits, 1);
  EXPECT_EQ(plan(12, 2, 2304).n_splits, 36) << "two tiles of heads on a KV head, parts of 64 keys";
  EXPECT_LE(plan(1, 1, 1 << 20).n_splits, kMostSplits);
  AttentionMeans mixed = means;
  mixed.one_kind = false;
  EXPECT_FALSE(plan_attention({.n_heads = 8, .n_kv_heads = 8, .head_dim = 64}, {.most_rows = 1}, mixed).single);
}

TEST(TensorAttentionPlan, StepsOfTooFewBlocksAreCutAlongTheKeys) {
  const AttentionShape shape{.n_heads = 32, .n_kv_heads = 8, .head_dim = 128};
  const AttentionMeans means{132, true};
  const auto plan = [&](int n_rows, int n_keys) {
    const int rows_per_tile = plan_attention(shape, {.most_rows = n_rows}, means).rows_per_tile;
    return plan_attention(shape, {n_rows, n_keys, (n_rows + rows_per_tile - 1) / rows_per_tile}, means);
  };
  EXPECT_EQ(plan(64, 8192).rows_per_tile, kTensorQueries / 4);
  EXPECT_EQ(plan(2048, 8192).n_splits, 1);
  EXPECT_EQ(plan(64, 256).n_splits, 1) << "no parts of a few tiles";
  const AttentionPlan question = plan(64, 8192);
  EXPECT_GE(question.n_splits, 16) << "two tiles of rows, eight heads: sixteen blocks by themselves";
  EXPECT_EQ(question.split_keys % kTensorKeys, 0);
  EXPECT_GE(question.split_keys * question.n_splits, 8192);
}

TEST(TensorAttentionPlan, OnlyManyRowsOfFittingHeads) {
  const AttentionMeans means{4, true};
  EXPECT_TRUE(plan_attention({.n_heads = 4, .n_kv_heads = 2, .head_dim = 128}, {.most_rows = 9}, means).tensor_cores);
  EXPECT_FALSE(plan_attention({.n_heads = 4, .n_kv_heads = 2, .head_dim = 128}, {.most_rows = 8}, means).tensor_cores);
  EXPECT_FALSE(plan_attention({.n_heads = 4, .n_kv_heads = 2, .head_dim = 256}, {.most_rows = 9}, means).tensor_cores);
  EXPECT_FALSE(plan_attention({.n_heads = 4, .n_kv_heads = 2, .head_dim = 10}, {.most_rows = 9}, means).tensor_cores);
  const float slopes[4] = {};
  AttentionShape sloped{.n_heads = 4, .n_kv_heads = 2, .head_dim = 64, .slopes = slopes};
  EXPECT_TRUE(plan_attention(sloped, {.most_rows = 9}, means).tensor_cores);
  sloped.softcap = 20.0f;
  EXPECT_FALSE(plan_attention(sloped, {.most_rows = 9}, means).tensor_cores) << "the plain kernel takes both";
}

}  // namespace
}  // namespace mneme::engine::cuda
