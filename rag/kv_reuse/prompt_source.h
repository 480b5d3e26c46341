// The cached pieces of one prompt as the engine asks for them: chunks of the store, read ahead by a stream, and behind
// them pieces in memory. A chunk may be stored in several forms (levels); the stream's options then say which one each
// layer is read from. Ownership: owns the pieces. Threads: fetch_layer may be called from several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/kv/kv_source.h"
#include "engine/kv/memory_source.h"
#include "storage/chunks/chunk_store.h"
#include "storage/chunks/chunk_stream.h"

namespace mneme::rag {

// A chunk of the store at one level, and what decodes it.
struct CodedChunk {
  std::shared_ptr<const storage::StoredChunk> chunk;
  const engine::KvCodec* codec = nullptr;
};

class PromptSource final : public engine::KvSource {
 public:
  // Pieces are numbered in the order they are added, all of the store's before those in memory.
  int add(std::vector<CodedChunk> forms);  // at least one
  int add(engine::EncodedKv kv);
  // Begins to read. Once, after the last add.
  Status start(const storage::ChunkStreamOptions& options);

  int n_chunks() const override { return n_stored() + memory_.n_chunks(); }
  engine::ChunkKvInfo chunk(int chunk) const override;
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override;
  bool is_ready(int chunk, int layer) const override;
  std::span<const engine::KvCodec* const> codecs() const { return codecs_; }

  int n_stored() const { return static_cast<int>(stored_.size()); }
  const std::vector<CodedChunk>& forms(int chunk) const { return stored_[static_cast<size_t>(chunk)]; }
  // Of a layer of all that comes from the store, in its first forms, on average.
  uint64_t layer_bytes() const;
  // How many layers of a chunk of the store came in each of its forms so far.
  std::vector<int> layers_by_form(int chunk) const;
  // The forms of a chunk of the store that could not be read; all of them when none was found out.
  std::vector<std::shared_ptr<const storage::StoredChunk>> failed_forms(int chunk) const;

 private:
  struct Fetched {
    std::vector<int> layers;   // by form
    std::vector<bool> failed;  // likewise
  };
  std::vector<std::vector<CodedChunk>> stored_;
  std::vector<std::unique_ptr<engine::KvCodec>> forms_codecs_;  // of the chunks with several forms
  std::unique_ptr<storage::ChunkStream> stream_;
  engine::MemoryKvSource memory_;
  std::vector<const engine::KvCodec*> codecs_;
  mutable Mutex mutex_;
  std::vector<Fetched> fetched_ MNEME_GUARDED_BY(mutex_);  // as stored_
};

}  // namespace mneme::rag
