// The forms in which the store holds a passage: what an answer may load of it.
// Ownership: the stored chunks stay readable as long as the object lives. Threads: one owner.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/codec/codec.h"
#include "rag/kv_reuse/kv_library.h"
#include "rag/kv_reuse/loading_controller.h"
#include "rag/kv_reuse/stream_plan.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::rag {

struct StoredForms {
  std::vector<engine::KvLevel> levels{};
  std::vector<std::shared_ptr<const storage::StoredChunk>> chunks{};  // as levels
  int passage = 0;                                                    // of the prompt

  bool empty() const { return levels.empty(); }
  // Which of them has the level, which must be among them.
  size_t form_of(engine::KvLevel level) const;
  // What the loading controller is told of one.
  StoredForm offer(size_t form) const;
};

// The passage at `level`, else at a finer one; one form or none.
StoredForms find_form(KvLibrary& library, const ChunkTokens& tokens, engine::KvLevel level);

// The passage at every wanted level at which it is stored, finest first. Where `asked` is not stored, that counts as a
// miss of the store.
StoredForms find_forms(KvLibrary& library, const ChunkTokens& tokens, engine::KvLevel asked,
                       const std::array<bool, kStreamLevels>& wanted);

// The folder among several KV roots that a chunk was read from.
std::string kv_root_of(const storage::StoredChunk& chunk);

}  // namespace mneme::rag
