// What every KV head of a layer attends to: the first half of RetrievedAttention::run().
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "engine/backend/cpu/retrieved_attention.h"
#include "engine/backend/cpu/retrieved_attention_call.h"
#include "engine/pq/head_budgets.h"

namespace mneme::engine::cpu {
namespace {

using Clock = std::chrono::steady_clock;

int64_t nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

constexpr float kMostScore = 1e30f;

}  // namespace

// The candidates of the layer's heads, once they are weighed.
class RetrievedAttention::LayerScores final : public HeadScores {
 public:
  LayerScores(const std::vector<Head>& heads, bool counted_near) : heads_(heads), counted_near_(counted_near) {}
  int n_heads() const override { return static_cast<int>(heads_.size()); }
  void count(int head, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const override {
    heads_[static_cast<size_t>(head)].select.count_reaching(thresholds, counts);
  }
  const NearCounts* near(int head) const override {
    return counted_near_ ? &heads_[static_cast<size_t>(head)].select.near : nullptr;
  }

 private:
  const std::vector<Head>& heads_;
  const bool counted_near_;
};

// What every KV head attends to: as an earlier layer did, or what its policy selects.
void RetrievedAttention::choose(const Call& call) {
  const std::vector<std::vector<TokenPos>>* shared = call.retrieval.shared(call.layer, call.n_tokens, call.budget);
  if (shared != nullptr) retrieved_ = *shared;
  budgets_.assign(retrieved_.size(), call.budget.retrieved);
  weighed_ = false;
  const RetrievalOptions& options = call.retrieval.options();
  if (shared == nullptr && options.split_heads && options.budget.mass == 0) split_budget(call);
  // A thread that weighed a head's codes has its scores in its caches.
  pool_.parallel_for_parts(retrieved_.size(), 1, [&](int worker, size_t begin, size_t end) {
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

// What the heads of the layer retrieve together goes to those whose attention is spread most.
void RetrievedAttention::split_budget(const Call& call) {
  std::optional<int16_t>& guess = guesses_[static_cast<size_t>(call.layer)];
  std::atomic<bool> weighed = true;
  std::atomic<bool> counted = guess.has_value();
  pool_.parallel_for_parts(budgets_.size(), 1, [&](int worker, size_t begin, size_t end) {
    const Clock::time_point start = Clock::now();
    for (size_t kv_head = begin; kv_head < end; ++kv_head) {
      SelectScratch& scratch = heads_[kv_head].select;
      score_sinks(call, static_cast<int>(kv_head), worker);
      const KeyQuery query = candidates(call, static_cast<int>(kv_head));
      if (!call.retrieval.selector().weigh(query, call.retrieval, scratch)) {
        weighed = false;
      } else if (!guess || !scratch.count_near(*guess)) {
        counted = false;
      }
    }
    call.retrieval.count_selection(nanoseconds_since(start), 0);
  });
  weighed_ = weighed;
  if (!weighed_) return;
  const Clock::time_point start = Clock::now();
  HeadSplit split = split_among_heads(LayerScores(heads_, counted), call.budget.retrieved, guess);
  guess = split.threshold;
  budgets_ = std::move(split.taken);
  last_scores_ = std::move(split.last_scores);
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
  if (weighed_ && !reranked) {
    query.guess = guesses_[static_cast<size_t>(call.layer)];
    query.kth = last_scores_[static_cast<size_t>(kv_head)];
  }
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

}  // namespace mneme::engine::cpu
