// The store of KV caches as the commands on the whole home see it: its meter, its soundness, what may go.
// Threads: the main thread.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "base/status.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::rag {
class Workspace;
}

namespace mneme::app {

// Opens the home's store under its quota.
Result<std::unique_ptr<storage::ChunkStore>> open_kv_store(rag::Workspace& workspace);

struct KvStatus {
  uint64_t bytes = 0;
  uint64_t quota_bytes = 0;
  int64_t chunks = 0;
  int64_t pending = 0;
  int64_t hits = 0;
  int64_t misses = 0;
  int64_t evictions = 0;
};

Result<KvStatus> kv_status(rag::Workspace& workspace);
nlohmann::json kv_json(const KvStatus& status);

// Removes the caches of passages that no collection holds any more, and of chats that are gone; gives the bytes freed.
Result<uint64_t> remove_orphaned_kv(rag::Workspace& workspace, storage::Removal how);

// Erases what is kept of one chat, or of all chats: they hold rows of the passages they were about.
Status remove_chat_kv(rag::Workspace& workspace, int64_t chat_id);
Status remove_all_chat_kv(rag::Workspace& workspace);

}  // namespace mneme::app
