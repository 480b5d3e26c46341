// A conversation on a small model whose KV lies in the device's memory or in the host's: everything that is done to a
// cache at least once. Threads: one at a time.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/cuda_kv_cache.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"

namespace mneme::testing {

struct Conversation {
  RandomModel model = {.seed = 11};
  engine::KvType type = engine::KvType::kF16;
  engine::cuda::CudaOptions options = {};
  bool retrieves = true;
  int block_cache_tokens = 256;
  bool sinks = false;
};

// What it came out with.
struct Conversed {
  std::vector<float> logits;
  std::vector<f16> keys, values;  // of all layers
  engine::RetrievalReport report;
  bool in_host_memory = false;
};

class Converser {
 public:
  explicit Converser(const Conversation& of) : of_(of) {
    const auto opener = test_device().open;
    test_device().open = [&of](int) { return engine::cuda::make_cuda_backend(of.options); };
    model_ = load_model(random_gguf(of.model));
    test_device().open = opener;
    if (model_ == nullptr) return;
    if (of.sinks) give_sinks(*model_, 21);
    auto cache = model_->backend->make_kv_cache({.n_layers = model_->config.n_layers,
                                                 .n_kv_heads = model_->config.n_kv_heads,
                                                 .head_dim = model_->config.head_dim,
                                                 .max_tokens = kRoom,
                                                 .type = of.type});
    EXPECT_TRUE(cache.ok()) << cache.status().message();
    if (cache.ok()) cache_ = std::move(*cache);
  }

  Conversed run() {
    if (cache_ == nullptr) return {};
    append(100);
    append(130);
    if (of_.retrieves) retrieve();
    decode(30);  // into the third page
    cache_->forget(250);
    n_tokens_ = 250;
    append(14);
    decode(3);
    place(20);
    append(9);
    decode(6);
    result_.report = cache_->retrieval_report();
    result_.in_host_memory = cache_->in_host_memory();
    read();
    return std::move(result_);
  }
  engine::cuda::CudaKvCache& cache() { return static_cast<engine::cuda::CudaKvCache&>(*cache_); }

 private:
  static constexpr int kRoom = 400;

  void retrieve() {
    engine::RetrievalOptions options;
    options.kind = engine::AttentionKind::kPq;
    options.budget.share = 0.4;
    options.n_sinks = 8;
    options.n_bits = 4;
    options.iterations = 2;
    options.rerank = 0;
    options.block_cache_tokens = of_.block_cache_tokens;
    const Status status = cache_->set_retrieval(options, model_->config);
    EXPECT_TRUE(status.ok()) << status.message();
  }

  void append(int n) {
    EXPECT_TRUE(cache_->reserve(n_tokens_ + n).ok());
    std::vector<engine::TokenPos> positions;
    std::vector<engine::TokenId> ids;
    for (int i = 0; i < n; ++i) {
      positions.push_back(n_tokens_ + i);
      ids.push_back(1 + (7 * positions.back() * positions.back() + 3 * positions.back()) % 90);
    }
    const engine::RowGroup group{cache_.get(), 0, n};
    EXPECT_TRUE(model_->pass->begin({positions, {&group, 1}}, ids).ok());
    for (int layer = 0; layer < model_->config.n_layers; ++layer) model_->pass->run_layer(layer);
    const int last = n - 1;
    std::vector<float> logits;
    const Status status = model_->pass->logits({&last, 1}, logits);
    EXPECT_TRUE(status.ok()) << status.message();
    result_.logits.insert(result_.logits.end(), logits.begin(), logits.end());
    n_tokens_ += n;
  }

  void decode(int n) {
    for (int i = 0; i < n; ++i) {
      EXPECT_TRUE(cache_->prepare_retrieval(n_tokens_, nullptr, never_cancelled()).ok());
      append(1);
    }
  }

  // Stored KV, layer by layer.
  void place(int n) {
    EXPECT_TRUE(cache_->reserve(n_tokens_ + n).ok());
    std::vector<f16> rows;
    for (int i = 0; i < n * model_->config.kv_dim(); ++i)
      rows.push_back(to_f16(0.02f * static_cast<float>(i % 97 - 48)));
    for (int layer = 0; layer < model_->config.n_layers; ++layer) {
      cache_->place(layer, n_tokens_, n / 2, std::span(rows).first(rows.size() / 2),
                    std::span(rows).last(rows.size() / 2), &model_->config.ropes[0]);
      cache_->place(layer, n_tokens_ + n / 2, n / 2, std::span(rows).last(rows.size() / 2),
                    std::span(rows).first(rows.size() / 2), &model_->config.ropes[0]);
    }
    n_tokens_ += n;
  }

  void read() {
    const size_t of_layer = static_cast<size_t>(n_tokens_) * static_cast<size_t>(model_->config.kv_dim());
    std::vector<f16> keys(of_layer), values(of_layer);
    for (int layer = 0; layer < model_->config.n_layers; ++layer) {
      const Status status = cache_->read(layer, 0, n_tokens_, false, keys, values);
      EXPECT_TRUE(status.ok()) << status.message();
      result_.keys.insert(result_.keys.end(), keys.begin(), keys.end());
      result_.values.insert(result_.values.end(), values.begin(), values.end());
    }
  }

  const Conversation of_;
  std::unique_ptr<LoadedModel> model_;
  std::unique_ptr<engine::KvCache> cache_;
  Conversed result_;
  int n_tokens_ = 0;
};

inline bool same_halves(const std::vector<f16>& a, const std::vector<f16>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](f16 x, f16 y) { return x.bits == y.bits; });
}

}  // namespace mneme::testing
