// Decoding by retrieval of keys for one sequence on a GPU: budgets by the host, choice and attention by kernels that
// are enqueued one after another, without a word from the device in between (pq_choice.h, row_attention.h). Keys are
// ranked by their pairs of codes; other shapes of codes and the policies PQ is compared with are the processor's.
// Ownership: belongs to one cache. Threads: one at a time.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/kv_block_cache.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/pq_choice.h"
#include "engine/backend/cuda/pq_device_index.h"
#include "engine/backend/cuda/row_attention.h"

namespace mneme::engine::cuda {

class CudaRetrieval {
 public:
  // kUsage, kUnsupported: what a GPU does not do, or the options do not allow.
  static Status check(const RetrievalOptions& options, const KvCacheOptions& kv, const ModelConfig& config);

  // config outlives it; check() has passed. far_stream: on which blocks of KV that lies in the host's memory are
  // copied; null: it does not.
  CudaRetrieval(Device& device, const RetrievalOptions& options, const KvCacheOptions& kv, const ModelConfig& config,
                cudaStream_t far_stream);
  ~CudaRetrieval();
  CudaRetrieval(const CudaRetrieval&) = delete;
  CudaRetrieval& operator=(const CudaRetrieval&) = delete;

  // Other budgets and fresh counts over the same index: same_index(options(), options) holds.
  void start_anew(const RetrievalOptions& options);

  // Where kernels enqueued from now on find a layer's KV: a few of the latest tokens, or all.
  enum class Reach { kLatest, kAll };
  using ViewOf = std::function<KvView(int layer, Reach reach)>;
  // As KvCache::prepare_retrieval. Waits for the device only where codebooks are trained.
  Status prepare(const ViewOf& view_of, int n_tokens, const CancelToken& cancel);
  void forget(int n_tokens);
  RetrievalReport report() const;

  // Whether a step of one row attends to less than everything, at n_tokens with the new one.
  bool retrieves(int n_tokens) const {
    return first_layer_ < kv_.n_layers && !budget(first_layer_, n_tokens).everything;
  }
  // What the new token of a sequence of n_tokens (itself included) attends to in this layer.
  StepBudget budget(int layer, int n_tokens) const;
  // A step of one row begins, at n_tokens with the new one: copies up what is particular to it, for all layers. Where
  // nobody says so, the first attend() of a step does it.
  void begin_step(const KvView& kv, int n_tokens);
  // As Backend::attend for one row at n_tokens - 1, whose budget does not hold everything; within an operation of a
  // step, or behind Device::begin().
  struct Heads {
    const float* sinks = nullptr;  // (n_heads) of the layer; null: none
    const float* q = nullptr;      // (n_heads, head_dim)
    float* out = nullptr;          // as q
  };
  void attend(const KvView& kv, int layer, int n_tokens, const Heads& heads);

  const RetrievalOptions& options() const { return options_; }
  // The choice that was last enqueued, for tests.
  const PqStep& last_step() const { return step_; }
  const PqNumbers& last_numbers() const { return numbers_[static_cast<size_t>(step_.layer)]; }
  const KvBlockCache* block_cache() const { return blocks_.get(); }  // null: none

 private:
  bool retrieves_in(int layer) const { return config_.layers[static_cast<size_t>(layer)].sliding_window == 0; }
  bool worthwhile(int n_tokens) const { return !step_budget(options_, n_tokens).everything; }
  bool open();
  void open_block_cache(const KvView& kv);
  bool shares_choice(int layer, int n_tokens, const StepBudget& budget);
  void choose(const KvView& kv, int layer, const StepBudget& budget, const float* q);
  void attend_chosen(const KvView& kv, int layer, int n_tokens, const StepBudget& budget, bool tail,
                     const Heads& heads);
  RowAttention row_attention(const KvView& kv, int layer) const;
  PqNumbers numbers(const RowAttention& call, int layer, int n_tokens) const;
  // Tokens of all KV heads together.
  int64_t of_heads(int n_tokens) const { return int64_t{n_tokens} * kv_.n_kv_heads; }
  void use_block_cache(RowAttention& call, int n_tokens, const StepBudget& budget);

  Device& device_;
  RetrievalOptions options_;
  const KvCacheOptions kv_;
  const ModelConfig& config_;
  const cudaStream_t far_stream_;
  PqDeviceIndex index_;
  int first_layer_ = 0;  // that retrieves
  int n_prepared_ = 0;   // tokens; on all layers
  DeviceBuffer choice_memory_;
  PqChoice choice_;
  HeadChoice* none_ = nullptr;           // (n_kv_heads): nothing is retrieved
  const HeadChoice* chosen_ = nullptr;   // choice_.heads or none_, by the layer that last chose
  PqNumbers* device_numbers_ = nullptr;  // (n_layers)
  std::vector<PqNumbers> numbers_;       // the same
  // The step that the numbers are of, and the layer that last used them; -1: none.
  struct Told {
    int n_tokens = -1;
    int layer = -1;
  };
  Told told_;
  PqStep step_;
  DeviceBuffer partials_;
  std::unique_ptr<KvBlockCache> blocks_;
  bool asked_for_blocks_ = false;
  // What an earlier layer of the same step chose, for those that attend to the same (RetrievalOptions::shared_layers).
  struct Shared {
    int layer = 0;
    int n_tokens = 0;
    int window_begin = 0;
    int n_layers_left = 0;  // that may still use it
  };
  Shared shared_;
  struct Counts {
    int steps = 0;
    int budget_tokens = 0;
    double attended_sum = 0;
    int64_t n_layers = 0;
    double prepare_seconds = 0;
    double lookups = 0;
  };
  Counts counts_;
};

// Whether every row of a step is attended to by retrieval in this layer.
bool all_rows_retrieve(int layer, const RowSet& rows);
bool any_row_retrieves(int layer, const RowSet& rows);
// Attends for those rows that are; q and out of them: (n_rows, n_heads * head_dim).
void attend_by_retrieval(const ModelConfig& config, int layer, const RowSet& rows, const CudaRetrieval::Heads& of_rows);

}  // namespace mneme::engine::cuda
