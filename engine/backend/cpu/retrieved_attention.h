// Attention of one new token to the sinks, the window and the tokens its sequence's policy retrieves [PQCache §3.4].
// Three operations that a GPU backend can have as its own: scan and select (KeySelector), gather and attend
// (Kernels::attend_rows), and attention to the window's pages (Kernels::attend_page), merged by their softmax sums.
// Threads: one call at a time.
#pragma once

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
    bool window = false;  // and the window's pages
    int n_parts = 0;      // tasks of this head, told by the first of them
  };
  struct Call;

  void select(const Call& call, int kv_head, int worker);
  void check(const Call& call);
  void plan(const Call& call);
  void attend(const Call& call, size_t task, int worker);
  void attend_window(const Call& call, int kv_head, AttentionPage page, int worker);
  void find_rows(const Call& call, const Task& task, int worker);
  void merge(const Call& call, size_t task);

  // Working memory of a thread.
  struct Worker {
    explicit Worker(const PqKernels& kernels) : select(kernels) {}
    SelectScratch select;
    AlignedBuffer<float> scratch;
    std::vector<KvRow> rows;
    std::vector<f16> copied_keys;
    std::vector<int> bounds;
  };

  const Kernels& kernels_;
  ThreadPool& pool_;
  std::vector<Worker> workers_;
  std::vector<std::vector<TokenPos>> positions_;  // per KV head: sinks, then what was retrieved
  std::vector<std::vector<TokenPos>> retrieved_;  // per KV head: without sinks, where the report needs them
  AlignedBuffer<float> queries_;                  // (n_heads, head_dim), scaled
  AlignedBuffer<float> partials_;                 // per task (heads_per_kv, value_stride), maxima, sums
  std::vector<Task> tasks_;
};

}  // namespace mneme::engine::cpu
