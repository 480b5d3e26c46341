// The policy interface of retrieval: which of the older tokens one decoding step attends to. PQ is one policy, the
// methods it is compared with are others (key_baselines.h). A policy keeps what it needs to know about the keys of a
// sequence, per layer and KV head; the backend reads keys for it and attends to what it chose.
// Ownership: belongs to one sequence. Threads: update() and select() concurrently for different KV heads; everything
// else alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "engine/model/model_config.h"
#include "engine/pq/cell_ranking.h"
#include "engine/pq/head_budgets.h"
#include "engine/pq/pq_kernels.h"
#include "engine/pq/retrieval_options.h"
#include "engine/pq/top_k.h"
#include "engine/types.h"

namespace mneme::engine {

// Keys of a sequence as attention sees them (after RoPE).
class KeyReader {
 public:
  virtual ~KeyReader() = default;
  // Keys first, first + step, ... (n of them) of one head as (n, head_dim) f32; the dimensions of each in the given
  // order, as they are where it is empty. Concurrent calls are safe.
  virtual void read_keys(int layer, int kv_head, TokenPos first, int n, int step, std::span<const int> order,
                         float* out) const = 0;
  // Values of tokens [first, first + n) of one head as (n, head_dim) f32. Likewise.
  virtual void read_values(int layer, int kv_head, TokenPos first, int n, float* out) const = 0;
};

// One KV head's choice: k of the tokens [begin, end).
struct KeyQuery {
  int layer = 0;
  int kv_head = 0;
  std::span<const float> queries;  // (n_heads, head_dim): of all query heads that share the KV head
  int n_heads = 0;
  float scale = 1;  // of query . key
  TokenPos begin = 0;
  TokenPos end = 0;
  // All tokens in place, the new one included: weights are shares of the attention to them. 0: to [begin, end) alone.
  TokenPos n_tokens = 0;
  // scale * query . key of the tokens before `begin`, where the caller has them, (n_heads, sink_stride); they often
  // hold most of the attention, and no centroid stands for them. Empty: their keys are read.
  std::span<const float> sink_scores = {};
  int sink_stride = 0;
  int k = 0;
  std::optional<int16_t> guess = {};  // of the k-th score; costs or saves time and changes nothing
  std::optional<KthScore> kth = {};   // or the score itself, of weigh()'s scores
  bool weighed = false;               // weigh() was called for the same query and scratch
  // Above 0: as few tokens as hold this share of the estimated attention of [begin, end), floor_k to k.
  double mass = 0;
  int floor_k = 0;
};

// What was not chosen, estimated: a part of the softmax as attention kernels leave it.
struct TailEstimate {
  int value_stride = 0;        // 0: there is no estimate
  std::vector<float> maximum;  // (n_heads)
  std::vector<float> sum;      // (n_heads), of e^(score - maximum)
  std::vector<float> values;   // (n_heads, value_stride), weighted sums
};

// Working memory of one KV head's choice.
struct SelectScratch {
  explicit SelectScratch(const PqKernels& pq_kernels) : kernels(pq_kernels), top_k(pq_kernels), cells(pq_kernels) {}

  // After KeySelector::weigh(): counts[t] = how many candidates score >= thresholds[t], which are >= 0.
  void count_reaching(const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const;
  // Likewise, to `near`. False, and nothing is done, where that would take longer than it saves.
  bool count_near(int16_t guess);

  const PqKernels& kernels;
  TopK top_k;
  CellRanking cells;
  bool by_cells = false;  // the candidates' scores are those of `cells`, not `combined`
  int n_candidates = 0;
  NearCounts near;
  std::vector<float>
      left_out;  // (n_heads): of the logarithms of weights; factors bring a head's weights to their shares
  std::vector<float> rest[2];   // (n_heads, kTableEntries) by code of either part
  TailEstimate tail;            // of the last select(), where the options ask for it
  std::vector<float> query;     // one query in the order of the parts
  std::vector<float> sinks;     // (n_heads, a multiple of 16) scores of the sinks, then their weights
  std::vector<float> values;    // (n_heads, value_stride)
  std::vector<int16_t> tables;  // (n_heads, n_parts, entries)
  std::vector<int16_t> scores;  // (n_heads, score_stride)
  int64_t score_stride = 0;
  std::vector<int16_t> combined;  // (n_candidates)
  std::vector<float> sums;        // (n_heads, kScanBlock)
  std::vector<float> factors;     // (n_heads)
  std::vector<float> keys;
  std::vector<float> weights;
};

class KeySelector {
 public:
  virtual ~KeySelector() = default;

  // Takes note of the keys of tokens [0, n_tokens) of one head that it does not know yet. kCancelled keeps what is
  // done.
  virtual Status update(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel) = 0;

  // Tokens of the layer that select() may be asked about: [0, this).
  virtual int n_indexed(int layer) const = 0;

  // Tokens from n_tokens on are no more.
  virtual void forget(int n_tokens) = 0;

  // Appends the chosen positions, ascending. query.end <= n_indexed(layer).
  virtual void select(const KeyQuery& query, const KeyReader& reader, SelectScratch& scratch,
                      std::vector<TokenPos>& out) = 0;

  // The first half of select(): scores the candidates in scratch, by their weights (head_budgets.h). False, and nothing
  // is done, where the policy does not weigh single keys.
  virtual bool weigh(const KeyQuery& /*query*/, const KeyReader& /*reader*/, SelectScratch& /*scratch*/) {
    return false;
  }

  // After select(): tokens that it chose are not attended to after all, but belong to the estimate of the rest; weights
  // (n_heads, tokens.size()) as TailEstimate has them, relative to its maxima. Does nothing where there is no estimate.
  virtual void leave_out(const KeyQuery& /*query*/, std::span<const TokenPos> /*tokens*/,
                         std::span<const float> /*weights*/, SelectScratch& /*scratch*/) {}

  virtual int64_t memory_bytes() const { return 0; }
  // Of k-means, where the policy clusters: the limit from now on, and what the codebooks took.
  virtual void set_iterations(int /*limit*/) {}
  virtual int iterations() const { return 0; }
};

// What the policies need to know about the model.
struct KeySelectorShape {
  int n_layers = 0;
  int n_kv_heads = 0;
  int head_dim = 0;
  std::vector<const RopeConfig*> ropes;  // per layer, null where it has none; valid as long as the selector
};

// options have passed check_retrieval_options().
std::unique_ptr<KeySelector> make_key_selector(const RetrievalOptions& options, const KeySelectorShape& shape,
                                               const PqKernels& kernels);
std::unique_ptr<KeySelector> make_pq_selector(const RetrievalOptions& options, const KeySelectorShape& shape,
                                              const PqKernels& kernels);
// Any method but kPq.
std::unique_ptr<KeySelector> make_baseline_selector(const RetrievalOptions& options, const KeySelectorShape& shape);

// The attention weights of query over [query.begin, query.end), softmax by head, summed over the heads: one per token.
// Plain f32 over all keys; the oracle of what is compared.
void exact_weights(const KeyQuery& query, int head_dim, const KeyReader& reader, std::vector<float>& weights);

// The positions of the k largest weights, ascending, the lower of equals; weights[i] belongs to position first + i.
std::vector<TokenPos> largest_weights(std::span<const float> weights, int k, TokenPos first);

}  // namespace mneme::engine
