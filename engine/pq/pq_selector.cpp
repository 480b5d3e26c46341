// Retrieval by product-quantised keys [PQCache, paper 001 §3]. Departures: keys are ranked by their pairs of codes
// (cell_ranking.h) where there are two parts of up to 6 bits; with others, scores of the heads that share a key are
// added as weights in fixed point (pq_kernels.h) instead of by f32 softmax. The codes are made in pq_index.h.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fetch_ahead.h"
#include "engine/pq/key_selector.h"
#include "engine/pq/pq_index.h"

namespace mneme::engine {
namespace {

constexpr float kMostQuery = 1e15f;  // queries beyond, and those that are no numbers, count as 0

// How many keys the kernels write for so many.
size_t whole_blocks(int n_keys) {
  constexpr size_t kBlock = kScanBlock;
  return (static_cast<size_t>(n_keys) + kBlock - 1) / kBlock * kBlock;
}

class PqSelector final : public KeySelector {
 public:
  PqSelector(const RetrievalOptions& options, const KeySelectorShape& shape, const PqKernels& kernels)
      : options_(options),
        head_dim_(shape.head_dim),
        kernels_(kernels),
        by_cells_(ranks_by_cells(options)),
        index_(options, shape, kernels) {}

  Status update(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel) override {
    return index_.update(layer, kv_head, n_tokens, reader, cancel);
  }
  int n_indexed(int layer) const override { return index_.n_indexed(layer); }
  void forget(int n_tokens) override { index_.forget(n_tokens); }
  int64_t memory_bytes() const override { return index_.memory_bytes(); }
  void set_iterations(int limit) override { index_.set_iterations(limit); }
  int iterations() const override { return index_.iterations(); }

  void select(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch,
              std::vector<TokenPos>& out) override;

  bool weigh(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch) override;

  void leave_out(const KeyQuery& query, std::span<const TokenPos> tokens, std::span<const float> weights,
                 SelectScratch& scratch) override;

 private:
  using Head = PqIndex::Head;

  // The sinks that are no candidates, and how many floats a head's scores of them take.
  int n_sinks(const KeyQuery& query) const { return std::clamp<int>(options_.n_sinks, 0, query.begin); }
  static size_t sink_columns(int n) { return static_cast<size_t>(n + 15) / 16 * 16; }

  // Their scores for all heads, to scratch.sinks.
  void score_sinks(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch) const {
    const int n = n_sinks(query);
    if (n == 0) return;
    const size_t columns = sink_columns(n);
    const auto n_heads = static_cast<size_t>(query.n_heads);
    scratch.sinks.assign(n_heads * columns, 0.0f);
    const auto head_dim = static_cast<size_t>(head_dim_);
    if (query.sink_scores.empty()) {
      scratch.keys.resize(static_cast<size_t>(n) * head_dim);
      index_.read(query.layer, query.kv_head, 0, n, 1, reader, scratch.keys.data());
    }
    for (size_t h = 0; h < n_heads; ++h) {
      float* scores = scratch.sinks.data() + h * columns;
      if (query.sink_scores.empty()) order_query(query, h, scratch.query);
      for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        const float score = query.sink_scores.empty()
                                ? query.scale * std::inner_product(scratch.query.begin(), scratch.query.end(),
                                                                   scratch.keys.data() + i * head_dim, 0.0f)
                                : query.sink_scores[h * static_cast<size_t>(query.sink_stride) + i];
        scores[i] = std::fabs(score) < kMostQuery ? score : 0.0f;
      }
      std::fill(scores + n, scores + columns, scores[0]);  // none that decides what is largest
    }
  }

  // A head's weight of the sinks, as the sums of the scan count weights; after score_sinks().
  float sink_weight(const KeyQuery& query, size_t head, float left_out, SelectScratch& scratch) const {
    const int n = n_sinks(query);
    if (n <= 0) return 0.0f;
    float* weights = scratch.sinks.data() + head * sink_columns(n);
    const float largest = kernels_.weigh(weights, static_cast<int>(sink_columns(n)), 1.0f);
    return std::accumulate(weights, weights + n, 0.0f) * std::exp(std::clamp(largest - left_out, -80.0f, 60.0f));
  }

  // One query of the step in the order of the parts.
  void order_query(const KeyQuery& query, size_t index, std::vector<float>& out) const {
    const std::vector<int>& order = index_.order(query.layer);
    const float* values = query.queries.data() + index * order.size();
    out.resize(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      const float value = values[static_cast<size_t>(order[i])];
      out[i] = std::fabs(value) < kMostQuery ? value : 0.0f;
    }
  }

  // Tokens [query.begin, this) share the attention: those of the window that have codes as well.
  static int end_of_scored(const KeyQuery& query, const Head& head) {
    return query.n_tokens > 0 ? std::max(query.end, head.n_coded) : query.end;
  }
  // What brings a head's weights to a common sum.
  static float factor_of(float sum) { return 1.0f / std::clamp(sum, 1e-28f, 1e9f); }

