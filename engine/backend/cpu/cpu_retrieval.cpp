#include "engine/backend/cpu/cpu_retrieval.h"

#include <algorithm>
#include <chrono>

#include "base/stopwatch.h"
#include "base/trace.h"

namespace mneme::engine::cpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPrepareEvery = 16;       // tokens that leave the window together
constexpr double kPrefillShare = 0.03;  // of the prefill's time, for clustering
constexpr int kDefaultIterations = 6;   // until times are known
constexpr size_t kPagesPerTask = 8;
// In contexts of up to so many tokens weights take most of a step, and choosing by exact keys costs little of it.
constexpr int kMostRerankedTokens = 16384;
constexpr double kUsualRerank = 2;
// The keys of so many tokens are read in no time; where a budget is a few hundred tokens, twice as many hold too
// little.
constexpr int kFewestReranked = 2048;

KeySelectorShape shape_of(const KvCacheOptions& options, const ModelConfig& config) {
  KeySelectorShape shape{
      .n_layers = options.n_layers, .n_kv_heads = options.n_kv_heads, .head_dim = options.head_dim, .ropes = {}};
  for (const LayerConfig& layer : config.layers) {
    const bool rotates = layer.uses_rope && !config.ropes.empty();
    shape.ropes.push_back(rotates ? &config.ropes[static_cast<size_t>(layer.rope_index)] : nullptr);
  }
  return shape;
}

}  // namespace

CpuRetrieval::CpuRetrieval(CpuKvCache& cache, const RetrievalOptions& options, const ModelConfig& config,
                           ThreadPool& pool)
    : cache_(cache),
      options_(options),
      config_(config),
      pool_(pool),
      selector_(make_key_selector(options, shape_of(cache.options(), config), best_pq_kernels())) {
  while (first_layer_ < config.n_layers && !retrieves_in(first_layer_)) ++first_layer_;
  start_anew(options);
}

void CpuRetrieval::start_anew(const RetrievalOptions& options) {
  options_ = options;
  counts_ = {};
  select_ns_ = 0;
  lookups_ = 0;
  shared_ = {};
  block_caches_.clear();
  if (options.block_cache_tokens <= 0) return;
  const int n = cache_.options().n_layers * cache_.options().n_kv_heads;
  for (int i = 0; i < n; ++i) block_caches_.emplace_back(options.block_cache_tokens, options.eviction);
}

bool CpuRetrieval::worthwhile(int n_tokens) const {
  return !step_budget(options_, n_tokens).everything;
}

StepBudget CpuRetrieval::budget(int layer, int n_tokens) const {
  if (!retrieves_in(layer) || n_prepared_ == 0) return {};
  return step_budget(options_, n_tokens, std::min(n_prepared_, selector_->n_indexed(layer)));
}

std::optional<int> CpuRetrieval::reranked(int n_tokens, int n_candidates, int k) const {
  if (options_.method != RetrievalMethod::kPq) return std::nullopt;
  const bool by_default = options_.rerank == 1;
  const double times = !by_default ? options_.rerank : n_tokens <= kMostRerankedTokens ? kUsualRerank : 0;
  if (times <= 1) return std::nullopt;
  const double count = std::max(times * k, by_default ? double{kFewestReranked} : 0.0);
  return static_cast<int>(std::min<double>(count, n_candidates));
}

const std::vector<std::vector<TokenPos>>* CpuRetrieval::shared(int layer, int n_tokens, const StepBudget& budget) {
  const bool same =
      shared_.layer < layer && shared_.n_tokens == n_tokens && shared_.window_begin == budget.window_begin;
  if (!same || shared_.n_layers_left == 0) return nullptr;
  --shared_.n_layers_left;
  return &shared_.retrieved;
}

void CpuRetrieval::share(int layer, int n_tokens, const StepBudget& budget,
                         const std::vector<std::vector<TokenPos>>& retrieved) {
  if (options_.shared_layers <= 1) return;
  shared_ = {.layer = layer,
             .n_tokens = n_tokens,
             .window_begin = budget.window_begin,
             .n_layers_left = options_.shared_layers - 1,
             .retrieved = retrieved};
}

int CpuRetrieval::training_keys(int n_tokens) const {
  return options_.training_keys > 0 ? std::min(options_.training_keys, n_tokens)
                                    : std::clamp(n_tokens / 4, std::min(n_tokens, 4096), 16384);
}

