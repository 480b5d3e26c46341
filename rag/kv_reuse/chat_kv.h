// The KV of one chat, so that a turn does not read the whole conversation again.
//
// A prompt is [prefix][passages][instructions][earlier turns][question]. Two pieces of it are kept, each under a key of
// the chat's own, never under that of a passage:
//   history  the rows of the earlier turns, as they were computed behind the passages of their time. Kept in memory,
//            and on disk after every turn. Behind other passages they are re-positioned and repaired like a chunk.
//   context  the rows of the passages as the last answer left them (repaired). Kept on disk when the chat is left; only
//            good for exactly the same passages.
// While the program runs, the sequence itself holds both. Losing any of it costs time, never an answer.
// Ownership: values; borrows its arguments for a call. Threads: one at a time; takes turns with the model's other work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/status.h"
#include "engine/codec/codec.h"
#include "engine/kv/chunk_kv.h"
#include "engine/types.h"

namespace mneme::engine {
class Sequence;
}
namespace mneme::storage {
class StoredChunk;
}

namespace mneme::rag {

class KvLibrary;
struct Prompt;

class ChatKv {
 public:
  // 0: a chat that is not saved (yet); its KV stays in memory.
  explicit ChatKv(int64_t chat_id = 0) : chat_id_(chat_id) {}
  void set_chat(int64_t chat_id) { chat_id_ = chat_id; }

  // What the store's files of a chat carry in place of a passage's text hash. Their keys begin with its first half, so
  // that they are found by their names.
  static Hash128 text_hash(int64_t chat_id);

  // The kept rows of a beginning of these tokens (fp16, keys before RoPE), from the store where they are not in memory;
  // nothing when there are none.
  std::optional<engine::ChunkKv> history(KvLibrary& library, std::span<const engine::TokenId> ids,
                                         engine::KvLevel level);
  // The stored rows of exactly these tokens; null when there are none.
  std::shared_ptr<const storage::StoredChunk> context(KvLibrary& library, std::span<const engine::TokenId> ids,
                                                      engine::KvLevel level);

  // After an answer: brings the sequence to [prefix][passages][instructions][earlier turns][this turn], computes what
  // is new of it, keeps the history and stores it. The sequence must keep its keys before RoPE.
  //   turn: this turn's tokens as the next prompt will have them (turn_ids of prompt_builder.h).
  Status remember(KvLibrary& library, engine::Sequence& sequence, const Prompt& prompt,
                  std::span<const engine::TokenId> turn, engine::KvLevel level);
  // The passages of the turn just remembered are not to be stored with the chat.
  void leave_out_passages() { context_begin_ = context_end_ = 0; }
  // When the chat is left: stores the passages as the sequence has them, and the history where that was not done.
  // Nothing for a chat that is not saved.
  Status store_all(KvLibrary& library, engine::Sequence& sequence, engine::KvLevel level);

 private:
  enum class Kind : uint64_t { kHistory = 1, kContext = 2 };

  Result<Hash128> key(KvLibrary& library, Kind kind, std::span<const engine::TokenId> ids, engine::KvLevel level) const;
  Result<std::shared_ptr<const storage::StoredChunk>> find(KvLibrary& library, Kind kind,
                                                           std::span<const engine::TokenId> ids, engine::KvLevel level);
  Status store_history(KvLibrary& library, engine::KvLevel level);
  Status store(KvLibrary& library, Kind kind, const engine::ChunkKv& kv, std::span<const engine::TokenId> ids,
               engine::KvLevel level);
  void load_history(KvLibrary& library, std::span<const engine::TokenId> ids, engine::KvLevel level);

  int64_t chat_id_ = 0;
  // The earlier turns, and where each begins.
  std::vector<engine::TokenId> history_ids_;
  std::vector<size_t> turn_starts_;
  engine::ChunkKv history_;
  std::optional<Hash128> history_key_;  // of the file in the store
  // Where the passages stand in the sequence.
  int context_begin_ = 0;
  int context_end_ = 0;
};

}  // namespace mneme::rag
