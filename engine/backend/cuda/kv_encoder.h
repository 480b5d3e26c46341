// A chunk's KV encoded where it lies, to be stored: what comes down is what is stored, a tenth of the numbers. Layers
// are done together, as many as some tens of megabytes of working memory take: components, scales, symbols and streams
// are enqueued, their lengths come down, streams and exceptions are put side by side, and come down in one piece.
// Everything runs on the compute stream, which the host waits for twice a batch. Ownership: borrows the device.
// Threads: one at a time.
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "engine/backend/cuda/codec_analysis.h"
#include "engine/backend/cuda/codec_rans_encode.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/encoding_tables.h"
#include "engine/backend/encoded_kv.h"
#include "engine/codec/codec_transform.h"
#include "engine/types.h"

namespace mneme::engine::cuda {

// Tokens of a cache that keeps keys before RoPE.
struct EncodedRange {
  KvView view;
  TokenPos first = 0;
  int n_tokens = 0;  // > 0
};

class KvEncoder {
 public:
  static constexpr size_t kMostScratch = size_t{64} << 20;

  explicit KvEncoder(Device& device, size_t most_scratch_bytes = kMostScratch)
      : device_(device), most_scratch_bytes_(most_scratch_bytes) {}

  // codec: one that KvDecoder knows. Without layers where one of them has more exceptions than there is room for: the
  // codec then does it on the host. The first failure of the device.
  Result<EncodedLayers> encode(const TransformCodec& codec, const EncodedRange& range);

 private:
  class Batch;

  const EncodingTables* tables_of(const TransformCodec& codec);
  Status run(Batch& batch, EncodedLayers& encoded);
  Status gather(std::vector<GatheredPiece> pieces, std::vector<std::byte>& gathered);

  Device& device_;
  const size_t most_scratch_bytes_;
  std::vector<std::unique_ptr<EncodingTables>> tables_;
  DeviceBuffer uploaded_, scratch_, results_, gathered_;
};

}  // namespace mneme::engine::cuda
