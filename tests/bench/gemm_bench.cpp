// Products of activation rows with one matrix, by type, rows and shape. Rate: multiply-adds counted twice per second;
// bytes: packed weights read per second (what bounds a single row).
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/gguf/dequantize.h"

namespace {

using namespace mneme;
using namespace mneme::engine;
using gguf::TensorType;

// Bytes that dequantise to sane values: random codes, scales of about 1/64.
std::vector<std::byte> random_weights(TensorType type, int64_t n_out, int64_t n_in) {
  Random random(1);
  std::vector<std::byte> bytes(static_cast<size_t>(n_out * gguf::row_bytes(type, n_in)));
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.next() & 0x2f);
  return bytes;
}

void multiply(benchmark::State& state, TensorType type) {
  const auto m = static_cast<int>(state.range(0));
  const int64_t n_in = state.range(1);
  const int64_t n_out = state.range(2);
  ThreadPool pool(static_cast<int>(state.range(3)));
  const auto bytes = random_weights(type, n_out, n_in);
  TensorView view{.name = "w", .type = type, .n_out = n_out, .n_in = n_in, .bytes = bytes};
  cpu::WeightArena arena;
  cpu::CpuMatrix matrix(view);
  if (!matrix.pack(pool, arena).ok()) return state.SkipWithError("no memory");
  cpu::ReadChain chain(pool);
  cpu::Multiplier multiplier(cpu::best_kernels(), pool, chain);
  std::vector<float> x(static_cast<size_t>(m * n_in), 0.5f), y(static_cast<size_t>(m * n_out));
  for (auto _ : state) {
    multiplier.begin({x.data(), n_in, m, static_cast<int>(n_in)});
    multiplier.multiply(matrix, nullptr, y.data(), n_out);
    benchmark::DoNotOptimize(y.data());
  }
  const double products = static_cast<double>(state.iterations()) * m * static_cast<double>(n_in * n_out);
  state.counters["ops"] = benchmark::Counter(2 * products, benchmark::Counter::kIsRate);
  const double weight_bytes =
      matrix.packed() ? static_cast<double>(matrix.packed()->memory_bytes()) : static_cast<double>(bytes.size());
  state.counters["weight_bytes"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * weight_bytes, benchmark::Counter::kIsRate);
}

void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"rows", "in", "out", "threads"})->UseRealTime()->Unit(benchmark::kMicrosecond);
  for (int threads : {1, 2}) {
    b->Args({512, 1024, 2816, threads});
    b->Args({512, 2816, 1024, threads});
    b->Args({6, 1024, 2816, threads});
    b->Args({1, 1024, 2816, threads});  // in cache: arithmetic alone
    // Larger than the caches: memory bandwidth.
    b->Args({1, 1024, 65536, threads});
    b->Args({4, 1024, 65536, threads});
  }
}

BENCHMARK_CAPTURE(multiply, Q8_0, TensorType::kQ8_0)->Apply(shapes);
BENCHMARK_CAPTURE(multiply, Q4_0, TensorType::kQ4_0)->Apply(shapes);
BENCHMARK_CAPTURE(multiply, Q4_K, TensorType::kQ4_K)->Apply(shapes);
BENCHMARK_CAPTURE(multiply, Q6_K, TensorType::kQ6_K)->Apply(shapes);
BENCHMARK_CAPTURE(multiply, F16, TensorType::kF16)->Apply(shapes);
BENCHMARK_CAPTURE(multiply, F32, TensorType::kF32)->Apply(shapes);

}  // namespace
