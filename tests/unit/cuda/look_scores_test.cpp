// The attention that fusion ranks tokens by, on the device, against the host's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/fusion/row_scores.h"
#include "tests/support/loaded_model.h"
#include "tests/support/parameter_names.h"

namespace mneme::engine {
namespace {

struct Case {
  int n_heads, n_kv_heads, head_dim, n_tokens, n_looking, window;
  KvType type = KvType::kF16;
  bool sinks = false;  // which neither side takes for a token
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.n_heads << " heads of " << c.head_dim << ", " << c.n_tokens << " tokens, " << c.n_looking << " looking";
}

class LookScores : public ::testing::TestWithParam<Case> {};

TEST_P(LookScores, AreTheHosts) {
  const Case& c = GetParam();
  const std::unique_ptr<Backend> backend = mneme::testing::open_test_backend(2);
  ASSERT_NE(backend, nullptr);
  ModelConfig config;
  config.n_layers = 2;
  config.n_heads = c.n_heads;
  config.n_kv_heads = c.n_kv_heads;
  config.head_dim = c.head_dim;
  config.attention_scale = 1.0f / std::sqrt(static_cast<float>(c.head_dim));
  config.layers.resize(2);
  config.layers[1].sliding_window = c.window;
  if (c.sinks) config.layers[1].sinks.assign(static_cast<size_t>(c.n_heads), 4.0f);

  auto cache = backend->make_kv_cache(
      {.n_layers = 2, .n_kv_heads = c.n_kv_heads, .head_dim = c.head_dim, .max_tokens = c.n_tokens, .type = c.type});
  ASSERT_TRUE(cache.ok()) << cache.status().message();
  ASSERT_TRUE((*cache)->reserve(c.n_tokens).ok());
  Random random(3);
  std::vector<f16> keys(static_cast<size_t>(c.n_tokens) * static_cast<size_t>(config.kv_dim()));
  for (f16& key : keys) key = to_f16(2.0f * random.gaussian());
  if (c.type == KvType::kF16) keys[7] = to_f16(INFINITY);  // counts as zero
  (*cache)->place(1, 0, c.n_tokens, keys, keys, nullptr);

  const int n_rows = c.n_looking + 3;
  const size_t width = static_cast<size_t>(c.n_heads) * static_cast<size_t>(c.head_dim);
  std::vector<float> q(static_cast<size_t>(n_rows) * width);
  for (float& x : q) x = random.gaussian();
  auto queries = *backend->make_activations(n_rows, static_cast<int>(width));
  cuda::write_activations(*backend, q, *queries);
  std::vector<TokenPos> positions(static_cast<size_t>(n_rows));
  for (int row = 0; row < n_rows; ++row) positions[static_cast<size_t>(row)] = c.n_tokens - 2 * (n_rows - row) + 1;
  std::vector<int> looking, where;
  std::vector<float> looking_q;
  for (int row = 2; row < 2 + c.n_looking; ++row) {
    looking.push_back(row);
    where.push_back(positions[static_cast<size_t>(row)]);
    looking_q.insert(looking_q.end(), q.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(row) * width),
                     q.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(row + 1) * width));
  }

  std::vector<float> expected(static_cast<size_t>(c.n_tokens), 0.5f);
  const auto snapshot = snapshot_keys(config, **cache, 1, 0, c.n_tokens);
  ASSERT_TRUE(snapshot.ok());
  add_attention_mass(config, looking_q, where, *snapshot, c.window, expected);
  std::vector<float> got(expected.size(), 0.5f);
  const RowGroup group{cache->get(), 0, n_rows};
  const RowSet rows{positions, {&group, 1}};
  const std::unique_ptr<AttentionSums> sums = backend->sum_attention(c.n_tokens);
  ASSERT_NE(sums, nullptr);
  ASSERT_TRUE(sums->add(config, 1, rows, looking, *queries).ok());
  ASSERT_TRUE(sums->take(got).ok());
  // Both sums are to 1e-4 of themselves; keys of Q8_0 reach the host rounded to f16. Tokens beyond a row's own position
  // get nothing from it.
  const float tolerance = c.type == KvType::kQ8_0 ? 1e-2f : 3e-4f;
  for (size_t token = 0; token < got.size(); ++token)
    ASSERT_NEAR(got[token], expected[token], tolerance * expected[token]) << "token " << token;

  // Of several layers nothing is asked for in between; what the look before left is forgotten.
  const std::unique_ptr<AttentionSums> twice = backend->sum_attention(c.n_tokens);
  ASSERT_TRUE(twice->add(config, 1, rows, looking, *queries).ok());
  ASSERT_TRUE(twice->add(config, 1, rows, looking, *queries).ok());
  std::vector<float> both(expected.size());
  ASSERT_TRUE(twice->take(both).ok());
  for (size_t token = 0; token < got.size(); ++token)
    ASSERT_NEAR(both[token], 2.0f * (got[token] - 0.5f), 1e-5f) << "token " << token;
}

INSTANTIATE_TEST_SUITE_P(Shapes, LookScores,
                         ::testing::Values(Case{4, 2, 16, 90, 4, 0}, Case{8, 1, 64, 300, 3, 0},
                                           Case{4, 4, 20, 257, 9, 40}, Case{2, 2, 32, 140, 1, 1000, KvType::kQ8_0},
                                           Case{1, 1, 256, 31, 5, 3}, Case{12, 2, 40, 200, 4, 0},
                                           Case{4, 2, 64, 150, 4, 0, KvType::kF16, true}),
                         mneme::testing::parameter_name<LookScores::ParamType>);

}  // namespace
}  // namespace mneme::engine
