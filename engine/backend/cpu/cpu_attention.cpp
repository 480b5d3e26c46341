#include "engine/backend/cpu/cpu_attention.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "engine/backend/attention_precision.h"
#include "engine/backend/cpu/attention_sinks.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kPagesPerPart = 8;
// So many parts there must be for every thread before all heads of a part are one thread's.
constexpr size_t kPartsPerThread = 4;
constexpr int kFewestKeys = kPageTokens / 2;  // of a page that is asked for: most of one with fewer is not read
constexpr int kScatteredBlocks = 4;           // usual blocks that make one where rows are scattered
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// A user may have the speed of coarse products in every step of many rows.
bool is_always_coarse() {
  static const bool asked = [] {
    const char* const value = std::getenv("MNEME_CPU_ATTENTION");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value != nullptr && std::string_view(value) == "bf16";
  }();
  return asked;
}

// Rows that fusion repairs: most positions between the first and the last are not among them.
bool is_scattered(const RowSet& rows, const RowGroup& group) {
  const TokenPos first = rows.positions[static_cast<size_t>(group.first_row)];
  const TokenPos last = rows.positions[static_cast<size_t>(group.first_row + group.n_rows - 1)];
  return last - first >= 2 * group.n_rows;
}

}  // namespace

struct Attention::Call {
  const ModelConfig& config;
  int layer;
  const RowSet& rows;
  const CpuActivations& q;
  CpuActivations& out;
  bool coarse;
  LayerHeads heads = config.heads(layer);
  int kv_layer = config.kv_layer(layer);
  int heads_per_kv = heads.heads_per_kv();
  int value_stride = (heads.head_dim + 15) / 16 * 16;

  int n_queries(const Task& task) const { return task.n_rows * heads_per_kv; }
  // Row and head of a task's query.
  int row(const Task& task, int query) const { return task.first_row + query / heads_per_kv; }
  int head(const Task& task, int query) const { return task.kv_head * heads_per_kv + query % heads_per_kv; }
  int window() const { return config.layers[layer].sliding_window; }
  int end_key(int row, int n_keys) const {
    if (config.causal) return rows.positions[row] + 1;
    return window() > 0 ? std::min(n_keys, rows.positions[row] + window() / 2 + 1) : n_keys;
  }
  int first_key(int row) const {
    const int before = config.causal ? window() - 1 : window() / 2;
    return window() > 0 ? std::max(0, rows.positions[row] - before) : 0;
  }
  // What a head's sink adds to a sum of weights relative to `maximum`.
  float sink(int head, float maximum) const { return sink_weight(config.layers[layer].sinks, head, maximum); }
  // A partial result: outputs, then maxima, then sums.
  int64_t partial_floats(const Task& task) const { return int64_t{n_queries(task)} * (value_stride + 2); }
};

// Every task of the loop reads its pages, one after the other, of as many heads as it takes together.
class Attention::PageReads final : public ReadChain::Loop {
 public:
  PageReads(const Call& call, std::span<const Task> tasks, size_t n_together)
      : Loop(&call.config.layers[static_cast<size_t>(call.layer)], tasks.size() / n_together, 1),
        call_(call),
        tasks_(tasks),
        n_together_(n_together) {}
  size_t first_read(size_t task) const override {
    task *= n_together_;
    return task < tasks_.size() ? tasks_[task].first_read : tasks_.back().first_read + tasks_.back().n_pages();
  }
  ReadChain::Memory read_at(size_t read) const override {
    const auto after = std::upper_bound(tasks_.begin(), tasks_.end(), read,
                                        [](size_t value, const Task& task) { return value < task.first_read; });
    const size_t last = static_cast<size_t>(after - tasks_.begin()) - 1;
    const size_t first = last / n_together_ * n_together_;
    const size_t index = read - tasks_[first].first_read;
    const Task& task = tasks_[first + index % n_together_];
    const int page = task.first_page + static_cast<int>(index / n_together_);
    if (task.n_keys - page * kPageTokens < kFewestKeys) return {};
    const std::span<const std::byte> memory = task.cache->page_memory(call_.kv_layer, page, task.kv_head);
    return {reinterpret_cast<const uint8_t*>(memory.data()), memory.size()};
  }

