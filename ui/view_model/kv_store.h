// The store of KV caches as the window needs it: its meter, its quota, and forgetting a chat. Threads: any.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "rag/workspace.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::ui {

// Opens the home's store under the quota the user set.
Result<std::unique_ptr<storage::ChunkStore>> open_kv_store(rag::Workspace& workspace);

// Removes what was kept of a chat that is deleted.
Status forget_chat_kv(rag::Workspace& workspace, int64_t chat);

}  // namespace mneme::ui
