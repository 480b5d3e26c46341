// How attention cuts rows into blocks: every row is in one of them, whatever the number of rows and of query heads that
// share a KV head.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "engine/backend/backend.h"
#include "tests/support/loaded_model.h"

namespace mneme::engine {
namespace {

constexpr int kHeadDim = 32;
constexpr int kMostRows = 420;  // beyond the fewest that once made a block of less than none, for each number of heads

// Attention over values that are all one is one, for each row and head.
class AttentionBlocks : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    config_.n_layers = 1;
    config_.n_heads = GetParam();
    config_.n_kv_heads = 1;
    config_.head_dim = kHeadDim;
    config_.attention_scale = 0.125f;
    config_.layers.resize(1);
    KvCacheOptions options;
    options.n_layers = 1;
    options.n_kv_heads = 1;
    options.head_dim = kHeadDim;
    options.max_tokens = 3 * kMostRows;
    cache_ = *backend_->make_kv_cache(options);
    ASSERT_TRUE(cache_->reserve(3 * kMostRows).ok());
    Random random(7);
    std::vector<f16> keys(size_t{3} * kMostRows * kHeadDim);
    for (f16& key : keys) key = to_f16(random.gaussian());
    cache_->place(0, 0, 3 * kMostRows, keys, std::vector<f16>(keys.size(), to_f16(1.0f)), nullptr);
  }
  int width() const { return config_.n_heads * kHeadDim; }

  // Rows at positions 0, step, 2 step, ...; their queries are those of the first test's table, any numbers.
  std::vector<float> attend(int n_rows, TokenPos step) {
    std::vector<TokenPos> positions(static_cast<size_t>(n_rows));
    for (int i = 0; i < n_rows; ++i) positions[static_cast<size_t>(i)] = i * step;
    const RowGroup group{cache_.get(), 0, n_rows};
    auto q = *backend_->make_activations(n_rows, width());
    auto out = *backend_->make_activations(n_rows, width());
    backend_->embed(*queries(), std::vector<TokenId>(static_cast<size_t>(n_rows), 0), 1.0f, *q);
    backend_->attend(config_, 0, RowSet{positions, {&group, 1}}, *q, *out);
    std::vector<float> result(static_cast<size_t>(n_rows) * static_cast<size_t>(width()));
    EXPECT_TRUE(backend_->read(*out, n_rows, result).ok());
    return result;
  }
  const Matrix* queries() {
    if (table_ != nullptr) return table_.get();
    Random random(11);
    numbers_.resize(static_cast<size_t>(width()));
    for (float& number : numbers_) number = random.gaussian();
    TensorView view;
    view.name = "queries";
    view.n_out = 1;
    view.n_in = width();
    view.bytes = std::as_bytes(std::span(numbers_));
    view.use = MatrixUse::kLookup;
    table_ = *backend_->load_matrix(view);
    return table_.get();
  }

  std::unique_ptr<Backend> backend_ = mneme::testing::open_test_backend(2);
  ModelConfig config_;
  std::unique_ptr<KvCache> cache_;
  std::vector<float> numbers_;
  std::unique_ptr<Matrix> table_;
};
INSTANTIATE_TEST_SUITE_P(HeadsPerKvHead, AttentionBlocks, ::testing::Range(1, 10), ::testing::PrintToStringParamName());

TEST_P(AttentionBlocks, HoldEveryRow) {
  for (const TokenPos step : {1, 3}) {  // neighbours, and scattered as fusion has them
    for (int n_rows = 1; n_rows <= kMostRows; ++n_rows) {
      for (const float value : attend(n_rows, step)) ASSERT_NEAR(value, 1.0f, 1e-3f) << n_rows << " rows";
    }
  }
}

}  // namespace
}  // namespace mneme::engine
