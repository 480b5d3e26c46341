#include "app/commands/kv_store.h"

#include <nlohmann/json.hpp>
#include <set>

#include "rag/kv_reuse/chat_kv.h"
#include "rag/kv_reuse/chat_kv_files.h"
#include "rag/kv_reuse/kv_quota.h"
#include "rag/kv_reuse/kv_store_settings.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/home.h"

namespace mneme::app {

Result<std::unique_ptr<storage::ChunkStore>> open_kv_store(rag::Workspace& workspace) {
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreOptions options,
                         rag::chunk_store_options(workspace.options().kv, workspace.catalogue(), workspace.env(),
                                                  storage::Home{workspace.options().home}.kv_folder()));
  return storage::ChunkStore::open(options);
}

Result<KvStatus> kv_status(rag::Workspace& workspace) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace));
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreMeter meter, store->meter());
  storage::Catalogue& catalogue = workspace.catalogue();
  KvStatus status{.bytes = meter.bytes, .quota_bytes = meter.quota_bytes, .chunks = meter.chunks};
  MNEME_ASSIGN_OR_RETURN(status.hits, catalogue.counter("kv.hits"));
  MNEME_ASSIGN_OR_RETURN(status.misses, catalogue.counter("kv.misses"));
  MNEME_ASSIGN_OR_RETURN(status.evictions, catalogue.counter("kv.evictions"));
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::JobCounts> jobs, catalogue.job_counts());
  for (const storage::JobCounts& job : jobs) {
    if (job.kind == "kv") status.pending = job.pending;
  }
  return status;
}

nlohmann::json kv_json(const KvStatus& status) {
  return {{"bytes", status.bytes},        {"quota_bytes", status.quota_bytes},
          {"chunks", status.chunks},      {"pending", status.pending},
          {"hits", status.hits},          {"misses", status.misses},
          {"evictions", status.evictions}};
}

namespace {

// What the files of the chats there are carry in place of a passage's hash.
Result<std::set<Hash128>> chat_hashes(rag::Workspace& workspace) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChatRecord> chats, workspace.catalogue().list_chats());
  std::set<Hash128> hashes;
  for (const storage::ChatRecord& chat : chats) {
    hashes.insert(rag::ChatKv::text_hash(static_cast<int64_t>(chat.id)));
  }
  return hashes;
}

}  // namespace

Result<uint64_t> remove_orphaned_kv(rag::Workspace& workspace, storage::Removal how) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace));
  MNEME_ASSIGN_OR_RETURN(const std::set<Hash128> kept_chats, chat_hashes(workspace));
  // When the catalogue cannot say, the file stays: a cache kept too long costs space, one lost costs time.
  const auto is_wanted = [&](const storage::ChunkFileInfo& info) {
    if (kept_chats.contains(info.text_hash)) return true;
    const Result<bool> wanted = workspace.catalogue().has_text(info.text_hash);
    return !wanted.ok() || *wanted;
  };
  MNEME_ASSIGN_OR_RETURN(const uint64_t freed, store->remove_unless(is_wanted, how));
  MNEME_ASSIGN_OR_RETURN(const uint64_t evicted, rag::evict_beyond_quota(workspace.catalogue(), *store));
  return freed + evicted;
}

Status remove_chat_kv(rag::Workspace& workspace, int64_t chat_id) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace));
  return rag::erase_chat_kv(workspace.catalogue(), *store, chat_id);
}

Status remove_all_chat_kv(rag::Workspace& workspace) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ChunkStore> store, open_kv_store(workspace));
  MNEME_ASSIGN_OR_RETURN(const std::set<Hash128> chats, chat_hashes(workspace));
  const auto is_of_no_chat = [&](const storage::ChunkFileInfo& info) { return !chats.contains(info.text_hash); };
  return store->remove_unless(is_of_no_chat, storage::Removal::kErase).status();
}

}  // namespace mneme::app
