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

}  // namespace mneme::rag
