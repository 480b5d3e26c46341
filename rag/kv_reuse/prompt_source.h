// The cached pieces of one prompt as the engine asks for them: chunks of the store, read ahead by a stream, and behind
// them pieces in memory. Ownership: owns the pieces. Threads: fetch_layer may be called from several threads at once.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/kv/kv_source.h"
#include "engine/kv/memory_source.h"
#include "storage/chunks/chunk_store.h"
#include "storage/chunks/chunk_stream.h"

namespace mneme::rag {

class PromptSource final : public engine::KvSource {
 public:
  // Pieces are numbered in the order they are added, all of the store's before those in memory.
  int add(std::shared_ptr<const storage::StoredChunk> chunk, const engine::KvCodec* codec);
  int add(engine::EncodedKv kv);
  // Begins to read. Once, after the last add.
  Status start(const storage::ChunkStreamOptions& options);

  int n_chunks() const override { return n_stored() + memory_.n_chunks(); }
  engine::ChunkKvInfo chunk(int chunk) const override;
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override;
  std::span<const engine::KvCodec* const> codecs() const { return codecs_; }

  int n_stored() const { return static_cast<int>(stored_.size()); }
  const storage::StoredChunk& stored(int chunk) const { return *stored_[static_cast<size_t>(chunk)]; }

 private:
  std::vector<std::shared_ptr<const storage::StoredChunk>> stored_;
  std::unique_ptr<storage::ChunkStream> stream_;
  engine::MemoryKvSource memory_;
  std::vector<const engine::KvCodec*> codecs_;
};

}  // namespace mneme::rag
