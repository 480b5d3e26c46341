#include "ui/view_model/kv_store.h"

#include "rag/kv_reuse/chat_kv.h"
#include "rag/kv_reuse/kv_quota.h"
#include "storage/home.h"

namespace mneme::ui {

Result<std::unique_ptr<storage::ChunkStore>> open_kv_store(rag::Workspace& workspace) {
  storage::ChunkStoreOptions options;
  options.roots = {storage::Home{workspace.options().home}.kv_folder()};
  options.env = &workspace.env();
  MNEME_ASSIGN_OR_RETURN(options.quota_bytes,
                         rag::kv_quota_bytes(workspace.catalogue(), workspace.env(), options.roots.front()));
  return storage::ChunkStore::open(options);
}

Status forget_chat_kv(rag::Workspace& workspace, int64_t chat) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace));
  const Hash128 hash = rag::ChatKv::text_hash(chat);
  return store->remove_unless([&](const storage::ChunkFileInfo& info) { return info.text_hash != hash; }).status();
}

}  // namespace mneme::ui
