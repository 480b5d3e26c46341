// Stored KV that a device decodes and encodes by itself. A layer's bytes of many chunks go up in one batch, are
// decoded, their keys rotated, and put in place, all enqueued: the next layer is on its way while this one is computed
// with. Bytes are hostile: lengths are checked before anything is enqueued, what only decoding can find out is told by
// finish().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/model/model_config.h"
#include "engine/types.h"

namespace mneme::engine {

// One chunk's layer as its codec encoded it, and where it belongs.
struct EncodedChunk {
  CodedLayer coded;    // the codec is one that is taken
  TokenPos first = 0;  // room for [first, first + n_tokens) is reserved
  int n_tokens = 0;
};

struct DeviceDecoding {
  int64_t bytes_decoded = 0;  // as fp16
  double decode_ms = 0.0;     // in which the device was decoding, whatever else it did
  std::vector<TokenPos>
      damaged;  // where chunks begin whose streams do not come out even; what is in place of them is 0
};

// A chunk's KV, each layer as its codec's encode_layer() encodes it.
struct EncodedLayers {
  std::vector<std::vector<std::byte>> layers;  // empty: nothing was encoded, the codec can do it on the host
  bool is_finite = true;                       // all keys and values are numbers
};

// The chunks of one prompt. Ownership: borrows the cache and its backend. Threads: takes() from any; else as the
// backend.
class EncodedKvPlacer {
 public:
  virtual ~EncodedKvPlacer() = default;

  // Whether place() can decode what this codec made of a layer. Layers are the model's.
  virtual bool takes(int layer, const KvCodec& codec) const = 0;

  // Enqueues a layer of several chunks; the cache is written in the order of the backend's operations. Everything is
  // borrowed for the call. By chunk: kCorruption where the lengths do not come out even; nothing is placed of that one.
  virtual std::vector<Status> place(int layer, std::span<const EncodedChunk> chunks, const RopeConfig* rope) = 0;

  // Waits for all that was placed since the last call; the first failure of the device.
  virtual Result<DeviceDecoding> finish() = 0;
};

}  // namespace mneme::engine
