#include "engine/backend/cpu/retrieved_attention.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>

#include "engine/backend/cpu/row_finder.h"
#include "engine/pq/head_budgets.h"

namespace mneme::engine::cpu {
namespace {

using Clock = std::chrono::steady_clock;

int64_t nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

constexpr size_t kRowsPerTask = 512;
constexpr size_t kRowsAhead = AttentionRows::kAhead;
constexpr float kMostScore = 1e30f;
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

}  // namespace

struct RetrievedAttention::Call {
  const ModelConfig& config;
  int layer;
  const CpuKvCache& cache;
  CpuRetrieval& retrieval;
  StepBudget budget;
  int n_tokens;     // the new one included
  int pages_begin;  // the part of the window from here on is attended to by pages, what is before it by token
  const float* q;   // (n_heads, head_dim) of the row
  float* out;       // likewise
  int heads_per_kv;
  int value_stride;

  const float* head_queries(int kv_head) const { return q + int64_t{kv_head} * heads_per_kv * config.head_dim; }
  int64_t partial_floats() const { return int64_t{heads_per_kv} * (value_stride + 2); }
  bool codes() const { return cache.options().type == KvType::kQ8_0; }
  // The soft cap changes scores that an estimate has only as sums.
  bool takes_estimates() const { return config.attention_softcap <= 0; }
  KeyQuery query(int kv_head) const {
    KeyQuery query;
    query.layer = layer;
    query.kv_head = kv_head;
    query.queries = {head_queries(kv_head), static_cast<size_t>(heads_per_kv * config.head_dim)};
    query.n_heads = heads_per_kv;
    query.scale = config.attention_scale;
    return query;
  }
  int sink_stride() const { return (budget.sinks + 15) / 16 * 16; }
};

// The candidates of the layer's heads, once they are weighed.
class RetrievedAttention::LayerScores final : public HeadScores {
 public:
  explicit LayerScores(const std::vector<Head>& heads) : heads_(heads) {}
  int n_heads() const override { return static_cast<int>(heads_.size()); }
  void count(int head, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const override {
    heads_[static_cast<size_t>(head)].select.count_reaching(thresholds, counts);
  }

 private:
  const std::vector<Head>& heads_;
};

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
    for (size_t task = begin; task < end; ++task) attend(call, task, worker);
  });
  for (size_t task = 0; task < tasks_.size(); ++task)
    if (tasks_[task].n_parts > 0) merge(call, task);
  double attended = 0;
  for (const Head& head : heads_) attended += static_cast<double>(head.positions.size());
  attended = attended / static_cast<double>(n_kv_heads) + call.n_tokens - call.pages_begin;
  const int wanted = budget.sinks + budget.retrieved + call.n_tokens - budget.window_begin;
  retrieval.count_layer(layer, wanted, attended, retrieved_);
}

// What every KV head attends to: as an earlier layer did, or what its policy selects.
void RetrievedAttention::choose(const Call& call) {
  const std::vector<std::vector<TokenPos>>* shared = call.retrieval.shared(call.layer, call.n_tokens, call.budget);
  if (shared != nullptr) retrieved_ = *shared;
  budgets_.assign(retrieved_.size(), call.budget.retrieved);
  weighed_ = false;
  const RetrievalOptions& options = call.retrieval.options();
  if (shared == nullptr && options.split_heads && options.budget.mass == 0) split_budget(call);
  pool_.parallel_for(retrieved_.size(), 1, [&](int worker, size_t begin, size_t end) {
    for (size_t kv_head = begin; kv_head < end; ++kv_head) {
      heads_[kv_head].select.tail.value_stride = 0;
      if (shared == nullptr) select(call, static_cast<int>(kv_head), worker);
      list_positions(call, static_cast<int>(kv_head));
    }
  });
  if (shared == nullptr) call.retrieval.share(call.layer, call.n_tokens, call.budget, retrieved_);
}

// A KV head's query over the tokens that may be retrieved; after score_sinks().
KeyQuery RetrievedAttention::candidates(const Call& call, int kv_head) const {
  KeyQuery some = call.query(kv_head);
  some.begin = call.budget.sinks;
  some.end = call.budget.window_begin;
  some.n_tokens = call.n_tokens;
  some.sink_scores = heads_[static_cast<size_t>(kv_head)].sink_scores;
  some.sink_stride = call.sink_stride();
  return some;
}

