// Chunks whose elements name chunk and layer, for tests of what loads them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "engine/codec/codec.h"
#include "engine/kv/kv_source.h"

namespace mneme::engine {

inline constexpr KvShape kNumberedShape{.n_layers = 7, .n_kv_heads = 2, .head_dim = 4};

// Chunks of 3, 1 and 5 tokens; every element of chunk c's layer l is the f16 with the bits 100 c + l.
class NumberedSource final : public KvSource {
 public:
  int n_chunks() const override { return 3; }
  ChunkKvInfo chunk(int chunk) const override { return {kTokens[chunk], kNumberedShape.n_layers, 1, 1}; }
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override {
    if (chunk == fail_chunk && layer == fail_layer) return corruption("planted");
    int highest = highest_layer.load();
    while (highest < layer && !highest_layer.compare_exchange_weak(highest, layer)) {
    }
    const size_t n = static_cast<size_t>(kTokens[chunk]) * 8;
    const std::vector<f16> elements(2 * n, f16{static_cast<uint16_t>(chunk * 100 + layer)});
    out.resize(elements.size() * sizeof(f16));
    std::memcpy(out.data(), elements.data(), out.size());
    return {};
  }
  bool is_ready(int chunk, int layer) const override { return layer < first_unready_layer || chunk == 0; }

  int fail_chunk = -1;
  int fail_layer = -1;
  int first_unready_layer = kNumberedShape.n_layers;  // from here on only chunk 0 is there
  std::atomic<int> highest_layer{-1};                 // that was fetched

 private:
  static constexpr int kTokens[3] = {3, 1, 5};
};

}  // namespace mneme::engine
