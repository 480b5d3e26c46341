// How decoding chooses the tokens it attends to when a context is long: everything, or the initial tokens (sinks), a
// local window and those retrieved by a policy under a budget. Shared by the command line, sequences and backends.
// Method: PQCache (paper 001) by default; the other policies are its baselines, for comparison at equal budget.
// Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace mneme::engine {

// kAuto: full attention in contexts of up to RetrievalOptions::min_tokens, retrieval beyond.
enum class AttentionKind { kFull, kPq, kAuto };

// Which policy chooses the tokens.
enum class RetrievalMethod {
  kPq,          // product-quantised keys [PQCache]
  kExact,       // the true top-k: the oracle
  kSinkWindow,  // nothing is retrieved, the window takes the whole budget [StreamingLLM 2309.17453]
  kH2o,         // largest attention accumulated so far [H2O 2306.14048]
  kSparq,       // scores from the query's largest dimensions only [SparQ 2312.04985]
  kQuest,       // pages by the bound of their keys' extents [Quest 2406.10774]
  kInfLlm,      // blocks by their representative tokens [InfLLM 2402.04617]
};

// How many tokens a step attends to, sinks, window and the new token included.
struct RetrievalBudget {
  double share = 0.2;  // of the tokens so far, in (0, 1]; 1 is full attention. Used when `tokens` is 0
  int tokens = 0;      // a count
  // Above 0: as few tokens as hold this share of the estimated attention, at most what share or tokens allow and at
  // least floor_tokens [after Twilight 2502.02770].
  double mass = 0;
  int floor_tokens = 256;
};

enum class BlockEviction { kLru, kLfu };

struct RetrievalOptions {
  AttentionKind kind = AttentionKind::kFull;
  RetrievalMethod method = RetrievalMethod::kPq;
  RetrievalBudget budget = {};
  int n_sinks = 32;  // initial tokens that are always attended to; at most an eighth of the budget
  int window = 128;  // latest tokens that are; at most a 32nd of the budget, but at least 16
  // kAuto only: contexts of up to so many tokens are attended to in full, since full attention is as fast there
  // (docs/long-contexts.md).
  int min_tokens = 16384;

  int n_parts = 2;           // m: parts of a key; divides the head dimension
  int n_bits = 6;            // b: bits of a code, 1 to 8; up to 6 the scan looks codes up in registers
  int iterations = 0;        // of k-means; 0: as many as the fitted model of this machine allows
  int training_keys = 0;     // keys that k-means sees; 0: a quarter of them, 4096 to 16384
  bool combine_max = false;  // query heads that share a key are combined by their largest score instead of by softmax
  uint64_t seed = 1;

  // Attention to what is not retrieved is estimated from centroids, counts and mean values [RetroInfer 2505.02922],
  // where keys are ranked by cells (ranks_by_cells()); other shapes and policies leave it out.
  bool tail = true;
  // The weight of a pair of codes is the mean of its keys' weights, told by how far they lie apart, instead of the
  // centroid's; where keys are ranked by cells.
  bool by_spread = true;
  // The KV heads of a layer split what it retrieves by how their attention is spread (head_budgets.h), instead of
  // evenly.
  bool split_heads = true;
  // Above 1: of so many times the tokens that a step attends to, found by codes, the heaviest by their exact keys.
  // Reads that many more keys, no values; kPq. 0: by codes alone. 1: 2 in contexts of up to 16384 tokens, but of no
  // fewer than 2048 tokens, whose keys are read in no time; 0 beyond.
  double rerank = 1;
  // So many adjacent layers attend to what the first of them retrieves [after Kascade]; 1: each for itself.
  int shared_layers = 1;

  int sparq_dims = 0;  // kSparq: dimensions of a query; 0: a quarter

  // The block cache (engine/pq/block_cache.h); 0: none.
  int block_cache_tokens = 0;
  BlockEviction eviction = BlockEviction::kLfu;

  // Also computes every exact score, to report recall and attention mass. Costs more than full attention.
  bool check = false;
};

// "" gives the default; "0.1" and "1/10" a share, "4096" a count, "mass:0.95" a probability mass. kUsage for anything
// else: 0, shares above 1, counts too small to hold sinks and window.
Result<RetrievalBudget> parse_retrieval_budget(std::string_view text);
Result<AttentionKind> parse_attention_kind(std::string_view text);
Result<RetrievalMethod> parse_retrieval_method(std::string_view text);
// A method and what is particular about it, for comparisons: "exact", "pq", "pq:4x8" (parts and bits), "pq+cut" (no
// tail), "pq+even" (heads do not split), "pq+centre" (not by_spread), "pq+share2" (layers share by twos), "pq+max",
// "pq+rerank2" (of twice as many by exact keys), "pq+codes" (rerank 0), "pq+window64". What is not said stays.
Status parse_retrieval_variant(std::string_view text, RetrievalOptions& options);
std::string_view attention_kind_name(AttentionKind kind);
std::string_view retrieval_method_name(RetrievalMethod method);

// kUsage names the option that is out of range, or does not fit heads of head_dim.
Status check_retrieval_options(const RetrievalOptions& options, int head_dim);

// Whether what one has learnt about a sequence's keys serves the other as well.
bool same_index(const RetrievalOptions& a, const RetrievalOptions& b);

// Whether keys are ranked by their pairs of codes (cell_ranking.h): by 2 parts of at most 6 bits.
bool ranks_by_cells(const RetrievalOptions& options);

// What a step at n_tokens (the new one included) attends to: positions [0, sinks), those retrieved out of
// [sinks, window_begin), and [window_begin, n_tokens).
struct StepBudget {
  int sinks = 0;
  int window_begin = 0;
  int retrieved = 0;       // of the candidates [sinks, window_begin)
  bool everything = true;  // full attention: the budget holds all tokens, or kAuto finds them few
};
StepBudget step_budget(const RetrievalOptions& options, int n_tokens);
// The same where the policy knows tokens [0, n_known) only: the others stay in the window, and cost as many of those
// retrieved.
StepBudget step_budget(const RetrievalOptions& options, int n_tokens, int n_known);

// What retrieval did since it was set, for reports. Unset: not measured.
struct RetrievalReport {
  bool used = false;             // at least one step retrieved
  int steps = 0;                 // that did
  int budget_tokens = 0;         // of the last step
  double mean_attended = 0;      // tokens per step, layer and KV head
  double prepare_seconds = 0;    // clustering, coding and re-ordering of keys
  double select_seconds = 0;     // scoring and selection, summed over threads
  double lookups = 0;            // (key, query head) pairs scored
  int64_t index_bytes = 0;       // codes and centroids
  int64_t indexed_kv_bytes = 0;  // fp16 KV of the same tokens
  int iterations = 0;            // of k-means, last time
  std::optional<double> recall;  // of the true top-k; with check
  std::optional<double> mass;    // of the true attention covered; with check
  std::optional<double> block_cache_hit_rate;
};

}  // namespace mneme::engine
