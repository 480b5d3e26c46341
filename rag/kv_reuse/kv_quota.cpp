#include "rag/kv_reuse/kv_quota.h"

#include <charconv>

#include "storage/catalogue/catalogue.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::rag {
namespace {

constexpr const char* kSetting = "kv.quota_bytes";

}  // namespace

Result<uint64_t> kv_quota_bytes(storage::Catalogue& catalogue, storage::FileEnv& env, const std::string& kv_folder) {
  MNEME_ASSIGN_OR_RETURN(const std::optional<std::string> set, catalogue.setting(kSetting));
  uint64_t bytes = 0;
  if (set && std::from_chars(set->data(), set->data() + set->size(), bytes).ec == std::errc{} && bytes > 0)
    return bytes;
  return storage::default_quota_bytes(env, kv_folder);
}

Status set_kv_quota(storage::Catalogue& catalogue, uint64_t quota_bytes) {
  if (quota_bytes == 0) return catalogue.remove_setting(kSetting);
  return catalogue.put_setting(kSetting, std::to_string(quota_bytes));
}

Result<uint64_t> evict_beyond_quota(storage::Catalogue& catalogue, storage::ChunkStore& store) {
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreMeter before, store.meter());
  MNEME_RETURN_IF_ERROR(store.enforce_quota());
  // The count is for people to look at: a failure to save it is not worth an error.
  if (const int64_t evictions = store.take_counters().evictions; evictions > 0)
    static_cast<void>(catalogue.add_to_counter("kv.evictions", evictions));
  MNEME_ASSIGN_OR_RETURN(const storage::ChunkStoreMeter after, store.meter());
  return before.bytes > after.bytes ? before.bytes - after.bytes : 0;
}

}  // namespace mneme::rag