// Their keys are read for the attention anyway.
void RetrievedAttention::score_sinks(const Call& call, int kv_head, int worker) {
  std::vector<float>& scores = heads_[static_cast<size_t>(kv_head)].sink_scores;
  scores.resize(static_cast<size_t>(call.heads_per_kv) * static_cast<size_t>(call.sink_stride()));
  if (scores.empty()) return;
  Worker& own = workers_[static_cast<size_t>(worker)];
  const auto n = static_cast<size_t>(call.budget.sinks);
  own.sinks.resize(n);
  std::iota(own.sinks.begin(), own.sinks.end(), 0);
  find_rows(call, kv_head, own.sinks, n, own);
  AttentionRows run = rows_of(call, kv_head, own);
  run.n_rows = static_cast<int>(n);
  kernels_.score_rows(run, call.sink_stride(), scores.data());
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

// What the heads of the layer retrieve together goes to those whose attention is spread most.
void RetrievedAttention::split_budget(const Call& call) {
  std::atomic<bool> weighed = true;
  pool_.parallel_for(budgets_.size(), 1, [&](int worker, size_t begin, size_t end) {
    const Clock::time_point start = Clock::now();
    for (size_t kv_head = begin; kv_head < end; ++kv_head) {
      score_sinks(call, static_cast<int>(kv_head), worker);
      const KeyQuery query = candidates(call, static_cast<int>(kv_head));
      if (!call.retrieval.selector().weigh(query, call.retrieval, heads_[kv_head].select)) weighed = false;
    }
    call.retrieval.count_selection(nanoseconds_since(start), 0);
  });
  weighed_ = weighed;
  if (!weighed_) return;
  const Clock::time_point start = Clock::now();
  std::optional<int16_t>& guess = guesses_[static_cast<size_t>(call.layer)];
  HeadSplit split = split_among_heads(LayerScores(heads_), call.budget.retrieved, guess);
  guess = split.threshold;
  budgets_ = std::move(split.taken);
  call.retrieval.count_selection(nanoseconds_since(start), 0);
}

void RetrievedAttention::select(const Call& call, int kv_head, int worker) {
  const Clock::time_point start = Clock::now();
  if (!weighed_) score_sinks(call, kv_head, worker);
  KeyQuery query = candidates(call, kv_head);
  const int k = budgets_[static_cast<size_t>(kv_head)];
  const std::optional<int> reranked = call.retrieval.reranked(call.n_tokens, query.end - query.begin, k);
  query.k = reranked.value_or(k);
  query.weighed = weighed_;
  if (weighed_ && !reranked) query.guess = guesses_[static_cast<size_t>(call.layer)];
  query.mass = call.retrieval.options().budget.mass;
  query.floor_k = call.retrieval.options().budget.floor_tokens;
  SelectScratch& scratch = heads_[static_cast<size_t>(kv_head)].select;
  std::vector<TokenPos>& retrieved = retrieved_[static_cast<size_t>(kv_head)];
  retrieved.clear();
  call.retrieval.selector().select(query, call.retrieval, scratch, retrieved);
  if (!call.takes_estimates()) scratch.tail.value_stride = 0;
  if (reranked) rerank(call, query, k, worker);
  call.retrieval.count_selection(nanoseconds_since(start), int64_t{query.end - query.begin} * query.n_heads);
}

// Of the candidates that were found by their codes, the k whose exact keys weigh most stay.
void RetrievedAttention::rerank(const Call& call, const KeyQuery& query, int k, int worker) {
  Worker& own = workers_[static_cast<size_t>(worker)];
  const auto kv_head = static_cast<size_t>(query.kv_head);
  SelectScratch& scratch = heads_[kv_head].select;
  std::vector<TokenPos>& retrieved = retrieved_[kv_head];
  const size_t n = retrieved.size();
  if (n <= static_cast<size_t>(k)) return;
  const auto n_heads = static_cast<size_t>(query.n_heads);
  const size_t stride = (n + 15) / 16 * 16;
  find_rows(call, query.kv_head, retrieved, n, own);
  AttentionRows run = rows_of(call, query.kv_head, own);
  run.n_rows = static_cast<int>(n);
  own.weights.resize(n_heads * stride);
  kernels_.score_rows(run, static_cast<int64_t>(stride), own.weights.data());
  own.sums.assign(n, 0.0f);
  for (size_t h = 0; h < n_heads; ++h) {
    float* weights = own.weights.data() + h * stride;
    for (size_t i = 0; i < n; ++i)
      if (!(std::fabs(weights[i]) < kMostScore)) weights[i] = -kMostScore;  // keys that are no numbers
    std::fill(weights + n, weights + stride, weights[0]);                   // none that decides what is largest
    const float largest = best_pq_kernels().weigh(weights, static_cast<int>(stride), 1.0f);
    const float factor = std::exp(std::clamp(largest - scratch.left_out[h], -80.0f, 60.0f));
    for (size_t i = 0; i < n; ++i) own.sums[i] += (weights[i] *= factor) * scratch.factors[h];
  }
  own.scores.resize(n);
  for (size_t i = 0; i < n; ++i) own.scores[i] = static_cast<int16_t>(std::bit_cast<uint32_t>(own.sums[i]) >> 16);
  own.chosen.clear();
  scratch.top_k.select(own.scores, k, 0, own.chosen);
  drop_others(call, query, own);
}

// The candidates that were not chosen join the estimate of the rest.
void RetrievedAttention::drop_others(const Call& call, const KeyQuery& query, Worker& own) {
  const auto kv_head = static_cast<size_t>(query.kv_head);
  std::vector<TokenPos>& retrieved = retrieved_[kv_head];
  const auto n_heads = static_cast<size_t>(query.n_heads);
  const size_t stride = own.weights.size() / n_heads;
  own.dropped.clear();
  own.dropped_weights.resize(n_heads * (retrieved.size() - own.chosen.size()));
  size_t n_kept = 0;
  for (size_t i = 0; i < retrieved.size(); ++i) {
    if (n_kept < own.chosen.size() && own.chosen[n_kept] == static_cast<TokenPos>(i)) {
      retrieved[n_kept++] = retrieved[i];
      continue;
    }
    for (size_t h = 0; h < n_heads; ++h)
      own.dropped_weights[h * (retrieved.size() - own.chosen.size()) + own.dropped.size()] =
          own.weights[h * stride + i];
    own.dropped.push_back(retrieved[i]);
  }
  retrieved.resize(n_kept);
  call.retrieval.selector().leave_out(query, own.dropped, own.dropped_weights, heads_[kv_head].select);
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
      for (const TokenPos position : heads_[head].positions) mass += weights[static_cast<size_t>(position)];
      for (int position = call.pages_begin; position < call.n_tokens; ++position)
        mass += weights[static_cast<size_t>(position)];
      masses[head] = mass / call.heads_per_kv;
    }
  });
  for (size_t head = 0; head < n_kv_heads; ++head) call.retrieval.count_check(recalls[head], masses[head]);
}

