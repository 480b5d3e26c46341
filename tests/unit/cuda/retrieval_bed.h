// A sequence with made-up keys and values on a backend, for tests of retrieval. Threads: one at a time.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/cuda_kv_cache.h"

namespace mneme::testing {

using engine::cuda::CudaKvCache;

struct Shape {
  int n_heads, n_kv_heads, head_dim, n_tokens;
  engine::KvType type = engine::KvType::kF16;
  bool split = true;
  bool combine_max = false;
  int n_bits = 6;
  int n_sinks = 32;
  double share = 0.2;
  float softcap = 0;
  std::optional<float> logit = {};  // about which the heads' own sinks lie (LayerConfig::sinks)
};

inline engine::ModelConfig config_of(const Shape& s) {
  engine::ModelConfig config;
  config.n_layers = 2;
  config.n_heads = s.n_heads;
  config.n_kv_heads = s.n_kv_heads;
  config.head_dim = s.head_dim;
  config.attention_scale = 1.0f / std::sqrt(static_cast<float>(s.head_dim));
  config.attention_softcap = s.softcap;
  config.layers.resize(2);
  Random random(17);
  for (engine::LayerConfig& layer : config.layers)
    for (int head = 0; s.logit && head < s.n_heads; ++head) layer.sinks.push_back(*s.logit + random.gaussian());
  return config;
}

inline engine::RetrievalOptions options_of(const Shape& s) {
  engine::RetrievalOptions options;
  options.kind = engine::AttentionKind::kPq;
  options.budget.share = s.share;
  options.n_sinks = s.n_sinks;
  options.n_bits = s.n_bits;
  options.iterations = 3;
  options.training_keys = 400;  // of one slice, whose points are added as the host adds them
  options.rerank = 0;
  options.split_heads = s.split;
  options.combine_max = s.combine_max;
  return options;
}

// Keys around a few topics that last for a while, as text has them.
inline std::vector<f16> topical(const Shape& s, int n_tokens, uint64_t seed) {
  Random random(seed);
  const auto width = static_cast<size_t>(s.n_kv_heads * s.head_dim);
  std::vector<float> topics(20 * width);
  for (float& x : topics) x = 1.5f * random.gaussian();
  std::vector<f16> out;
  size_t topic = 0;
  for (int i = 0; i < n_tokens; ++i) {
    if (i % 17 == 0) topic = random.below(20);
    for (size_t d = 0; d < width; ++d) out.push_back(to_f16(topics[topic * width + d] + random.gaussian()));
  }
  return out;
}

inline std::vector<float> gaussian(size_t n, uint64_t seed) {
  Random random(seed);
  std::vector<float> out(n);
  for (float& x : out) x = random.gaussian();
  return out;
}

// A sequence on a backend, with made-up KV in place.
struct Bed {
  Shape shape;
  engine::ModelConfig config;
  std::unique_ptr<engine::Backend> backend;
  std::unique_ptr<engine::KvCache> cache;
  std::unique_ptr<engine::Activations> q, out;
  std::unique_ptr<engine::Matrix> table;

  Bed(const Shape& s, std::unique_ptr<engine::Backend> on, int max_tokens)
      : shape(s), config(config_of(s)), backend(std::move(on)) {
    cache = *backend->make_kv_cache(
        {.n_layers = 2, .n_kv_heads = s.n_kv_heads, .head_dim = s.head_dim, .max_tokens = max_tokens, .type = s.type});
    EXPECT_TRUE(cache->reserve(max_tokens).ok());
    q = *backend->make_activations(2, s.n_heads * s.head_dim);
    out = *backend->make_activations(2, s.n_heads * s.head_dim);
  }
  void place(int first, int n, uint64_t seed) {
    const auto keys = topical(shape, n, seed);
    const auto values = topical(shape, n, seed + 100);
    for (int layer = 0; layer < 2; ++layer) cache->place(layer, first, n, keys, values, nullptr);
    EXPECT_TRUE(backend->synchronize().ok());
  }
  // Queries reach a backend as an embedding of an F32 table.
  void set_query(const std::vector<float>& query) {
    engine::TensorView view;
    view.name = "queries";
    view.n_in = static_cast<int64_t>(query.size());
    view.bytes = std::as_bytes(std::span(query));
    view.use = engine::MatrixUse::kLookup;
    table = *backend->load_matrix(view);
    const engine::TokenId id = 0;
    backend->embed(*table, std::span(&id, 1), 1.0f, *q);
  }
  void attend(int layer, int n_tokens, std::vector<float>& result) {
    const engine::TokenPos position = n_tokens - 1;
    const engine::RowGroup group{cache.get(), 0, 1};
    backend->attend(config, layer, {std::span(&position, 1), std::span(&group, 1)}, *q, *out);
    result.resize(static_cast<size_t>(shape.n_heads * shape.head_dim));
    const Status status = backend->read(*out, 1, result);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  CudaKvCache& cuda() const { return static_cast<CudaKvCache&>(*cache); }
};

inline std::unique_ptr<engine::Backend> open_cuda() {
  auto backend = engine::cuda::make_cuda_backend({});
  EXPECT_TRUE(backend.ok()) << backend.status().message();
  return std::move(*backend);
}

}  // namespace mneme::testing
