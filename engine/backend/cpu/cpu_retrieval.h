// Retrieval on one sequence of the CPU backend: its policy (engine/pq/key_selector.h), the layout of keys that lets
// single tokens be read, and the counts for its report. Threads: prepare(), forget() and report() not while a step
// runs; the counters of a step from the backend's threads.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/cpu/cpu_kv_cache.h"
#include "engine/pq/block_cache.h"
#include "engine/pq/clustering_model.h"
#include "engine/pq/key_selector.h"

namespace mneme::engine::cpu {

class CpuRetrieval final : public KeyReader {
 public:
  CpuRetrieval(CpuKvCache& cache, const RetrievalOptions& options, const ModelConfig& config, ThreadPool& pool);

  // Other budgets and fresh counts over the same index: same_index(options(), options) holds.
  void start_anew(const RetrievalOptions& options);

  Status prepare(int n_tokens, ClusteringModel* times, const CancelToken& cancel);
  void forget(int n_tokens);
  RetrievalReport report() const;

  // What the new token of a sequence of n_tokens (itself included) attends to in this layer; nothing: everything.
  StepBudget budget(int layer, int n_tokens) const;
  // Of how many of n_candidates exact keys choose k in a step at n_tokens (RetrievalOptions::rerank); nothing: codes
  // choose alone.
  std::optional<int> reranked(int n_tokens, int n_candidates, int k) const;

  void read_keys(int layer, int kv_head, TokenPos first, int n, int step, std::span<const int> order,
                 float* out) const override {
    cache_.read_keys(layer, kv_head, first, n, step, order, out);
  }
  void read_values(int layer, int kv_head, TokenPos first, int n, float* out) const override {
    cache_.read_values(layer, kv_head, first, n, out);
  }

  const RetrievalOptions& options() const { return options_; }
  KeySelector& selector() { return *selector_; }

  // What an earlier layer of the same step retrieved per KV head, where this layer is to attend to the same
  // (RetrievalOptions::shared_layers); else null, and what it retrieves is to be kept for those after it.
  const std::vector<std::vector<TokenPos>>* shared(int layer, int n_tokens, const StepBudget& budget);
  void share(int layer, int n_tokens, const StepBudget& budget, const std::vector<std::vector<TokenPos>>& retrieved);

  // --- For the step that runs ----------------------------------------------------------------------------------------
  void count_selection(int64_t nanoseconds, int64_t lookups) {
    select_ns_ += nanoseconds;
    lookups_ += lookups;
  }
  // One layer is done: tokens attended to per KV head, and per head those retrieved (for the block cache).
  void count_layer(int layer, int budget_tokens, double attended, std::span<const std::vector<TokenPos>> retrieved);
  void count_check(double recall, double mass) {
    counts_.recall_sum += recall;
    counts_.mass_sum += mass;
    ++counts_.n_checks;
  }

 private:
  bool retrieves_in(int layer) const { return config_.layers[static_cast<size_t>(layer)].sliding_window == 0; }
  // Whether a sequence this long would use it at all.
  bool worthwhile(int n_tokens) const;
  Status prepare_layer(int layer, int n_tokens, const CancelToken& cancel);
  int training_keys(int n_tokens) const;

  CpuKvCache& cache_;
  RetrievalOptions options_;
  const ModelConfig& config_;
  ThreadPool& pool_;
  std::unique_ptr<KeySelector> selector_;
  std::vector<BlockCache> block_caches_;  // (n_layers, n_kv_heads); empty: none
  int first_layer_ = 0;                   // that retrieves
  int n_prepared_ = 0;                    // tokens; on all layers
  struct Shared {
    int layer = 0;
    int n_tokens = 0;
    int window_begin = 0;
    int n_layers_left = 0;  // that may still use it
    std::vector<std::vector<TokenPos>> retrieved;
  };
  Shared shared_;
  struct Counts {
    int steps = 0;
    int budget_tokens = 0;
    double attended_sum = 0;
    int64_t n_layers = 0;
    double prepare_seconds = 0;
    double recall_sum = 0;
    double mass_sum = 0;
    int64_t n_checks = 0;
  };
  Counts counts_;
  std::atomic<int64_t> select_ns_ = 0;
  std::atomic<int64_t> lookups_ = 0;
};

}  // namespace mneme::engine::cpu
