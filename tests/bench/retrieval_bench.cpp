// Retrieval of keys, taken apart; one thread. Rates are (key, query head) look-ups per second, for one KV head of 4
// query heads unless said otherwise. read_codes: codes are read and added up, nothing else: what reading them can give
// at most. scan: every key's score for every head, from tables in registers, written and summed. collect: keys of 4096
// cells are taken or not by one bit each, whatever the number of heads. Both with the codes of one head (in the caches)
// or of `heads` in turn (from memory). rank: what a step does before it looks at a key, which depends on the length
// hardly at all. select: a whole choice of a tenth, ranking included; in the caches, or with the 96 heads of a model in
// turn. gather: attention of 4 query heads to scattered rows of 64 f16 elements; bytes of keys and values per second,
// which memory bounds.
#include <cstring>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "base/thread_pool.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/page_pool.h"
#include "engine/pq/cell_ranking.h"
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

void count_lookups(benchmark::State& state, int n_keys) {
  state.counters["lookups"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kHeads * n_keys, benchmark::Counter::kIsRate);
}

// Codes of two parts for some KV heads, of which every call of next() gives the one after.
class CodesInTurn {
 public:
  CodesInTurn(int n_heads, int n_keys) : n_keys_(n_keys), codes_(static_cast<size_t>(n_heads)) {
    Random random(4);
    for (auto& head : codes_) {
      head.resize(2 * stride());
      for (uint8_t& code : head) code = static_cast<uint8_t>(random.below(kTableEntries));
    }
  }
  CodePair next() {
    at_ = (at_ + 1) % codes_.size();
    return {codes_[at_].data(), codes_[at_].data() + stride()};
  }
  // Codes of a part, with room for what is asked for ahead.
  size_t stride() const { return static_cast<size_t>(n_keys_) + 4096; }

 private:
  int n_keys_;
  std::vector<std::vector<uint8_t>> codes_;
  size_t at_ = 0;
};

