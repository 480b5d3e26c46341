// Attention of one new token to the sinks, the window and the tokens its sequence's policy retrieves [PQCache §3.4].
// Three operations that a GPU backend can have as its own: scan and select (KeySelector), gather and attend
// (Kernels::attend_rows), and attention to the window's pages (Kernels::attend_page), merged by their softmax sums;
// where the policy estimates what it left out, that estimate is merged as one more part.
// Threads: one call at a time.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/cpu_retrieval.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {

class RetrievedAttention {
 public:
  RetrievedAttention(const Kernels& kernels, ThreadPool& pool);

  // Whether the step's only row of this group is to be attended to by retrieval.
  static bool applies(int layer, const RowSet& rows, const RowGroup& group);

  // As Backend::attend, for the one row of such a group.
  void run(const ModelConfig& config, int layer, const RowSet& rows, const RowGroup& group, const CpuActivations& q,
           CpuActivations& out);

 private:
  struct Task {
    int kv_head = 0;
    size_t first = 0;  // of the head's positions
    size_t count = 0;
    bool window = false;    // and the window's pages
    size_t first_task = 0;  // of this head's n_parts
    size_t n_parts = 0;
  };
  struct Call;
  class LayerScores;

  // A part of one query's softmax: weighted sums of values relative to a maximum.
  struct Part {
    const float* values = nullptr;
    float maximum = 0;
    float sum = 0;
  };

  // What a KV head attends to, and how that was chosen.
  struct Head {
    explicit Head(const PqKernels& kernels) : select(kernels) {}
    std::vector<TokenPos> positions;  // sinks, what was retrieved, the part of the window that lies by token
    SelectScratch select;
    std::vector<float> sink_scores;  // (heads_per_kv, sink_stride())
  };

  void choose(const Call& call);
  KeyQuery candidates(const Call& call, int kv_head) const;
  void score_sinks(const Call& call, int kv_head, int worker);
  void split_budget(const Call& call);
  void select(const Call& call, int kv_head, int worker);
  void check(const Call& call);
  void plan(const Call& call);
  void attend(const Call& call, size_t task, int worker);
  void attend_window(const Call& call, int kv_head, AttentionPage page, int worker);
  void list_positions(const Call& call, int kv_head);
  void finish(const Call& call, size_t task, int worker);

  // Working memory of a thread.
  struct Worker {
    AlignedBuffer<float> scratch;
    std::vector<int> bounds;
    std::vector<float> weights;          // (n_heads, candidates to a multiple of 16): exact ones
    std::vector<float> dropped_weights;  // (n_heads, dropped)
    std::vector<float> sums;             // (candidates): of the heads' weights
    std::vector<int16_t> scores;         // likewise, as KeySelector counts them
    std::vector<TokenPos> chosen;        // of the candidates, then tokens
    std::vector<TokenPos> sinks;
    std::vector<TokenPos> dropped;
    std::vector<KvRow> rows;  // of a task: where its positions lie, and some of those after them
    std::vector<std::byte> copied_keys;
    std::vector<Part> parts;  // of a query
    // The rows that were asked for already: n_fetched of this head's from `first` on.
    int kv_head = -1;
    size_t first = 0;
    size_t n_fetched = 0;
  };
  void merge(const Call& call, const Task& task, Worker& own);
  AttentionRows rows_of(const Call& call, int kv_head, const Worker& worker) const;
  void rerank(const Call& call, const KeyQuery& query, int k, int worker);
  void drop_others(const Call& call, const KeyQuery& query, Worker& own);
  // Where the first n of the positions lie, whose keys may be copied, and the others, which are only to be fetched.
  void find_rows(const Call& call, int kv_head, std::span<const TokenPos> positions, size_t n, Worker& worker) const;

  const Kernels& kernels_;
  ThreadPool& pool_;
  std::vector<Worker> workers_;
  std::vector<Head> heads_;                           // per KV head
  std::vector<std::vector<TokenPos>> retrieved_;      // per KV head: without sinks
  std::vector<int> budgets_;                          // per KV head: how many it retrieves
  std::vector<std::optional<KthScore>> last_scores_;  // per KV head, where weighed_: of the last of those
  bool weighed_ = false;                              // KeySelector::weigh() has been called for this layer
  std::vector<std::optional<int16_t>> guesses_;       // per layer: the threshold of its last split
  AlignedBuffer<float> queries_;                      // (n_heads, head_dim), scaled
  AlignedBuffer<float> partials_;                     // per task (heads_per_kv, value_stride), maxima, sums
  std::vector<Task> tasks_;
  std::vector<std::atomic<size_t>> n_parts_left_;  // per KV head: tasks that have not ended
};

}  // namespace mneme::engine::cpu
