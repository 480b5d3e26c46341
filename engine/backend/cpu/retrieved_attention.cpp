#include "engine/backend/cpu/retrieved_attention.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "engine/backend/cpu/attention_sinks.h"
#include "engine/backend/cpu/retrieved_attention_call.h"
#include "engine/backend/cpu/row_finder.h"

namespace mneme::engine::cpu {
namespace {

constexpr size_t kRowsPerTask = 512;
constexpr size_t kRowsAhead = AttentionRows::kAhead;
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

const CpuKvCache& cache_of(const RowGroup& group) {
  return static_cast<const CpuKvCache&>(*group.cache);
}

// The end of the tokens from `begin` on, of n_tokens, that lie in pages that are by token.
int end_by_token(const CpuKvCache& cache, int layer, int begin, int n_tokens) {
  int end = begin;
  while (end < n_tokens && cache.by_token(layer, end / kPageTokens)) end = (end / kPageTokens + 1) * kPageTokens;
  return std::min(end, n_tokens);
}

// Asks for one line of every system page that the rows' keys lie in, with nothing between: so the processor looks
// several addresses up at once, where between the arithmetic of rows it looks up one after the other. In a virtual
// machine whose host has small pages, a look-up takes longer than a row's lines. Inlined, as GCC drops calls of
// functions that do nothing but ask for memory.
[[gnu::always_inline]] inline void look_up_pages(std::span<const KvRow> rows) {
  constexpr int kPageBits = 12;
  uintptr_t last = 0;
  for (const KvRow& row : rows) {
    const uintptr_t page = reinterpret_cast<uintptr_t>(row.key) >> kPageBits;
    if (page != last) __builtin_prefetch(row.key, 0, 2);
    last = page;
  }
}

}  // namespace

RetrievedAttention::RetrievedAttention(const Kernels& kernels, ThreadPool& pool)
    : kernels_(kernels), pool_(pool), workers_(static_cast<size_t>(pool.n_threads())) {}

bool RetrievedAttention::applies(int layer, const RowSet& rows, const RowGroup& group) {
  if (group.n_rows != 1 || cache_of(group).retrieval() == nullptr) return false;
  const TokenPos position = rows.positions[static_cast<size_t>(group.first_row)];
  return !cache_of(group).retrieval()->budget(layer, position + 1).everything;
}

void RetrievedAttention::run(const ModelConfig& config, int layer, const RowSet& rows, const RowGroup& group,
                             const CpuActivations& q, CpuActivations& out) {
  const TokenPos position = rows.positions[static_cast<size_t>(group.first_row)];
  CpuRetrieval& retrieval = *cache_of(group).retrieval();
  const StepBudget budget = retrieval.budget(layer, position + 1);
  const Call call{config,
                  layer,
                  cache_of(group),
                  retrieval,
                  budget,
                  position + 1,
                  end_by_token(cache_of(group), layer, budget.window_begin, position + 1),
                  q.row(group.first_row),
                  out.row(group.first_row),
                  config.n_heads / config.n_kv_heads,
                  (config.head_dim + 15) / 16 * 16};
  const auto n_kv_heads = static_cast<size_t>(config.n_kv_heads);
  const int64_t n_query = int64_t{config.n_heads} * config.head_dim;
  queries_.reserve(static_cast<size_t>(n_query));
  for (int64_t i = 0; i < n_query; ++i) queries_.data()[i] = call.q[i] * config.attention_scale;
  if (heads_.size() != n_kv_heads) {
    n_parts_left_ = std::vector<std::atomic<size_t>>(n_kv_heads);
    heads_.clear();
    for (size_t i = 0; i < n_kv_heads; ++i) heads_.emplace_back(best_pq_kernels());
  }
  guesses_.resize(static_cast<size_t>(config.n_layers));
  retrieved_.resize(n_kv_heads);
  choose(call);
  if (retrieval.options().check) check(call);
  plan(call);
  for (Worker& worker : workers_) worker.kv_head = -1;
  pool_.parallel_for_parts(tasks_.size(), 1, [&](int worker, size_t begin, size_t end) {
    for (size_t task = begin; task < end; ++task) {
      attend(call, task, worker);
      finish(call, task, worker);
    }
  });
  double attended = 0;
  for (const Head& head : heads_) attended += static_cast<double>(head.positions.size());
  attended = attended / static_cast<double>(n_kv_heads) + call.n_tokens - call.pages_begin;
  const int wanted = budget.sinks + budget.retrieved + call.n_tokens - budget.window_begin;
  retrieval.count_layer(layer, wanted, attended, retrieved_);
}

// Queries and rows of a KV head.
AttentionRows RetrievedAttention::rows_of(const Call& call, int kv_head, const Worker& worker) const {
  AttentionRows run;
  run.n_queries = call.heads_per_kv;
  run.head_dim = call.config.head_dim;
  run.value_stride = call.value_stride;
  run.queries = queries_.data() + int64_t{kv_head} * call.heads_per_kv * call.config.head_dim;
  run.rows = worker.rows.data();
  return run;
}

void RetrievedAttention::plan(const Call& call) {
  tasks_.clear();
  for (int kv_head = 0; kv_head < call.config.n_kv_heads; ++kv_head) {
    const size_t n = heads_[static_cast<size_t>(kv_head)].positions.size();
    const size_t n_parts = std::max<size_t>(1, (n + kRowsPerTask - 1) / kRowsPerTask);
    const size_t first_task = tasks_.size();
    for (size_t part = 0; part < n_parts; ++part) {
      const size_t first = part * kRowsPerTask;
      tasks_.push_back({.kv_head = kv_head,
                        .first = first,
                        .count = std::min(kRowsPerTask, n - std::min(n, first)),
                        .window = part + 1 == n_parts,
                        .first_task = first_task,
                        .n_parts = n_parts});
    }
    n_parts_left_[static_cast<size_t>(kv_head)].store(n_parts, std::memory_order_relaxed);
  }
  partials_.reserve(tasks_.size() * static_cast<size_t>(call.partial_floats()));
}

void RetrievedAttention::list_positions(const Call& call, int kv_head) {
  std::vector<TokenPos>& positions = heads_[static_cast<size_t>(kv_head)].positions;
  const std::vector<TokenPos>& retrieved = retrieved_[static_cast<size_t>(kv_head)];
  const auto n_sinks = static_cast<std::ptrdiff_t>(call.budget.sinks);
  positions.resize(static_cast<size_t>(n_sinks) + retrieved.size() +
                   static_cast<size_t>(call.pages_begin - call.budget.window_begin));
  std::iota(positions.begin(), positions.begin() + n_sinks, 0);
  const auto window = std::copy(retrieved.begin(), retrieved.end(), positions.begin() + n_sinks);
  std::iota(window, positions.end(), call.budget.window_begin);
}

// Keys in pages that are not yet by token are copied: those of few tokens before the window.
void RetrievedAttention::find_rows(const Call& call, int kv_head, std::span<const TokenPos> positions, size_t n,
                                   Worker& worker) const {
  const RowFinder finder(call.cache, call.layer, kv_head);
  if (worker.rows.size() < positions.size()) worker.rows.resize(positions.size());
  finder.find(positions, worker.rows.data());
  finder.copy_keys(positions.first(n), std::span(worker.rows).first(n), worker.copied_keys);
}

void RetrievedAttention::attend(const Call& call, size_t index, int worker) {
  const Task& task = tasks_[index];
  Worker& own = workers_[static_cast<size_t>(worker)];
  const int n = call.heads_per_kv;
  own.scratch.reserve(static_cast<size_t>(attention_scratch_floats(n, call.config.head_dim, call.value_stride)));
  float* result = partials_.data() + static_cast<int64_t>(index) * call.partial_floats();
  float* maximum = result + int64_t{n} * call.value_stride;
  float* sum = maximum + n;
  std::fill(result, maximum, 0.0f);
  std::fill(maximum, sum, kMinusInfinity);
  std::fill(sum, sum + n, 0.0f);
  const std::span<const TokenPos> positions = heads_[static_cast<size_t>(task.kv_head)].positions;
  const size_t n_ahead = std::min(kRowsAhead, positions.size() - task.first - task.count);
  find_rows(call, task.kv_head, positions.subspan(task.first, task.count + n_ahead), task.count, own);
  const bool follows = own.kv_head == task.kv_head && own.first == task.first;
  const size_t n_fetched = follows ? own.n_fetched : 0;
  look_up_pages(std::span(own.rows).first(task.count + n_ahead).subspan(n_fetched));
  AttentionRows run = rows_of(call, task.kv_head, own);
  run.n_rows = static_cast<int>(task.count);
  run.n_ahead = static_cast<int>(n_ahead);
  run.n_fetched = static_cast<int>(n_fetched);
  run.softcap = call.config.attention_softcap;
  run.maximum = maximum;
  run.sum = sum;
  run.out = result;
  run.scratch = own.scratch.data();
  kernels_.attend_rows(run);
  own.kv_head = task.kv_head;
  own.first = task.first + task.count;
  own.n_fetched = n_ahead;
  if (!task.window) return;
  AttentionPage page;
  page.n_queries = run.n_queries;
  page.head_dim = run.head_dim;
  page.value_stride = run.value_stride;
  page.queries = run.queries;
  page.softcap = run.softcap;
  page.maximum = maximum;
  page.sum = sum;
  page.out = result;
  page.scratch = run.scratch;
  attend_window(call, task.kv_head, page, worker);
}

void RetrievedAttention::attend_window(const Call& call, int kv_head, AttentionPage page, int worker) {
  std::vector<int>& bounds = workers_[static_cast<size_t>(worker)].bounds;
  const auto n = static_cast<size_t>(page.n_queries);
  bounds.resize(2 * n);
  page.first = bounds.data();
  page.end = bounds.data() + n;
  const int first_page = call.pages_begin / kPageTokens;
  const int end_page = (call.n_tokens + kPageTokens - 1) / kPageTokens;
  for (int p = first_page; p < end_page; ++p) {
    const int first = std::max(0, call.pages_begin - p * kPageTokens);
    const int end = std::min(kPageTokens, call.n_tokens - p * kPageTokens);
    std::fill(bounds.begin(), bounds.begin() + static_cast<std::ptrdiff_t>(n), first);
    std::fill(bounds.begin() + static_cast<std::ptrdiff_t>(n), bounds.end(), end);
    page.kv = call.cache.page(call.layer, p, kv_head);
    page.n_keys = end;
    kernels_.attend_page(page);
  }
}

// Whoever ends the last part of a head merges them, while others attend to further heads; in the order of the parts,
// whatever the order in which they ended.
void RetrievedAttention::finish(const Call& call, size_t index, int worker) {
  const Task& task = tasks_[index];
  std::atomic<size_t>& n_left = n_parts_left_[static_cast<size_t>(task.kv_head)];
  if (n_left.fetch_sub(1, std::memory_order_acq_rel) == 1) merge(call, task, workers_[static_cast<size_t>(worker)]);
}

// Adds the head's parts, each weighted by its maximum, and the estimate of what was left out.
void RetrievedAttention::merge(const Call& call, const Task& task, Worker& own) {
  const int head_dim = call.config.head_dim;
  const TailEstimate& tail = heads_[static_cast<size_t>(task.kv_head)].select.tail;
  for (int i = 0; i < call.heads_per_kv; ++i) {
    own.parts.clear();
    for (size_t p = 0; p < task.n_parts; ++p) {
      const float* values = partials_.data() + static_cast<int64_t>(task.first_task + p) * call.partial_floats();
      const float* maxima = values + int64_t{call.heads_per_kv} * call.value_stride;
      own.parts.push_back({values + int64_t{i} * call.value_stride, maxima[i], maxima[call.heads_per_kv + i]});
    }
    if (tail.value_stride > 0) {
      const auto at = static_cast<size_t>(i);
      own.parts.push_back({tail.values.data() + int64_t{i} * tail.value_stride, tail.maximum[at], tail.sum[at]});
    }
    float maximum = kMinusInfinity;
    const auto is_empty = [](const Part& part) { return part.maximum == kMinusInfinity || part.sum == 0; };
    for (const Part& part : own.parts)
      if (!is_empty(part)) maximum = std::max(maximum, part.maximum);
    float* out = call.out + (int64_t{task.kv_head} * call.heads_per_kv + i) * head_dim;
    float sum = 0;
    std::fill(out, out + head_dim, 0.0f);
    for (const Part& part : own.parts) {
      if (is_empty(part)) continue;
      const float weight = std::exp(part.maximum - maximum);
      sum += weight * part.sum;
      kernels_.add_scaled(part.values, weight, head_dim, out);
    }
    sum += sink_weight(call.config.layers[static_cast<size_t>(call.layer)].sinks, task.kv_head * call.heads_per_kv + i,
                       maximum);
    const float scale = sum > 0 ? 1.0f / sum : 0.0f;
    for (int d = 0; d < head_dim; ++d) out[d] *= scale;
  }
}

}  // namespace mneme::engine::cpu
