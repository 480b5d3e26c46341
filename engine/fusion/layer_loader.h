// Reads and decodes the KV of all chunks of a prompt, layer by layer, ahead of the computation: while layer l is
// consumed, the layers after it are on their way. A consumer that would have to wait decodes with the loader threads
// instead of standing still. Method: CacheBlend's pipelined loading, CacheGen's overlap of decoding and fetching.
// Ownership: borrows source and codecs; its threads end with it. Threads: acquire and release from one consumer.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/f16.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "engine/codec/codec.h"
#include "engine/kv/kv_source.h"

namespace mneme::engine {

// One chunk's layer, decoded: (n_tokens, n_kv_heads, head_dim), keys before RoPE.
struct ChunkLayer {
  Status status;  // why this chunk cannot be used, if it cannot
  std::vector<f16> keys;
  std::vector<f16> values;
};

struct LayerLoaderOptions {
  int n_threads = 1;
  int depth = 2;        // layers in memory at once, >= 1
  int first_layer = 0;  // earlier layers are not read
  // Decodes while the consumer computes. Else only while it waits in acquire(): where the computation has every core,
  // a thread beside it makes it wait at its barriers and gains nothing. (What is read ahead is the source's business.)
  bool beside = true;
  // Where given, these threads decode, in acquire(): the others of these options do not count, save the first layer.
  // They are the computation's own, so that none must be woken and none has fallen asleep when the computation goes on.
  ThreadPool* pool = nullptr;
};

// What loading cost so far.
struct LayerLoaderStats {
  int64_t bytes_read = 0;     // encoded
  int64_t bytes_decoded = 0;  // as fp16
  double decode_ms = 0.0;     // summed over the threads that decoded
  double wait_ms = 0.0;       // the consumer spent in acquire(), waiting or helping
};

class LayerLoader {
 public:
  // codecs[c] decodes chunk c of the source; at least one chunk.
  LayerLoader(KvSource& source, std::span<const KvCodec* const> codecs, int n_layers,
              const LayerLoaderOptions& options);
  ~LayerLoader();
  LayerLoader(const LayerLoader&) = delete;
  LayerLoader& operator=(const LayerLoader&) = delete;

  // Waits for all chunks of a layer; valid until release(layer). Layers in ascending order from first_layer.
  // Empty when cancelled.
  std::span<const ChunkLayer> acquire(int layer, const CancelToken& cancel);
  void release(int layer);

  LayerLoaderStats stats() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mneme::engine
