#include "ui/view_model/kv_store.h"

#include "rag/kv_reuse/chat_kv_files.h"
#include "rag/kv_reuse/kv_store_settings.h"
#include "storage/home.h"

namespace mneme::ui {

Result<std::unique_ptr<storage::ChunkStore>> open_kv_store(rag::Workspace& workspace) {
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreOptions options,
                         rag::chunk_store_options(workspace.options().kv, workspace.catalogue(), workspace.env(),
                                                  storage::Home{workspace.options().home}.kv_folder()));
  return storage::ChunkStore::open(options);
}

Status forget_chat_kv(rag::Workspace& workspace, int64_t chat) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace));
  return rag::erase_chat_kv(workspace.catalogue(), *store, chat);
}

}  // namespace mneme::ui
