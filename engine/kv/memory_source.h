// Encoded chunk KV in memory as a KvSource: for what is used once (the quality gate), and for what a chat keeps.
// Ownership: owns the bytes, borrows the codecs. Threads: fetch_layer may be called from several threads at once; add
// not beside it.
#pragma once

#include <span>
#include <vector>

#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/kv/chunk_kv.h"
#include "engine/kv/kv_source.h"

namespace mneme::engine {

// One chunk: the encoded layers and who decodes them.
struct EncodedKv {
  int n_tokens = 0;
  const KvCodec* codec = nullptr;
  std::vector<std::vector<std::byte>> layers;
};
Result<EncodedKv> encode_kv(const ChunkKv& kv, const KvCodec& codec);

class MemoryKvSource final : public KvSource {
 public:
  // The index of the new chunk.
  Result<int> add(const ChunkKv& kv, const KvCodec& codec);
  int add(EncodedKv kv);

  int n_chunks() const override { return static_cast<int>(chunks_.size()); }
  ChunkKvInfo chunk(int chunk) const override;
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override;
  std::span<const KvCodec* const> codecs() const { return codecs_; }

 private:
  std::vector<EncodedKv> chunks_;
  std::vector<const KvCodec*> codecs_;
};

}  // namespace mneme::engine
