// What retrieval by product-quantised keys chooses from: for every layer and KV head a codebook, the codes of its
// tokens, the counts of cells and the mean values. Codebooks are trained on a sample of the keys and trained anew when
// the sequence has grown fourfold; keys get their codes in groups, while still in the window. Threads: as KeySelector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/pq/codebook.h"
#include "engine/pq/key_selector.h"
#include "engine/pq/value_means.h"

namespace mneme::engine {

class PqIndex {
 public:
  struct Head {
    std::optional<Codebook> book;
    int n_trained = 0;  // tokens there were when it was trained
    int n_coded = 0;
    std::vector<std::vector<uint8_t>> codes;  // [part]
    std::vector<float> cell_counts;           // (kCells) of the tokens [counted_begin, counted_end), or empty
    TokenPos counted_begin = 0;
    TokenPos counted_end = 0;
    std::optional<ValueMeans> values;  // of the tokens [n_sinks, n_valued)
    int n_valued = 0;

    CodePair pair() const { return {codes[0].data(), codes[1].data()}; }
    // Counts [begin, end) instead of what is counted: from one step to the next few tokens join and few go.
    void count(TokenPos begin, TokenPos end) {
      if (cell_counts.empty()) return;
      if (begin >= counted_end || end <= counted_begin) {
        forget_counts();
        counted_begin = counted_end = begin;
      }
      move_border(counted_begin, begin, -1.0f);
      move_border(counted_end, end, 1.0f);
    }
    // A border of what is counted; forward: what a token counts for that it passes on the way up.
    void move_border(TokenPos& border, TokenPos to, float forward) {
      count_cells(pair(), border, std::max(border, to), forward, cell_counts);
      count_cells(pair(), to, std::max(border, to), -forward, cell_counts);
      border = to;
    }
    void forget_counts() {
      std::fill(cell_counts.begin(), cell_counts.end(), 0.0f);
      counted_begin = counted_end = 0;
    }
    void forget_values() {
      values.reset();
      n_valued = 0;
    }
  };

  PqIndex(const RetrievalOptions& options, const KeySelectorShape& shape, const PqKernels& kernels);

  // As KeySelector has them.
  Status update(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel);
  int n_indexed(int layer) const;
  void forget(int n_tokens);
  int64_t memory_bytes() const;
  void set_iterations(int limit) { iterations_ = limit; }
  int iterations() const;

  Head& at(int layer, int kv_head) {
    return heads_[static_cast<size_t>(layer) * static_cast<size_t>(shape_.n_kv_heads) + static_cast<size_t>(kv_head)];
  }
  const Head& at(int layer, int kv_head) const { return const_cast<PqIndex*>(this)->at(layer, kv_head); }

  // The dimensions in the order of the parts.
  const std::vector<int>& order(int layer) const { return parts_[static_cast<size_t>(layer)].order; }
  // Keys first, first + step, ... (n of them) in that order; what is no number as 0.
  void read(int layer, int kv_head, TokenPos first, int n, int step, const KeyReader& reader, float* out) const;

 private:
  Status train(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel);
  Status encode(int layer, int kv_head, int n_tokens, const KeyReader& reader, const CancelToken& cancel);
  Status sum_values(int layer, int kv_head, const KeyReader& reader, const CancelToken& cancel);

  static constexpr int kDefaultIterations = 8;
  const RetrievalOptions options_;
  const KeySelectorShape shape_;
  const PqKernels& kernels_;
  const bool by_cells_;
  int iterations_ = kDefaultIterations;
  std::vector<KeyParts> parts_;  // per layer
  std::vector<Head> heads_;      // (n_layers, n_kv_heads)
};

}  // namespace mneme::engine
