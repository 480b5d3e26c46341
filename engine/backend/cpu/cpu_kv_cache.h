// KV of one sequence in pages of kPageTokens tokens per layer. A page holds, per KV head,
//   keys   (head_dim, kPageTokens)       transposed: scores of neighbouring tokens are neighbouring lanes
//   values (kPageTokens, value_stride)   value_stride = head_dim rounded up to 16, the rest zero
// in f16; or, for Q8_0, codes of keys, codes of values, scales of keys, scales of values (layouts: kv_page.h). Where
// tokens are retrieved one by one (CpuRetrieval), old pages are turned to (kPageTokens, key and value): one run of
// memory a token, as each page of memory touched costs an address translation. After all heads, if kept, keys before
// RoPE (kPageTokens, n_kv_heads, head_dim) in f16. Pages never move; growing copies nothing. Threads: the write
// functions for different positions from any thread, after reserve().
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/kv_page.h"
#include "engine/backend/cpu/page_pool.h"
#include "engine/backend/cpu/rope_table.h"
#include "engine/backend/layer_states.h"

namespace mneme::engine::cpu {

class CpuRetrieval;

class CpuKvCache final : public KvCache {
 public:
  // All but the options are the backend's.
  CpuKvCache(const KvCacheOptions& options, const Kernels& kernels, ThreadPool& pool, RopeTables& ropes,
             std::shared_ptr<PagePool> memory);
  ~CpuKvCache() override;

  Status reserve(int n_tokens) override;
  void place(int layer, TokenPos first, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
             const RopeConfig* rope) override;
  Status read(int layer, TokenPos first, int n_tokens, bool unrotated, std::span<f16> keys,
              std::span<f16> values) const override;
  int64_t memory_bytes() const override;
  Status set_retrieval(const RetrievalOptions& options, const ModelConfig& config) override;
  Status prepare_retrieval(int n_tokens, ClusteringModel* times, const CancelToken& cancel) override;
  void forget(int n_tokens) override;
  RetrievalReport retrieval_report() const override;
  int state_tokens() const override;
  void keep_state() override;
  int kept_state(int n_tokens) const override;
  int restore_state(int n_tokens) override;

  CpuRetrieval* retrieval() const { return retrieval_.get(); }  // null: full attention
  LayerStates* states() const { return states_.get(); }         // null: all layers attend

  int n_reserved() const { return n_reserved_; }

  // One head of one token. unrotated may be null when not kept. key, value: (head_dim) f32, rounded to the
  // cache's type.
  void write_key(int layer, TokenPos position, int kv_head, const float* key);
  void write_value(int layer, TokenPos position, int kv_head, const float* value);
  // The same of a value that is held as it is stored.
  void place_value(int layer, TokenPos position, int kv_head, const f16* value);
  void write_unrotated_key(int layer, TokenPos position, int kv_head, const float* key);
  // A token's keys and values will soon be written by this thread: asks for the memory, where it is f16.
  void expect_token(int layer, TokenPos position) const;

  KvPage page(int layer, int page, int kv_head) const;
  // All of what page() gives, one run of memory.
  std::span<const std::byte> page_memory(int layer, int page, int kv_head) const {
    return {head_page(layer, page, kv_head), static_cast<size_t>(at(layer).head_bytes)};
  }

  // [page]: what page_memory() gives of each begins there, page_offset() bytes further.
  std::span<std::byte* const> page_bases() const { return bases_; }
  int64_t page_offset(int layer, int kv_head) const { return at(layer).offset + kv_head * at(layer).head_bytes; }

