// Attention of query rows to the pages of their sequences, on the backend's threads.
//
// Work is cut into (group of rows, block of rows, KV head, run of pages); the query heads that share a KV head are
// taken together, so keys and values are read once for all of them. Few rows over long contexts are cut along the keys
// as well and merged in order: the cut depends on the keys' positions alone, so results depend neither on the threads
// nor on which rows of a sequence share a step of up to Backend::equal_step_rows() rows.
// Threads: one call at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/cpu_kv_cache.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/read_chain.h"

namespace mneme::engine::cpu {

class Attention {
 public:
  // Groups of up to so many rows are cut along the keys, and each row's numbers are those it would have alone.
  static constexpr int kFewRows = 8;

  // chain: of the step that the calls belong to.
  Attention(const Kernels& kernels, ThreadPool& pool, ReadChain& chain)
      : kernels_(kernels), pool_(pool), chain_(chain), workers_(static_cast<size_t>(pool.n_threads())) {}

  // As Backend::attend.
  void run(const ModelConfig& config, int layer, const RowSet& rows, const CpuActivations& q, CpuActivations& out);

 private:
  struct Task {
    const CpuKvCache* cache = nullptr;
    int first_row = 0;
    int n_rows = 0;
    int kv_head = 0;
    bool equal_alone = false;  // of a short step: its numbers are those of each row alone
    int first_page = 0;
    int end_page = 0;
    int n_keys = 0;         // of the sequence, for rows that see all
    int64_t partial = -1;   // where its unmerged result lies in partials_; -1: it is the only one
    int n_parts = 1;        // tasks whose partials follow each other, told by the first of them
    size_t first_read = 0;  // pages that the tasks before it read
    size_t n_pages() const { return static_cast<size_t>(end_page > first_page ? end_page - first_page : 0); }
  };
  struct Call;
  class PageReads;
  // A task's queries and running softmax; first and end are the page's, to be written.
  struct Block {
    AttentionPage page;
    int* first = nullptr;
    int* end = nullptr;
    int* places = nullptr;  // of the queries, counted from the page's first key
  };

  // Memory of a block, and of the kernel after the last one.
  static size_t block_floats(const Call& call, const Task& task);
  Block start(const Call& call, const Task& task, float* scratch, float* kernel_scratch);
  static void bound(const Call& call, const Task& task, int p, Block& block);
  // The block's page without the queries at either end that see nothing of it.
  static AttentionPage seen(const Block& block);
  void plan(const Call& call);
  void plan_block(const Call& call, const RowGroup& group, int first_row, int n_rows);
  // Tasks [index * heads_together_, ...). waits: for the pages' memory, so that the next ones are asked for meanwhile.
  void run_tasks(const Call& call, size_t index, bool waits, int worker);
  static void finish(const Call& call, const Task& task, const AttentionPage& page);
  void merge(const Call& call, const Task& task);

  const Kernels& kernels_;
  ThreadPool& pool_;
  ReadChain& chain_;
  // What a thread needs for the tasks that it runs together.
  struct Worker {
    AlignedBuffer<float> scratch;
    std::vector<Block> blocks;
  };
  std::vector<Worker> workers_;
  AlignedBuffer<float> partials_;
  int64_t n_partials_ = 0;  // floats in use
  std::vector<Task> tasks_;
  size_t n_reads_ = 0;         // pages that they read
  size_t heads_together_ = 1;  // tasks of the same pages that are run together, page by page
};

}  // namespace mneme::engine::cpu
