// Retrieval of keys, the step's two halves apart. select: one KV head of 4 query heads chooses a tenth of its keys;
// rate in (key, query head) look-ups per second. gather: attention of 4 query heads to scattered rows of 64 f16
// elements; bytes of keys and values per second, which memory bounds.
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "base/thread_pool.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/page_pool.h"
#include "engine/pq/key_selector.h"

namespace {

using namespace mneme;
using namespace mneme::engine;

constexpr int kHeadDim = 64;
constexpr int kHeads = 4;

class RandomKeys final : public KeyReader {
 public:
  explicit RandomKeys(int n) : keys_(static_cast<size_t>(n) * kHeadDim) {
    Random random(1);
    for (float& x : keys_) x = random.gaussian();
  }
  void read_keys(int, int, TokenPos first, int n, int step, std::span<const int> order, float* out) const override {
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < kHeadDim; ++d)
        *out++ =
            keys_[static_cast<size_t>(first + i * step) * kHeadDim + static_cast<size_t>(order.empty() ? d : order[d])];
  }
  void read_values(int, int, TokenPos first, int n, float* out) const override {
    std::copy_n(keys_.begin() + int64_t{first} * kHeadDim, n * kHeadDim, out);
  }

 private:
  std::vector<float> keys_;
};

void select(benchmark::State& state) {
  const auto n_keys = static_cast<int>(state.range(0));
  RetrievalOptions options;
  options.n_parts = static_cast<int>(state.range(1));
  options.n_bits = static_cast<int>(state.range(2));
  options.tail = state.range(3) != 0;
  options.iterations = 2;
  const RandomKeys keys(n_keys);
  const auto selector = make_key_selector(
      options, {.n_layers = 1, .n_kv_heads = 1, .head_dim = kHeadDim, .ropes = {nullptr}}, best_pq_kernels());
  if (!selector->update(0, 0, n_keys, keys, never_cancelled()).ok()) return state.SkipWithError("no index");
  Random random(2);
  std::vector<float> queries(kHeads * kHeadDim);
  for (float& x : queries) x = 2 * random.gaussian();
  KeyQuery query;
  query.queries = queries;
  query.n_heads = kHeads;
  query.scale = 0.125f;
  query.begin = 32;
  query.end = n_keys - 128;
  query.n_tokens = n_keys;
  query.k = n_keys / 10;
  SelectScratch scratch(best_pq_kernels());
  std::vector<TokenPos> chosen;
  for (auto _ : state) {
    chosen.clear();
    selector->select(query, keys, scratch, chosen);
    benchmark::DoNotOptimize(chosen.data());
  }
  const auto lookups = static_cast<double>(state.iterations()) * kHeads * (query.end - query.begin);
  state.counters["lookups"] = benchmark::Counter(lookups, benchmark::Counter::kIsRate);
}
BENCHMARK(select)
    ->ArgNames({"keys", "m", "b", "tail"})
    ->Unit(benchmark::kMicrosecond)
    ->Args({8192, 2, 6, 0})
    ->Args({32768, 2, 6, 0})
    ->Args({131072, 2, 6, 0})
    ->Args({32768, 2, 6, 1})
    ->Args({32768, 4, 6, 0})
    ->Args({32768, 4, 8, 0});

// Rows in runs of `run` out of 512 MiB of pages in huge pages, as a long context has them; two threads, as the program.
void gather(benchmark::State& state) {
  constexpr size_t kRowsPerCall = 512;
  constexpr size_t kBytes = size_t{512} << 20;
  constexpr size_t kRow = kHeadDim * 2;
  const auto n_run = static_cast<size_t>(state.range(0));
  const auto n_threads = static_cast<int>(state.range(1));
  static const auto pool_of_pages = std::make_shared<cpu::PagePool>(0);
  static const auto memory = [] {
    auto run = pool_of_pages->acquire(kBytes);
    if (run.ok()) std::fill_n((*run)->data(), kBytes, std::byte{0});
    return run.ok() ? std::move(*run) : nullptr;
  }();
  if (memory == nullptr) return state.SkipWithError("no memory");
  const size_t n_tokens = kBytes / (2 * kRow);
  Random random(3);
  std::vector<cpu::KvRow> rows;
  while (rows.size() < 200 * kRowsPerCall) {
    const size_t first = random.below(n_tokens / n_run) * n_run;
    for (size_t token = first; token < first + n_run; ++token) {
      const std::byte* key = memory->data() + token * 2 * kRow;
      rows.push_back({key, key + kRow, nullptr, nullptr});
    }
  }
  const cpu::Kernels& kernels = cpu::best_kernels();
  ThreadPool pool(n_threads);
  std::vector<float> queries(kHeads * kHeadDim, 0.1f);
  const size_t n_calls = rows.size() / kRowsPerCall;
  for (auto _ : state) {
    pool.parallel_for_parts(n_calls, 1, [&](int, size_t begin, size_t end) {
      float maximum[kHeads], sum[kHeads], out[kHeads * kHeadDim] = {};
      std::fill(maximum, maximum + kHeads, -__builtin_inff());
      std::fill(sum, sum + kHeads, 0.0f);
      static thread_local cpu::AlignedBuffer<float> scratch;
      scratch.reserve(static_cast<size_t>(cpu::attention_scratch_floats(kHeads, kHeadDim, kHeadDim)));
      for (size_t call = begin; call < end; ++call) {
        cpu::AttentionRows run;
        run.n_queries = kHeads;
        run.head_dim = run.value_stride = kHeadDim;
        run.queries = queries.data();
        run.rows = rows.data() + call * kRowsPerCall;
        run.n_rows = kRowsPerCall;
        run.n_ahead = call + 1 < end ? cpu::AttentionRows::kAhead : 0;
        run.n_fetched = call > begin ? cpu::AttentionRows::kAhead : 0;
        run.maximum = maximum;
        run.sum = sum;
        run.out = out;
        run.scratch = scratch.data();
        kernels.attend_rows(run);
        benchmark::DoNotOptimize(out);
      }
    });
  }
  state.counters["bytes"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(n_calls * kRowsPerCall * 2 * kRow),
      benchmark::Counter::kIsRate);
}
BENCHMARK(gather)
    ->ArgNames({"run", "threads"})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond)
    ->ArgsProduct({{1, 4, 16, 512}, {1, 2}});

}  // namespace