  // Turns pages [0, n_pages) so that a token's key and value lie side by side, on the pool. Not while others read them.
  void make_by_token(int layer, int n_pages, ThreadPool& pool, size_t pages_per_task);
  bool by_token(int layer, int page) const {
    const auto index = static_cast<size_t>(page) * static_cast<size_t>(options_.n_layers) + static_cast<size_t>(layer);
    return index < by_token_.size() && by_token_[index] != 0;
  }
  // Keys first, first + step, ... (n of them) of one head as (n, head_dim) f32, dimensions in the given order (empty:
  // as they are).
  void read_keys(int layer, int kv_head, TokenPos first, int n, int step, std::span<const int> order, float* out) const;
  // Values [first, first + n) of one head as (n, head_dim) f32.
  void read_values(int layer, int kv_head, TokenPos first, int n, float* out) const;
  // Elements from one token to the next in pages by token.
  int64_t token_stride(int layer) const { return at(layer).head_dim + at(layer).value_stride; }
  int value_stride(int layer) const { return at(layer).value_stride; }
  // One head of one token, where it lies; the page must be by token.
  KvRow row(int layer, TokenPos position, int kv_head) const;
  // The same where keys are not: the key is copied to `key` (head_dim elements of the cache's type).
  KvRow row_with_copied_key(int layer, TokenPos position, int kv_head, void* key) const;

 private:
  // What place() was given.
  struct Placed {
    int layer;
    TokenPos first;
    const f16* keys;
    const f16* values;
    const RopeTable* rope;  // null: keys stay as they are
  };
  bool is_q8() const { return options_.type == KvType::kQ8_0; }
  // A layer's part of every page; asked for with every row.
  struct LayerPlace {
    int n_kv_heads = 0;
    int head_dim = 0;
    int value_stride = 0;
    int64_t offset = 0;      // of the layer in a page of all layers
    int64_t head_bytes = 0;  // of one head
    int kv_dim() const { return n_kv_heads * head_dim; }
    int64_t head_elements() const { return int64_t{kPageTokens} * (head_dim + value_stride); }
  };
  void lay_out();
  const LayerPlace& at(int layer) const { return places_[static_cast<size_t>(layer)]; }
  int64_t count_head_bytes(const LayerPlace& place) const;
  int64_t count_layer_bytes(const LayerPlace& place) const;
  std::byte* head_page(int layer, int page, int kv_head) const {
    return bases_[static_cast<size_t>(page)] + page_offset(layer, kv_head);
  }
  void turn_page(int layer, int page);
  // place() of the tokens [begin, end) of one page: one after the other, or, where pages allow it, all keys in columns
  // and all values in rows.
  void place_tokens(const Placed& placed, int begin, int end);
  void place_token(const Placed& placed, int token, int kv_head);
  void place_columns(const Placed& placed, int begin, int end, int kv_head);
  void place_rows(const Placed& placed, int begin, int end, int kv_head);
  // Elements from one dimension of a token's key to the next, and where its first lies in the page's keys.
  struct KeyPlace {
    int64_t first = 0;
    int64_t stride = 1;
  };
  KeyPlace key_place(int layer, TokenPos position) const;
  // Where a token's value begins in the page's values.
  int64_t value_place(int layer, TokenPos position) const;
  void read_key(int layer, TokenPos position, int kv_head, f16* key) const;
  void read_value(int layer, TokenPos position, int kv_head, f16* value) const;
  const f16* unrotated_key(int layer, TokenPos position, int kv_head) const;
  bool range_is_valid(int layer, TokenPos first, int n_tokens, size_t n_keys, size_t n_values) const;

  const Kernels& kernels_;
  ThreadPool& pool_;
  RopeTables& ropes_;
  std::vector<LayerPlace> places_;
  int64_t page_bytes_ = 0;    // of all layers
  bool has_padding_ = false;  // behind the values of some layer
  int n_reserved_ = 0;        // tokens, whole pages
  std::shared_ptr<PagePool> memory_;
  std::vector<std::unique_ptr<PagePool::Run>> pages_;  // [page]: of all layers
  std::vector<std::byte*> bases_;                      // [page]: where they begin
  std::vector<uint8_t> by_token_;                      // (pages, layers), as far as any is
  std::unique_ptr<CpuRetrieval> retrieval_;
  std::unique_ptr<LayerStates> states_;
};

}  // namespace mneme::engine::cpu
