// Reads, decodes and places the KV of all chunks of a prompt on the threads of the computation, between two of its
// operations: for a processor whose cores the computation has all of, where a thread beside it makes it wait at its
// barriers and gains nothing (layer_loader.h is for all others; what is read ahead is the source's business). Each
// thread places what it has decoded while that lies in its core's cache, and what has been read of later layers is
// taken along, so that the threads meet less often.
// Ownership: borrows source, codecs and threads. Threads: one caller.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/f16.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "engine/codec/codec.h"
#include "engine/fusion/loading_stats.h"
#include "engine/kv/kv_source.h"

namespace mneme::engine {

class LayerPlacer {
 public:
  // Takes over one chunk's decoded layer: (n_tokens, n_kv_heads, head_dim), keys before RoPE. On any of the threads,
  // for several chunks at once; the numbers are lent for the call.
  using Place = std::function<void(int layer, int chunk, std::span<const f16> keys, std::span<const f16> values)>;

  // codecs[c] decodes chunk c of the source; at least one chunk. Layers before first_layer are not read.
  LayerPlacer(KvSource& source, std::span<const KvCodec* const> codecs, int n_layers, int first_layer, ThreadPool& pool,
              Place place);

  // Places a layer of all chunks, unless an earlier call has. Layers in ascending order from first_layer. By chunk: why
  // it could not be placed, if it could not (the first reason, of whatever layer was read). Empty when cancelled.
  std::span<const Status> place(int layer, const CancelToken& cancel);

  const LoadingStats& stats() const { return stats_; }

 private:
  // Of one thread.
  struct Worker {
    std::vector<std::byte> encoded;
    std::vector<f16> keys, values;
    LoadingStats stats;
  };
  int n_chunks() const { return static_cast<int>(codecs_.size()); }
  bool is_there(int layer) const;
  int end_of_next(int layer) const;
  Status fetch_decode_place(int layer, int chunk, Worker& worker);
  void run_item(size_t item, Worker& worker);

  KvSource& source_;
  const std::vector<const KvCodec*> codecs_;
  const int n_layers_;
  ThreadPool& pool_;
  const Place place_;
  int64_t layer_bytes_ = 0;  // of all chunks, decoded
  int next_layer_;           // the first that is not placed
  std::vector<Worker> workers_;
  std::vector<Status> item_statuses_;  // of a loop's (layer, chunk)
  std::vector<Status> statuses_;       // by chunk
  LoadingStats stats_;
};

}  // namespace mneme::engine