void read_codes(benchmark::State& state) {
  const auto n_keys = static_cast<int>(state.range(0));
  CodesInTurn codes(static_cast<int>(state.range(1)), n_keys);
  for (auto _ : state) {
    const CodePair pair = codes.next();
    uint64_t sum = 0;
    for (const uint8_t* part : {pair.first, pair.second}) {
      for (int i = 0; i < n_keys; i += 8) {
        uint64_t eight = 0;
        std::memcpy(&eight, part + i, sizeof eight);
        sum += eight;
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  count_lookups(state, n_keys);
}

void scan(benchmark::State& state) {
  const auto n_keys = static_cast<int>(state.range(0));
  CodesInTurn codes(static_cast<int>(state.range(1)), n_keys);
  std::vector<int16_t> tables(size_t{kHeads} * 2 * kTableEntries, -100);
  std::vector<int16_t> scores(size_t{kHeads} * static_cast<size_t>(n_keys));
  std::vector<float> sums(size_t{kHeads} * kScanBlock);
  for (auto _ : state) {
    const CodePair pair = codes.next();
    best_pq_kernels().scan({.n_parts = 2,
                            .codes = {pair.first, pair.second},
                            .n_heads = kHeads,
                            .tables = tables.data(),
                            .n_keys = n_keys,
                            .scores = scores.data(),
                            .score_stride = n_keys,
                            .sums = sums.data()});
    benchmark::DoNotOptimize(scores.data());
  }
  count_lookups(state, n_keys);
}

// A tenth of the cells is taken.
void collect(benchmark::State& state) {
  const auto n_keys = static_cast<int>(state.range(0));
  CodesInTurn codes(static_cast<int>(state.range(1)), n_keys);
  std::vector<int16_t> scores(kCells);
  Random random(5);
  for (int16_t& score : scores) score = static_cast<int16_t>(random.below(1000));
  std::vector<int32_t> found(static_cast<size_t>(n_keys) + kScanBlock * 2);
  for (auto _ : state) {
    const CodePair pair = codes.next();
    const int n = best_pq_kernels().collect_cells({.scores = scores.data(),
                                                   .threshold = 900,
                                                   .codes = {pair.first, pair.second},
                                                   .n_keys = n_keys,
                                                   .out = found.data()});
    benchmark::DoNotOptimize(n);
  }
  count_lookups(state, n_keys);
}

// As many keys as lie in the second-level cache, and as many heads as memory must be read for.
void in_caches_and_from_memory(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"keys", "heads"})
      ->Unit(benchmark::kMicrosecond)
      ->Args({32768, 1})
      ->Args({32768, 2048})
      ->Args({131072, 512});
}
BENCHMARK(read_codes)->Apply(in_caches_and_from_memory);
BENCHMARK(scan)->Apply(in_caches_and_from_memory);
BENCHMARK(collect)->Apply(in_caches_and_from_memory);

// Weighing, counting and thresholds: the work per step that is the same for 8192 keys and for 131072.
void rank(benchmark::State& state) {
  CellRanking cells(best_pq_kernels());
  Random random(6);
  std::vector<float> counts(kCells);
  for (float& count : counts) count = static_cast<float>(random.below(16));
  std::vector<float> logarithms(size_t{kHeads} * 2 * kTableEntries);
  for (float& one : logarithms) one = 2 * random.gaussian();
  std::vector<float> factors(kHeads, 1e-3f);
  for (auto _ : state) {
    cells.use_counts(kHeads, counts);
    for (int h = 0; h < kHeads; ++h) {
      const std::span<float> weights = cells.weights(h);
      std::copy_n(logarithms.begin() + h * 2 * kTableEntries, 2 * kTableEntries, weights.begin());
      best_pq_kernels().weigh(weights.data(), kTableEntries, 1.0f);
      best_pq_kernels().weigh(weights.data() + kTableEntries, kTableEntries, 1.0f);
    }
    benchmark::DoNotOptimize(cells.head_sums().data());
    cells.score(factors, false);
    int reaching[kThresholds];
    const int16_t thresholds[kThresholds] = {100, 200, 300, 400};
    for (int round = 0; round < 3; ++round) cells.count_reaching(thresholds, reaching);
    benchmark::DoNotOptimize(reaching);
  }
}
BENCHMARK(rank)->Unit(benchmark::kMicrosecond);

void select(benchmark::State& state) {
  const auto n_keys = static_cast<int>(state.range(0));
  const auto n_kv_heads = static_cast<int>(state.range(4));
  RetrievalOptions options;
  options.n_parts = static_cast<int>(state.range(1));
  options.n_bits = static_cast<int>(state.range(2));
  options.tail = state.range(3) != 0;
  options.iterations = 2;
  const RandomKeys keys(n_keys);
  const auto selector = make_key_selector(
      options, {.n_layers = 1, .n_kv_heads = n_kv_heads, .head_dim = kHeadDim, .ropes = {nullptr}}, best_pq_kernels());
  for (int head = 0; head < n_kv_heads; ++head)
    if (!selector->update(0, head, n_keys, keys, never_cancelled()).ok()) return state.SkipWithError("no index");
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
    query.kv_head = (query.kv_head + 1) % n_kv_heads;
    chosen.clear();
    selector->select(query, keys, scratch, chosen);
    benchmark::DoNotOptimize(chosen.data());
  }
  count_lookups(state, query.end - query.begin);
}
BENCHMARK(select)
    ->ArgNames({"keys", "m", "b", "tail", "heads"})
    ->Unit(benchmark::kMicrosecond)
    ->Args({8192, 2, 6, 0, 1})
    ->Args({32768, 2, 6, 0, 1})
    ->Args({131072, 2, 6, 0, 1})
    ->Args({32768, 2, 6, 1, 1})
    ->Args({131072, 2, 6, 1, 1})
    ->Args({32768, 2, 6, 1, 96})
    ->Args({131072, 2, 6, 1, 96})
    ->Args({32768, 4, 6, 0, 1})
    ->Args({32768, 4, 8, 0, 1});

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
