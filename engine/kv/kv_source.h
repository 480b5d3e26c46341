// Where the KV of cached chunks comes from, as the engine sees it: encoded bytes of layer l of chunk c. `rag` backs
// this with the store; tests back it with memory. The engine knows neither files nor documents. Threads: fetch_layer
// may be called from several threads at once.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"

namespace mneme::engine {

struct ChunkKvInfo {
  int n_tokens = 0;
  int n_layers = 0;
  uint32_t codec = 0;  // codec id and level, see engine/codec/codec.h
  uint32_t codec_version = 0;
};

class KvSource {
 public:
  virtual ~KvSource() = default;

  virtual int n_chunks() const = 0;
  virtual ChunkKvInfo chunk(int chunk) const = 0;
  // Encoded KV of one layer of one chunk into `out` (resized). kCorruption when a checksum fails, kNotFound when it
  // vanished: the caller then recomputes the chunk.
  virtual Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) = 0;
  // Whether fetch_layer() would not wait.
  virtual bool is_ready(int /*chunk*/, int /*layer*/) const { return true; }
};

}  // namespace mneme::engine