 private:
  const Call& call_;
  std::span<const Task> tasks_;
  size_t n_together_;
};

void Attention::plan_block(const Call& call, const RowGroup& group, int first_row, int n_rows) {
  Task task;
  task.cache = static_cast<const CpuKvCache*>(group.cache);
  task.first_row = first_row;
  task.n_rows = n_rows;
  task.equal_alone = group.n_rows <= kFewRows;
  task.n_keys = call.rows.positions[group.first_row + group.n_rows - 1] + 1;
  const int first_page = call.first_key(first_row) / kPageTokens;
  const int end_page = (call.end_key(first_row + n_rows - 1, task.n_keys) + kPageTokens - 1) / kPageTokens;
  const int pages_per_part = group.n_rows <= kFewRows ? kPagesPerPart : end_page;
  // Cut at the same pages whichever row of a short step comes first: each is merged as if it were alone.
  const int first_part = first_page / pages_per_part;
  const int n_parts = std::max(1, (end_page + pages_per_part - 1) / pages_per_part - first_part);
  const int64_t first_partial = n_partials_;
  const int64_t part_floats = n_parts > 1 ? call.partial_floats(task) : 0;
  n_partials_ += part_floats * n_parts * call.heads.n_kv_heads;
  for (int part = 0; part < n_parts; ++part) {
    task.first_page = std::max(first_page, (first_part + part) * pages_per_part);
    task.end_page = std::min(end_page, (first_part + part + 1) * pages_per_part);
    task.n_parts = part == 0 ? n_parts : 0;
    for (int head = 0; head < call.heads.n_kv_heads; ++head) {
      task.kv_head = head;
      task.first_read = n_reads_;
      n_reads_ += task.n_pages();
      task.partial = n_parts > 1 ? first_partial + (int64_t{head} * n_parts + part) * part_floats : -1;
      tasks_.push_back(task);
    }
  }
}

void Attention::plan(const Call& call) {
  tasks_.clear();
  n_partials_ = 0;
  n_reads_ = 0;
  const int usual_rows = std::max(1, kernels_.queries_per_block / call.heads_per_kv);
  // Last blocks first: they see the most keys, and long tasks should not start last.
  for (auto group = call.rows.groups.rbegin(); group != call.rows.groups.rend(); ++group) {
    // Blocks of equal size, somewhat larger or smaller than usual: every block reads all the keys again. Scattered rows
    // stand before more keys than as many neighbouring ones, so there this costs more than a larger block's scratch.
    const int wanted_rows = is_scattered(call.rows, *group) ? kScatteredBlocks * usual_rows : usual_rows;
    const int n_wanted = std::max(1, (group->n_rows + wanted_rows / 2) / wanted_rows);
    const int rows_per_block = std::max(1, (group->n_rows + n_wanted - 1) / n_wanted);
    // Rounded up, so many rows a block may need fewer blocks than were wanted: 19 rows in sixths of 4 are five blocks.
    const int n_blocks = (group->n_rows + rows_per_block - 1) / rows_per_block;
    for (int block = n_blocks - 1; block >= 0; --block) {
      const int first = block * rows_per_block;
      plan_block(call, *group, group->first_row + first, std::min(rows_per_block, group->n_rows - first));
    }
  }
  partials_.reserve(static_cast<size_t>(n_partials_));
}

size_t Attention::block_floats(const Call& call, const Task& task) {
  return static_cast<size_t>((call.n_queries(task) + 15) / 16 * 16) *
         static_cast<size_t>(call.heads.head_dim + call.value_stride + 6);
}

