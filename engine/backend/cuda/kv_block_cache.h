// The block cache of one sequence whose KV lies in the host's memory (PQCache, paper 001 §3.4; the rules are those of
// engine/pq/block_cache.h): blocks that retrieval asks for often are kept in the device's memory, for each layer that
// retrieves and each KV head. Kernels count, decide and copy; blocks are brought in beside the compute stream and serve
// from the next step on. Only blocks whose every token is in place take part, since those change no more.
// Ownership: belongs to the retrieval of one cache. Threads: one at a time.
#pragma once

#include <cuda_runtime.h>

#include <climits>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/kv_blocks.h"
#include "engine/pq/retrieval_options.h"

namespace mneme::engine::cuda {

class KvBlockCache {
 public:
  struct Shape {
    std::vector<bool> layers;  // which retrieve
    int max_tokens = 0;
    // That it holds of each layer and head; or an eighth of the sequence, where a quarter of the free memory has room.
    int least_tokens = 0;
    BlockEviction eviction = BlockEviction::kLfu;
  };
  // For KV like `home`, whose blocks are copied on `stream`. Null where memory is too short or the sequence too long.
  static std::unique_ptr<KvBlockCache> make(Device& device, cudaStream_t stream, const KvView& home,
                                            const Shape& shape);
  ~KvBlockCache();
  KvBlockCache(const KvBlockCache&) = delete;
  KvBlockCache& operator=(const KvBlockCache&) = delete;

  // A layer's tokens have been chosen for the last of n_tokens: counts and decides, and begins to bring blocks in.
  // Gives where the blocks of each KV head lie here, (n_kv_heads, places_stride()); null where one does not.
  const std::byte* const* serve(int layer, const KvView& home, const PqChoice& choice, int n_tokens);
  int64_t places_stride() const { return most_blocks_; }

  // Tokens from n_tokens on are no more; nothing is enqueued for it before the next step.
  void forget(int n_tokens);

  int capacity_tokens() const { return n_slots_ * kPageTokens; }  // of a layer and head
  // Of the tokens asked for those that were here, since count_anew(), in the steps that are done.
  struct Hits {
    int64_t served = 0;
    int64_t asked = 0;
  };
  Hits hits() const;
  void count_anew();

 private:
  struct Layer {
    int place = -1;        // among those that retrieve; -1: it does not
    int steps = 0;         // served
    int n_kept = INT_MAX;  // blocks that are still what they were
    cudaEvent_t filled = nullptr;
  };
  KvBlockCache(Device& device, cudaStream_t stream, const KvView& home, const Shape& shape, int n_slots);
  bool open();
  int64_t n_heads() const { return int64_t{n_places_} * n_kv_heads_; }  // of all layers
  CachedBlocks of(const Layer& layer) const;
  Hits told() const;

  Device& device_;
  const cudaStream_t stream_;
  std::vector<Layer> layers_;
  int n_places_ = 0;
  const int n_kv_heads_;
  const int n_slots_;  // of a layer and head
  const int most_blocks_;
  const int64_t head_bytes_;
  const bool by_uses_;
  cudaEvent_t decided_ = nullptr;
  DeviceBuffer memory_, slots_, places_, fills_, n_fills_, counts_;  // as CachedBlocks has them, for all layers
  int64_t* told_ = nullptr;                                          // pinned
  Hits before_;                                                      // told when counting began
};

}  // namespace mneme::engine::cuda
