// The whole model of shape bench-336m at one and two threads: prefill and decode, tokens per second.
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/language_model.h"

namespace {

using namespace mneme;
using namespace mneme::engine;
using gguf::TensorType;

std::unique_ptr<LanguageModel> make_model(TensorType type, int n_threads) {
  ModelOptions options;
  options.device.device = "cpu";
  options.device.n_threads = n_threads;
  auto model = LanguageModel::make_random("bench-336m", type, options, 1);
  return model.ok() ? std::move(*model) : nullptr;
}

std::vector<TokenId> some_tokens(int n) {
  std::vector<TokenId> ids(n);
  for (int i = 0; i < n; ++i) ids[i] = (i * 7919 + 13) % 32000;
  return ids;
}

void prefill(benchmark::State& state, TensorType type) {
  const auto model = make_model(type, static_cast<int>(state.range(1)));
  if (!model) return state.SkipWithError("no model");
  const auto ids = some_tokens(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    auto sequence = *model->new_sequence(static_cast<int>(ids.size()));
    state.ResumeTiming();
    if (!sequence->append(ids).ok()) return state.SkipWithError("append failed");
  }
  state.counters["tokens"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(ids.size()), benchmark::Counter::kIsRate);
}

void decode(benchmark::State& state, TensorType type) {
  const auto model = make_model(type, static_cast<int>(state.range(1)));
  if (!model) return state.SkipWithError("no model");
  const auto context = static_cast<int>(state.range(0));
  auto sequence = *model->new_sequence(context + 100000);
  if (!sequence->append(some_tokens(context)).ok()) return state.SkipWithError("append failed");
  const TokenId id = 5;
  for (auto _ : state)
    if (!sequence->append({&id, 1}).ok()) return state.SkipWithError("append failed");
  state.counters["tokens"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void settings(benchmark::internal::Benchmark* b, std::vector<int64_t> sizes) {
  b->ArgNames({"tokens", "threads"})->UseRealTime()->Unit(benchmark::kMillisecond);
  b->ArgsProduct({sizes, {1, 2}});
}
void prefill_settings(benchmark::internal::Benchmark* b) {
  settings(b, {512, 3072});
}
void decode_settings(benchmark::internal::Benchmark* b) {
  settings(b, {64, 8192});
}

#define MODEL_BENCH(name)                                                         \
  BENCHMARK_CAPTURE(prefill, name, TensorType::k##name)->Apply(prefill_settings); \
  BENCHMARK_CAPTURE(decode, name, TensorType::k##name)->Apply(decode_settings)
MODEL_BENCH(Q8_0);
MODEL_BENCH(Q4_0);
MODEL_BENCH(Q4_K);
MODEL_BENCH(F16);

}  // namespace