// Scratch: queries, bounds (two ints per query), slopes, places, output, maximum, sum.
Attention::Block Attention::start(const Call& call, const Task& task, float* scratch, float* kernel_scratch) {
  const int head_dim = call.heads.head_dim;
  const int n = call.n_queries(task);
  const int stride = call.value_stride;
  const int64_t n_padded = (n + 15) / 16 * 16;
  float* queries = scratch;
  Block block;
  block.first = reinterpret_cast<int*>(queries + n_padded * head_dim);
  block.end = block.first + n_padded;
  auto* slopes = reinterpret_cast<float*>(block.end + n_padded);
  block.places = reinterpret_cast<int*>(slopes + n_padded);
  float* own_result = reinterpret_cast<float*>(block.places + n_padded);
  AttentionPage& page = block.page;
  page.n_queries = n;
  page.head_dim = head_dim;
  page.value_stride = stride;
  page.queries = queries;
  page.first = block.first;
  page.end = block.end;
  page.softcap = call.config.attention_softcap;
  if (call.config.distance_bias > 0) {
    page.slopes = slopes;
    page.places = block.places;
    for (int i = 0; i < n; ++i) slopes[i] = call.config.slope_of(call.head(task, i));
  }
  page.coarse = call.coarse;
  page.equal_alone = task.equal_alone;
  page.out = task.partial < 0 ? own_result : partials_.data() + task.partial;
  page.maximum = page.out + int64_t{n} * stride;
  page.sum = page.maximum + n;
  page.scratch = kernel_scratch;
  std::fill(page.out, page.maximum, 0.0f);
  std::fill(page.maximum, page.sum, kMinusInfinity);
  std::fill(page.sum, page.sum + n, 0.0f);
  for (int i = 0; i < n; ++i) {
    const float* q = call.q.row(call.row(task, i)) + call.head(task, i) * head_dim;
    for (int d = 0; d < head_dim; ++d) queries[int64_t{i} * head_dim + d] = q[d] * call.config.attention_scale;
  }
  return block;
}

// Queries at the beginning and at the end that see nothing of a page are spared it. Rows that fusion repairs stand far
// apart: without this a block's first ones would be multiplied with all keys before its last.
AttentionPage Attention::seen(const Block& block) {
  AttentionPage page = block.page;
  const auto sees = [&](int i) { return page.first[i] < page.end[i]; };
  int begin = 0;
  int end = page.n_queries;
  while (begin < end && !sees(begin)) ++begin;
  while (end > begin && !sees(end - 1)) --end;
  page.n_queries = end - begin;
  page.queries += int64_t{begin} * page.head_dim;
  page.first += begin;
  page.end += begin;
  if (page.slopes) {
    page.slopes += begin;
    page.places += begin;
  }
  page.maximum += begin;
  page.sum += begin;
  page.out += int64_t{begin} * page.value_stride;
  return page;
}

// Which keys of page p the queries see.
void Attention::bound(const Call& call, const Task& task, int p, Block& block) {
  block.page.n_keys = 0;
  for (int i = 0; i < block.page.n_queries; ++i) {
    const int row = call.row(task, i);
    block.first[i] = std::clamp(call.first_key(row) - p * kPageTokens, 0, kPageTokens);
    block.end[i] = std::clamp(call.end_key(row, task.n_keys) - p * kPageTokens, 0, kPageTokens);
    block.places[i] = call.rows.positions[row] - p * kPageTokens;
    block.page.n_keys = std::max(block.page.n_keys, block.end[i]);
  }
}

// Pages of several heads lie side by side: memory is then read in longer runs, which it answers sooner.
void Attention::run_tasks(const Call& call, size_t index, bool waits, int worker) {
  const std::span<const Task> tasks = std::span(tasks_).subspan(index * heads_together_, heads_together_);
  auto& [scratch, blocks] = workers_[static_cast<size_t>(worker)];
  const Task& first = tasks.front();
  const size_t n_floats = block_floats(call, first);
  const int64_t kernel_floats = attention_scratch_floats(call.n_queries(first), call.heads.head_dim, call.value_stride);
  scratch.reserve(n_floats * tasks.size() + static_cast<size_t>(kernel_floats));
  float* const kernel_scratch = scratch.data() + n_floats * tasks.size();
  blocks.clear();
  for (const Task& task : tasks)
    blocks.push_back(start(call, task, scratch.data() + n_floats * blocks.size(), kernel_scratch));
  size_t read = first.first_read;
  for (int p = first.first_page; p < first.end_page; ++p) {
    for (size_t i = 0; i < tasks.size(); ++i, ++read) {
      AttentionPage& page = blocks[i].page;
      page.kv = tasks[i].cache->page(call.kv_layer, p, tasks[i].kv_head);
      if (waits) page.ahead = chain_.ask(worker, index, read);
      bound(call, tasks[i], p, blocks[i]);
      if (const AttentionPage own = seen(blocks[i]); own.n_queries > 0) kernels_.attend_page(own);
    }
  }
  for (size_t i = 0; i < tasks.size(); ++i)
    if (tasks[i].partial < 0) finish(call, tasks[i], blocks[i].page);
}

