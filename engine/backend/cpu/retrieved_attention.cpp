#include "engine/backend/cpu/retrieved_attention.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace mneme::engine::cpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kRowsPerTask = 512;
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

const CpuKvCache& cache_of(const RowGroup& group) {
  return static_cast<const CpuKvCache&>(*group.cache);
}

}  // namespace

struct RetrievedAttention::Call {
  const ModelConfig& config;
  int layer;
  const CpuKvCache& cache;
  CpuRetrieval& retrieval;
  StepBudget budget;
  int n_tokens;    // the new one included
  const float* q;  // (n_heads, head_dim) of the row
  float* out;      // likewise
  int heads_per_kv;
  int value_stride;

  const float* head_queries(int kv_head) const { return q + int64_t{kv_head} * heads_per_kv * config.head_dim; }
  int64_t partial_floats() const { return int64_t{heads_per_kv} * (value_stride + 2); }
  KeyQuery query(int kv_head) const {
    KeyQuery query;
    query.layer = layer;
    query.kv_head = kv_head;
    query.queries = {head_queries(kv_head), static_cast<size_t>(heads_per_kv * config.head_dim)};
    query.n_heads = heads_per_kv;
    query.scale = config.attention_scale;
    return query;
  }
};

RetrievedAttention::RetrievedAttention(const Kernels& kernels, ThreadPool& pool) : kernels_(kernels), pool_(pool) {
  for (int i = 0; i < pool.n_threads(); ++i) workers_.emplace_back(best_pq_kernels());
}

bool RetrievedAttention::applies(int layer, const RowSet& rows, const RowGroup& group) {
  if (group.n_rows != 1 || cache_of(group).retrieval() == nullptr) return false;
  const TokenPos position = rows.positions[static_cast<size_t>(group.first_row)];
  return !cache_of(group).retrieval()->budget(layer, position + 1).everything;
}

void RetrievedAttention::run(const ModelConfig& config, int layer, const RowSet& rows, const RowGroup& group,
                             const CpuActivations& q, CpuActivations& out) {
  const TokenPos position = rows.positions[static_cast<size_t>(group.first_row)];
  CpuRetrieval& retrieval = *cache_of(group).retrieval();
  const Call call{config,
                  layer,
                  cache_of(group),
                  retrieval,
                  retrieval.budget(layer, position + 1),
                  position + 1,
                  q.row(group.first_row),
                  out.row(group.first_row),
                  config.n_heads / config.n_kv_heads,
                  (config.head_dim + 15) / 16 * 16};
  const auto n_kv_heads = static_cast<size_t>(config.n_kv_heads);
  const int64_t n_query = int64_t{config.n_heads} * config.head_dim;
  queries_.reserve(static_cast<size_t>(n_query));
  for (int64_t i = 0; i < n_query; ++i) queries_.data()[i] = call.q[i] * config.attention_scale;
  positions_.resize(n_kv_heads);
  retrieved_.resize(n_kv_heads);
  pool_.parallel_for(n_kv_heads, 1, [&](int worker, size_t begin, size_t end) {
    for (size_t head = begin; head < end; ++head) select(call, static_cast<int>(head), worker);
  });
  if (retrieval.options().check) check(call);
  plan(call);
  pool_.parallel_for(tasks_.size(), 1, [&](int worker, size_t begin, size_t end) {
    for (size_t task = begin; task < end; ++task) attend(call, task, worker);
  });
  for (size_t task = 0; task < tasks_.size(); ++task)
    if (tasks_[task].n_parts > 0) merge(call, task);
  double attended = 0;
  for (const std::vector<TokenPos>& positions : positions_) attended += static_cast<double>(positions.size());
  attended = attended / static_cast<double>(n_kv_heads) + call.n_tokens - call.budget.window_begin;
  const int wanted = call.budget.sinks + call.budget.retrieved + call.n_tokens - call.budget.window_begin;
  retrieval.count_layer(layer, wanted, attended, retrieved_);
}