void RetrievedAttention::plan(const Call& call) {
  tasks_.clear();
  for (int kv_head = 0; kv_head < call.config.n_kv_heads; ++kv_head) {
    const size_t n = heads_[static_cast<size_t>(kv_head)].positions.size();
    const size_t n_parts = std::max<size_t>(1, (n + kRowsPerTask - 1) / kRowsPerTask);
    for (size_t part = 0; part < n_parts; ++part) {
      const size_t first = part * kRowsPerTask;
      tasks_.push_back({.kv_head = kv_head,
                        .first = first,
                        .count = std::min(kRowsPerTask, n - std::min(n, first)),
                        .window = part + 1 == n_parts,
                        .n_parts = part == 0 ? static_cast<int>(n_parts) : 0});
    }
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
  AttentionRows run = rows_of(call, task.kv_head, own);
  run.n_rows = static_cast<int>(task.count);
  run.n_ahead = static_cast<int>(n_ahead);
  run.n_fetched = follows ? static_cast<int>(own.n_fetched) : 0;
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

// Adds the head's parts, each weighted by its maximum, and the estimate of what was left out.
void RetrievedAttention::merge(const Call& call, size_t first) {
  const Task& task = tasks_[first];
  const int head_dim = call.config.head_dim;
  const TailEstimate& tail = heads_[static_cast<size_t>(task.kv_head)].select.tail;
  for (int i = 0; i < call.heads_per_kv; ++i) {
    parts_.clear();
    for (int p = 0; p < task.n_parts; ++p) {
      const float* values = partials_.data() + (static_cast<int64_t>(first) + p) * call.partial_floats();
      const float* maxima = values + int64_t{call.heads_per_kv} * call.value_stride;
      parts_.push_back({values + int64_t{i} * call.value_stride, maxima[i], maxima[call.heads_per_kv + i]});
    }
    if (tail.value_stride > 0) {
      const auto at = static_cast<size_t>(i);
      parts_.push_back({tail.values.data() + int64_t{i} * tail.value_stride, tail.maximum[at], tail.sum[at]});
    }
    float maximum = kMinusInfinity;
    const auto is_empty = [](const Part& part) { return part.maximum == kMinusInfinity || part.sum == 0; };
    for (const Part& part : parts_)
      if (!is_empty(part)) maximum = std::max(maximum, part.maximum);
    float* out = call.out + (int64_t{task.kv_head} * call.heads_per_kv + i) * head_dim;
    float sum = 0;
    std::fill(out, out + head_dim, 0.0f);
    for (const Part& part : parts_) {
      if (is_empty(part)) continue;
      const float weight = std::exp(part.maximum - maximum);
      sum += weight * part.sum;
      kernels_.add_scaled(part.values, weight, head_dim, out);
    }
    const float scale = sum > 0 ? 1.0f / sum : 0.0f;
    for (int d = 0; d < head_dim; ++d) out[d] *= scale;
  }
}

}  // namespace mneme::engine::cpu
