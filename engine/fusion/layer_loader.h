// Reads and decodes the KV of all chunks of a prompt, layer by layer, ahead of the computation: while layer l is
// consumed, the layers after it are on their way. A consumer that would have to wait decodes with the loader threads
// instead of standing still. What a device decodes is read only. Where the computation has every core there is
// layer_placer.h. Method: CacheBlend's pipelined loading, CacheGen's overlap of decoding and fetching. Ownership:
// borrows source and codecs; its threads end with it. Threads: acquire and release from one consumer.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/cancel.h"
#include "base/f16.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/fusion/loading_stats.h"
#include "engine/kv/kv_source.h"

namespace mneme::engine {

// One chunk's layer: decoded, (n_tokens, n_kv_heads, head_dim), keys before RoPE; or as it is stored.
struct ChunkLayer {
  Status status;  // why this chunk cannot be used, if it cannot
  std::vector<f16> keys;
  std::vector<f16> values;
  std::vector<std::byte> encoded;
  CodedLayer coded;  // borrows `encoded`; without a codec where the layer is decoded
  bool is_encoded() const { return coded.codec != nullptr; }
};

struct LayerLoaderOptions {
  int n_threads = 1;
  int depth = 2;        // layers in memory at once, >= 1
  int first_layer = 0;  // earlier layers are not read
  // Layers that are left encoded: by whom they were. Called by the loader's threads. Empty: none.
  std::function<bool(int layer, const KvCodec& codec)> leaves_encoded = {};
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

  LoadingStats stats() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mneme::engine