void RetrievedAttention::select(const Call& call, int kv_head, int worker) {
  const Clock::time_point start = Clock::now();
  KeyQuery query = call.query(kv_head);
  query.begin = call.budget.sinks;
  query.end = call.budget.window_begin;
  query.n_tokens = call.n_tokens;
  query.k = call.budget.retrieved;
  query.mass = call.retrieval.options().budget.mass;
  query.floor_k = call.retrieval.options().budget.floor_tokens;
  std::vector<TokenPos>& retrieved = retrieved_[static_cast<size_t>(kv_head)];
  retrieved.clear();
  call.retrieval.selector().select(query, call.retrieval, workers_[static_cast<size_t>(worker)].select, retrieved);
  std::vector<TokenPos>& positions = positions_[static_cast<size_t>(kv_head)];
  positions.resize(static_cast<size_t>(call.budget.sinks) + retrieved.size());
  std::iota(positions.begin(), positions.begin() + call.budget.sinks, 0);
  std::copy(retrieved.begin(), retrieved.end(), positions.begin() + call.budget.sinks);
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
  call.retrieval.count_selection(nanoseconds, int64_t{query.end - query.begin} * query.n_heads);
}

// Recall of the true top-k and the share of attention covered, per KV head.
void RetrievedAttention::check(const Call& call) {
  const auto n_kv_heads = static_cast<size_t>(call.config.n_kv_heads);
  std::vector<double> recalls(n_kv_heads, 1.0);
  std::vector<double> masses(n_kv_heads, 1.0);
  pool_.parallel_for(n_kv_heads, 1, [&](int, size_t begin, size_t end) {
    std::vector<float> weights;
    for (size_t head = begin; head < end; ++head) {
      KeyQuery query = call.query(static_cast<int>(head));
      query.end = call.n_tokens;
      exact_weights(query, call.config.head_dim, call.retrieval, weights);
      const std::vector<TokenPos>& chosen = retrieved_[head];
      const size_t n_candidates = static_cast<size_t>(call.budget.window_begin - call.budget.sinks);
      const std::vector<TokenPos> best =
          largest_weights(std::span(weights).subspan(static_cast<size_t>(call.budget.sinks), n_candidates),
                          static_cast<int>(chosen.size()), call.budget.sinks);
      std::vector<TokenPos> common;
      std::set_intersection(chosen.begin(), chosen.end(), best.begin(), best.end(), std::back_inserter(common));
      if (!best.empty()) recalls[head] = static_cast<double>(common.size()) / static_cast<double>(best.size());
      double mass = 0;
      for (const TokenPos position : positions_[head]) mass += weights[static_cast<size_t>(position)];
      for (int position = call.budget.window_begin; position < call.n_tokens; ++position)
        mass += weights[static_cast<size_t>(position)];
      masses[head] = mass / call.heads_per_kv;
    }
  });
  for (size_t head = 0; head < n_kv_heads; ++head) call.retrieval.count_check(recalls[head], masses[head]);
}

void RetrievedAttention::plan(const Call& call) {
  tasks_.clear();
  for (int head = 0; head < call.config.n_kv_heads; ++head) {
    const size_t n = positions_[static_cast<size_t>(head)].size();
    const size_t n_parts = std::max<size_t>(1, (n + kRowsPerTask - 1) / kRowsPerTask);
    for (size_t part = 0; part < n_parts; ++part) {
      const size_t first = part * kRowsPerTask;
      tasks_.push_back({.kv_head = head,
                        .first = first,
                        .count = std::min(kRowsPerTask, n - std::min(n, first)),
                        .window = part + 1 == n_parts,
                        .n_parts = part == 0 ? static_cast<int>(n_parts) : 0});
    }
  }
  partials_.reserve(tasks_.size() * static_cast<size_t>(call.partial_floats()));
}