  void select_by_cells(const KeyQuery& query, const Head& head, SelectScratch& scratch,
                       std::vector<TokenPos>& out) const;
  void weigh_cells(const KeyQuery& query, Head& head, SelectScratch& scratch) const;
  // The candidates by cell: as they are kept, or as they are counted for this step.
  static void count_candidates(const KeyQuery& query, Head& head, CellRanking& cells);
  void estimate_tail(const KeyQuery& query, const Head& head, SelectScratch& scratch) const;
  // After weigh(), as select_by_cells().
  static void select_by_scores(const KeyQuery& query, SelectScratch& scratch, std::vector<TokenPos>& out);
  // Scores of every key for every head, and the heads' factors.
  void score(const KeyQuery& query, const Head& head, SelectScratch& scratch) const;
  // score(), and one score per candidate for all heads together: scratch.combined.
  void combine_scores(const KeyQuery& query, const Head& head, SelectScratch& scratch) const;

  const RetrievalOptions options_;
  const int head_dim_;
  const PqKernels& kernels_;
  const bool by_cells_;
  PqIndex index_;
};

void PqSelector::count_candidates(const KeyQuery& query, Head& head, CellRanking& cells) {
  if (head.cell_counts.empty()) {
    cells.clear(query.n_heads);
    cells.add(head.pair(), query.begin, query.end);
  } else {
    head.count(query.begin, query.end);
    cells.use_counts(query.n_heads, head.cell_counts);
  }
}

// Every head's weights, the cells' counts of the candidates, the sums of all that share the attention, and the cells'
// scores.
void PqSelector::weigh_cells(const KeyQuery& query, Head& head, SelectScratch& scratch) const {
  CellRanking& cells = scratch.cells;
  const auto n_heads = static_cast<size_t>(query.n_heads);
  count_candidates(query, head, cells);
  scratch.left_out.resize(n_heads);
  scratch.factors.resize(n_heads);
  // Counts and scores have left the caches since the last step: they are asked for while the heads are weighed.
  FetchAhead counts(head.cell_counts.data(), static_cast<int64_t>(head.cell_counts.size() * sizeof(float)));
  FetchAhead scores = cells.ahead();
  const int64_t lines_of_counts = counts.lines_per_step(query.n_heads);
  const int64_t lines_of_scores = scores.lines_per_step(query.n_heads);
  for (size_t h = 0; h < n_heads; ++h) {
    counts.fetch(lines_of_counts);
    scores.fetch(lines_of_scores);
    order_query(query, h, scratch.query);
    scratch.left_out[h] = head.book->make_weights(scratch.query, query.scale, options_.by_spread, kernels_,
                                                  cells.weights(static_cast<int>(h)));
    scratch.factors[h] = query.n_tokens > 0 ? sink_weight(query, h, scratch.left_out[h], scratch) : 0.0f;
  }
  const std::span<const float> sums = cells.head_sums(head.pair(), query.end, end_of_scored(query, head));
  for (size_t h = 0; h < n_heads; ++h) scratch.factors[h] = factor_of(scratch.factors[h] + sums[h]);
  cells.score(scratch.factors, options_.combine_max);
  scratch.n_candidates = query.end - query.begin;
  scratch.by_cells = true;
}

void PqSelector::select_by_cells(const KeyQuery& query, const Head& head, SelectScratch& scratch,
                                 std::vector<TokenPos>& out) const {
  const int k = query.mass > 0 ? scratch.cells.count_for_mass(query.mass, query.floor_k, query.k) : query.k;
  if (head.values) head.values->fetch();
  query.kth ? scratch.cells.take_by(head.pair(), query.begin, query.end, k, *query.kth, out)
            : scratch.cells.take(head.pair(), query.begin, query.end, k, query.guess, out);
  if (head.values) estimate_tail(query, head, scratch);
}

void PqSelector::estimate_tail(const KeyQuery& query, const Head& head, SelectScratch& scratch) const {
  TailEstimate& tail = scratch.tail;
  const auto n_heads = static_cast<size_t>(query.n_heads);
  scratch.cells.weigh_rest(scratch.factors, scratch.rest[0], scratch.rest[1]);
  tail.value_stride = head.values->value_stride();
  const auto stride = static_cast<size_t>(tail.value_stride);
  tail.maximum = scratch.left_out;
  tail.sum.resize(n_heads);
  tail.values.resize(n_heads * stride);
  head.values->estimate(scratch.rest[0], scratch.rest[1], query.n_heads, kernels_, tail.values);
  for (size_t h = 0; h < n_heads; ++h) {
    const auto first = std::span<const float>(scratch.rest[0]).subspan(h * kTableEntries, kTableEntries);
    tail.sum[h] = std::accumulate(first.begin(), first.end(), 0.0f);
  }
}

void PqSelector::leave_out(const KeyQuery& query, std::span<const TokenPos> tokens, std::span<const float> weights,
                           SelectScratch& scratch) {
  TailEstimate& tail = scratch.tail;
  if (tail.value_stride == 0) return;
  const Head& head = index_.at(query.layer, query.kv_head);
  const auto n_heads = static_cast<size_t>(query.n_heads);
  for (std::vector<float>& rest : scratch.rest) rest.assign(n_heads * kTableEntries, 0.0f);
  for (size_t h = 0; h < n_heads; ++h) {
    const auto own = weights.subspan(h * tokens.size(), tokens.size());
    for (size_t i = 0; i < tokens.size(); ++i) {
      const auto token = static_cast<size_t>(tokens[i]);
      scratch.rest[0][h * kTableEntries + head.codes[0][token]] += own[i];
      scratch.rest[1][h * kTableEntries + head.codes[1][token]] += own[i];
    }
    tail.sum[h] += std::accumulate(own.begin(), own.end(), 0.0f);
  }
  scratch.values.resize(tail.values.size());
  head.values->estimate(scratch.rest[0], scratch.rest[1], query.n_heads, kernels_, scratch.values);
  for (size_t i = 0; i < tail.values.size(); ++i) tail.values[i] += scratch.values[i];
}

void PqSelector::score(const KeyQuery& query, const Head& head, SelectScratch& scratch) const {
  const auto n_heads = static_cast<size_t>(query.n_heads);
  const int n_keys = end_of_scored(query, head) - query.begin;
  const size_t padded = whole_blocks(n_keys);
  const size_t table_size = static_cast<size_t>(options_.n_parts) * static_cast<size_t>(head.book->entries());
  scratch.tables.resize(n_heads * table_size);
  scratch.scores.resize(n_heads * padded);
  scratch.score_stride = static_cast<int64_t>(padded);
  scratch.sums.assign(n_heads * kScanBlock, 0.0f);
  scratch.factors.resize(n_heads);
  scratch.left_out.resize(n_heads);
  for (size_t h = 0; h < n_heads; ++h) {
    order_query(query, h, scratch.query);
    scratch.left_out[h] = head.book->make_tables(scratch.query, query.scale, kernels_,
                                                 std::span(scratch.tables).subspan(h * table_size, table_size));
    if (query.n_tokens > 0) scratch.sums[h * kScanBlock] = sink_weight(query, h, scratch.left_out[h], scratch);
  }
  ScanRun run;
  run.n_parts = options_.n_parts;
  for (size_t p = 0; p < head.codes.size(); ++p) run.codes[p] = head.codes[p].data() + query.begin;
  run.n_heads = query.n_heads;
  run.n_entries = head.book->entries();
  run.tables = scratch.tables.data();
  run.n_keys = n_keys;
  run.scores = scratch.scores.data();
  run.score_stride = scratch.score_stride;
  run.sums = scratch.sums.data();
  kernels_.scan(run);
  for (size_t h = 0; h < n_heads; ++h) {
    float sum = 0;
    for (size_t lane = 0; lane < kScanBlock; ++lane) sum += scratch.sums[h * kScanBlock + lane];
    scratch.factors[h] = factor_of(sum);
  }
}

void PqSelector::select(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch,
                        std::vector<TokenPos>& out) {
  const Head& head = index_.at(query.layer, query.kv_head);
  scratch.tail.value_stride = 0;
  if (query.end <= query.begin || query.k <= 0) return;
  if (!query.weighed) weigh(query, reader, scratch);
  by_cells_ ? select_by_cells(query, head, scratch, out) : select_by_scores(query, scratch, out);
}

void PqSelector::combine_scores(const KeyQuery& query, const Head& head, SelectScratch& scratch) const {
  score(query, head, scratch);
  const int n_keys = query.end - query.begin;
  scratch.combined.resize(whole_blocks(n_keys));
  kernels_.combine({.n_heads = query.n_heads,
                    .scores = scratch.scores.data(),
                    .score_stride = scratch.score_stride,
                    .factors = scratch.factors.data(),
                    .maximum = options_.combine_max,
                    .n_keys = n_keys,
                    .out = scratch.combined.data()});
  scratch.n_candidates = n_keys;
  scratch.by_cells = false;
}

void PqSelector::select_by_scores(const KeyQuery& query, SelectScratch& scratch, std::vector<TokenPos>& out) {
  const auto scores = std::span<const int16_t>(scratch.combined).first(static_cast<size_t>(scratch.n_candidates));
  const int k = query.mass > 0 ? TopK::count_for_mass(scores, query.mass, query.floor_k, query.k) : query.k;
  scratch.top_k.select(scores, k, query.begin, out);
}

bool PqSelector::weigh(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch) {
  Head& head = index_.at(query.layer, query.kv_head);
  if (query.end <= query.begin) return false;
  if (query.n_tokens > 0) score_sinks(query, reader, scratch);
  by_cells_ ? weigh_cells(query, head, scratch) : combine_scores(query, head, scratch);
  return true;
}

}  // namespace

std::unique_ptr<KeySelector> make_pq_selector(const RetrievalOptions& options, const KeySelectorShape& shape,
                                              const PqKernels& kernels) {
  return std::make_unique<PqSelector>(options, shape, kernels);
}

}  // namespace mneme::engine
