// Attention of one layer (16 heads, 4 KV heads, head dimension 64): rows at the end of a context. Rate: multiply-adds
// counted twice per second; bytes: keys and values read per second (what bounds a single row).
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/backend/cpu/cpu_backend.h"

namespace {

using namespace mneme;
using namespace mneme::engine;

void attend(benchmark::State& state) {
  const auto n_rows = static_cast<int>(state.range(0));
  const auto n_keys = static_cast<int>(state.range(1));
  constexpr int kLayers = 8;  // visited in turn, so that a long context does not stay in cache
  auto backend = make_cpu_backend(static_cast<int>(state.range(2)));
  ModelConfig config;
  config.n_layers = kLayers;
  config.n_heads = 16;
  config.n_kv_heads = 4;
  config.head_dim = 64;
  config.attention_scale = 0.125f;
  config.layers.resize(kLayers);
  auto cache = *backend->make_kv_cache({.n_layers = kLayers, .n_kv_heads = 4, .head_dim = 64, .max_tokens = n_keys});
  if (!cache->reserve(n_keys).ok()) return state.SkipWithError("no memory");
  const std::vector<f16> values(static_cast<size_t>(n_keys) * 256, to_f16(0.25f));
  for (int layer = 0; layer < kLayers; ++layer) cache->place(layer, 0, n_keys, values, values, nullptr);
  auto q = *backend->make_activations(n_rows, 1024);
  auto out = *backend->make_activations(n_rows, 1024);
  std::vector<float> query(1024, 0.1f);
  TensorView view{.name = "q", .n_out = 1, .n_in = 1024, .bytes = std::as_bytes(std::span(query))};
  auto table = *backend->load_matrix(view);
  backend->embed(*table, std::vector<TokenId>(n_rows, 0), 1.0f, *q);
  std::vector<TokenPos> positions(n_rows);
  double products = 0;
  for (int i = 0; i < n_rows; ++i) {
    positions[i] = n_keys - n_rows + i;
    products += 2.0 * 1024 * (positions[i] + 1);
  }
  const RowGroup group{cache.get(), 0, n_rows};
  int layer = 0;
  for (auto _ : state) {
    backend->attend(config, layer, {positions, {&group, 1}}, *q, *out);
    layer = (layer + 1) % kLayers;
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["ops"] = benchmark::Counter(2 * products * rounds, benchmark::Counter::kIsRate);
  state.counters["kv_bytes"] = benchmark::Counter(rounds * n_keys * 256 * 2 * 2, benchmark::Counter::kIsRate);
}
BENCHMARK(attend)
    ->ArgNames({"rows", "keys", "threads"})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond)
    ->ArgsProduct({{1, 512}, {512, 8192, 32768}, {1, 2}});

}  // namespace