// Where the keys and values of the task's positions lie. Keys in pages that are not yet by token are copied.
void RetrievedAttention::find_rows(const Call& call, const Task& task, int worker) {
  Worker& own = workers_[static_cast<size_t>(worker)];
  const auto head_dim = static_cast<size_t>(call.config.head_dim);
  own.rows.resize(task.count);
  own.copied_keys.resize(task.count * head_dim);
  const TokenPos* positions = positions_[static_cast<size_t>(task.kv_head)].data() + task.first;
  int current = -1;
  bool by_token = false;
  KvRow base;
  const bool codes = call.cache.options().type == KvType::kQ8_0;
  const int64_t key_bytes = int64_t{call.config.head_dim} * (codes ? 1 : 2);
  const int64_t value_bytes = int64_t{call.value_stride} * (codes ? 1 : 2);
  for (size_t i = 0; i < task.count; ++i) {
    const int page = positions[i] / kPageTokens;
    const int token = positions[i] % kPageTokens;
    if (page != current) {
      current = page;
      by_token = call.cache.keys_by_token(call.layer, page);
      base = call.cache.row(call.layer, page * kPageTokens, task.kv_head);
    }
    if (by_token) {
      own.rows[i] = {static_cast<const std::byte*>(base.key) + token * key_bytes,
                     static_cast<const std::byte*>(base.value) + token * value_bytes,
                     codes ? base.key_scales + token : nullptr, codes ? base.value_scales + token : nullptr};
    } else {
      own.rows[i] =
          call.cache.row_with_copied_key(call.layer, positions[i], task.kv_head, own.copied_keys.data() + i * head_dim);
    }
  }
}

void RetrievedAttention::attend(const Call& call, size_t index, int worker) {
  const Task& task = tasks_[index];
  Worker& own = workers_[static_cast<size_t>(worker)];
  const int n = call.heads_per_kv;
  find_rows(call, task, worker);
  own.scratch.reserve(static_cast<size_t>(attention_scratch_floats(n, call.config.head_dim, call.value_stride)));
  float* result = partials_.data() + static_cast<int64_t>(index) * call.partial_floats();
  float* maximum = result + int64_t{n} * call.value_stride;
  float* sum = maximum + n;
  std::fill(result, maximum, 0.0f);
  std::fill(maximum, sum, kMinusInfinity);
  std::fill(sum, sum + n, 0.0f);
  AttentionRows run;
  run.n_queries = n;
  run.head_dim = call.config.head_dim;
  run.value_stride = call.value_stride;
  run.queries = queries_.data() + int64_t{task.kv_head} * n * call.config.head_dim;
  run.rows = own.rows.data();
  run.n_rows = static_cast<int>(task.count);
  run.softcap = call.config.attention_softcap;
  run.maximum = maximum;
  run.sum = sum;
  run.out = result;
  run.scratch = own.scratch.data();
  kernels_.attend_rows(run);
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
  const int first_page = call.budget.window_begin / kPageTokens;
  const int end_page = (call.n_tokens + kPageTokens - 1) / kPageTokens;
  for (int p = first_page; p < end_page; ++p) {
    const int first = std::max(0, call.budget.window_begin - p * kPageTokens);
    const int end = std::min(kPageTokens, call.n_tokens - p * kPageTokens);
    std::fill(bounds.begin(), bounds.begin() + static_cast<std::ptrdiff_t>(n), first);
    std::fill(bounds.begin() + static_cast<std::ptrdiff_t>(n), bounds.end(), end);
    page.kv = call.cache.page(call.layer, p, kv_head);
    page.n_keys = end;
    kernels_.attend_page(page);
  }
}

// Adds the head's parts, each weighted by its maximum.
void RetrievedAttention::merge(const Call& call, size_t first) {
  const Task& task = tasks_[first];
  const int head_dim = call.config.head_dim;
  const float* parts = partials_.data() + static_cast<int64_t>(first) * call.partial_floats();
  for (int i = 0; i < call.heads_per_kv; ++i) {
    float* out = call.out + (int64_t{task.kv_head} * call.heads_per_kv + i) * head_dim;
    const int64_t at_maximum = int64_t{call.heads_per_kv} * call.value_stride + i;
    float maximum = kMinusInfinity;
    for (int p = 0; p < task.n_parts; ++p) maximum = std::max(maximum, parts[p * call.partial_floats() + at_maximum]);
    float sum = 0;
    std::fill(out, out + head_dim, 0.0f);
    for (int p = 0; p < task.n_parts; ++p) {
      const float* part = parts + p * call.partial_floats();
      if (part[at_maximum] == kMinusInfinity) continue;
      const float weight = std::exp(part[at_maximum] - maximum);
      sum += weight * part[at_maximum + call.heads_per_kv];
      kernels_.add_scaled(part + int64_t{i} * call.value_stride, weight, head_dim, out);
    }
    const float scale = sum > 0 ? 1.0f / sum : 0.0f;
    for (int d = 0; d < head_dim; ++d) out[d] *= scale;
  }
}

}  // namespace mneme::engine::cpu