Status CpuRetrieval::prepare(int n_tokens, ClusteringModel* times, const CancelToken& cancel) {
  if (!worthwhile(n_tokens + 1) || n_tokens < n_prepared_ + kPrepareEvery) return {};
  const trace::Span span("prepare retrieval", "engine", n_tokens);
  const Clock::time_point start = Clock::now();
  const bool clusters = n_prepared_ == 0 && options_.method == RetrievalMethod::kPq;
  if (options_.iterations == 0) {
    selector_->set_iterations(
        times == nullptr ? kDefaultIterations
                         : times->iterations_for(n_tokens, training_keys(n_tokens), kPrefillShare, kDefaultIterations));
  }
  for (int layer = 0; layer < config_.n_layers; ++layer) {
    if (!retrieves_in(layer)) continue;
    const Clock::time_point layer_start = Clock::now();
    if (cancel.cancelled()) return cancelled();
    MNEME_RETURN_IF_ERROR(prepare_layer(layer, n_tokens, cancel));
    if (times != nullptr && clusters)
      times->add_clustering(training_keys(n_tokens), selector_->iterations(), n_tokens, seconds_since(layer_start));
  }
  n_prepared_ = n_tokens;
  counts_.prepare_seconds += seconds_since(start);
  return {};
}

Status CpuRetrieval::prepare_layer(int layer, int n_tokens, const CancelToken& cancel) {
  const auto n_heads = static_cast<size_t>(cache_.options().n_kv_heads);
  std::vector<Status> results(n_heads);
  pool_.parallel_for(n_heads, 1, [&](int, size_t begin, size_t end) {
    for (size_t head = begin; head < end; ++head)
      results[head] = selector_->update(layer, static_cast<int>(head), n_tokens, *this, cancel);
  });
  for (const Status& result : results) MNEME_RETURN_IF_ERROR(result);
  // Whole pages that may be retrieved from; the last tokens stay as the window's kernel wants them.
  const int n_pages = std::min(n_tokens, selector_->n_indexed(layer)) / kPageTokens;
  cache_.make_by_token(layer, n_pages, pool_, kPagesPerTask);
  return {};
}

void CpuRetrieval::forget(int n_tokens) {
  selector_->forget(n_tokens);
  for (BlockCache& cache : block_caches_) cache.forget(n_tokens);
  n_prepared_ = std::min(n_prepared_, n_tokens);
}

void CpuRetrieval::count_layer(int layer, int budget_tokens, double attended,
                               std::span<const std::vector<TokenPos>> retrieved) {
  if (layer == first_layer_) ++counts_.steps;
  counts_.budget_tokens = budget_tokens;
  counts_.attended_sum += attended;
  ++counts_.n_layers;
  if (block_caches_.empty()) return;
  for (size_t head = 0; head < retrieved.size(); ++head)
    block_caches_[static_cast<size_t>(layer) * retrieved.size() + head].step(retrieved[head]);
}

RetrievalReport CpuRetrieval::report() const {
  RetrievalReport report;
  report.used = counts_.n_layers > 0;
  report.steps = counts_.steps;
  report.budget_tokens = counts_.budget_tokens;
  report.mean_attended = counts_.n_layers > 0 ? counts_.attended_sum / static_cast<double>(counts_.n_layers) : 0;
  report.prepare_seconds = counts_.prepare_seconds;
  report.select_seconds = static_cast<double>(select_ns_.load()) * 1e-9;
  report.lookups = static_cast<double>(lookups_.load());
  report.index_bytes = selector_->memory_bytes();
  const KvCacheOptions& shape = cache_.options();
  for (int layer = 0; layer < shape.n_layers; ++layer)
    if (retrieves_in(layer)) report.indexed_kv_bytes += int64_t{4} * shape.n_kv_heads * shape.head_dim * n_prepared_;
  report.iterations = selector_->iterations();
  if (counts_.n_checks > 0) {
    report.recall = counts_.recall_sum / static_cast<double>(counts_.n_checks);
    report.mass = counts_.mass_sum / static_cast<double>(counts_.n_checks);
  }
  int64_t hits = 0;
  int64_t requests = 0;
  for (const BlockCache& cache : block_caches_) {
    hits += cache.hits();
    requests += cache.requests();
  }
  if (requests > 0) report.block_cache_hit_rate = static_cast<double>(hits) / static_cast<double>(requests);
  return report;
}

}  // namespace mneme::engine::cpu