void Attention::finish(const Call& call, const Task& task, const AttentionPage& page) {
  for (int i = 0; i < page.n_queries; ++i) {
    float* out = call.out.row(call.row(task, i)) + call.head(task, i) * page.head_dim;
    const float sum = page.sum[i] + call.sink(call.head(task, i), page.maximum[i]);
    const float scale = sum > 0 ? 1.0f / sum : 0.0f;
    for (int d = 0; d < page.head_dim; ++d) out[d] = page.out[int64_t{i} * page.value_stride + d] * scale;
  }
}

// Adds the parts that follow `task`, each weighted by its maximum.
void Attention::merge(const Call& call, const Task& task) {
  const int head_dim = call.heads.head_dim;
  const int n = call.n_queries(task);
  const int64_t part_floats = call.partial_floats(task);
  const float* parts = partials_.data() + task.partial;
  for (int i = 0; i < n; ++i) {
    float* out = call.out.row(call.row(task, i)) + call.head(task, i) * head_dim;
    const int64_t at_maximum = int64_t{n} * call.value_stride + i;
    float maximum = kMinusInfinity;
    for (int p = 0; p < task.n_parts; ++p) maximum = std::max(maximum, parts[p * part_floats + at_maximum]);
    float sum = 0;
    std::fill(out, out + head_dim, 0.0f);
    for (int p = 0; p < task.n_parts; ++p) {
      const float* part = parts + p * part_floats;
      if (part[at_maximum] == kMinusInfinity) continue;
      const float weight = std::exp(part[at_maximum] - maximum);
      sum += weight * part[at_maximum + n];
      kernels_.add_scaled(part + int64_t{i} * call.value_stride, weight, head_dim, out);
    }
    sum += call.sink(call.head(task, i), maximum);
    const float scale = sum > 0 ? 1.0f / sum : 0.0f;
    for (int d = 0; d < head_dim; ++d) out[d] *= scale;
  }
}

void Attention::run(const ModelConfig& config, int layer, const RowSet& rows, const CpuActivations& q,
                    CpuActivations& out) {
  const Call call{config, layer, rows, q, out, CoarseAttention::active() || is_always_coarse()};
  plan(call);
  if (tasks_.empty()) return;
  const bool waits = rows.n_rows() <= kFewRows;
  const auto n_heads = static_cast<size_t>(call.heads.n_kv_heads);
  const bool has_many_parts = tasks_.size() >= n_heads * kPartsPerThread * static_cast<size_t>(pool_.n_threads());
  heads_together_ = waits && has_many_parts ? n_heads : 1;
  const auto work = [&](int worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) run_tasks(call, i, waits, worker);
  };
  // Few rows wait for memory: each thread has its own run of tasks, so that it can ask for the next page in time.
  if (waits) {
    const PageReads reads(call, tasks_, heads_together_);
    chain_.begin(reads, true);
    pool_.parallel_for_parts(reads.n_tasks, 1, work);
  } else {
    pool_.parallel_for(tasks_.size(), 1, work);
  }
  if (n_partials_ == 0) return;
  for (const Task& task : tasks_) {
    if (task.partial < 0 || task.n_parts == 0) continue;
    merge(call, task);
    ThreadPool::read_some();
  }
}

}  // namespace mneme::engine::cpu
