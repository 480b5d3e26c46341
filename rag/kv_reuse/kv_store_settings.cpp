#include "rag/kv_reuse/kv_store_settings.h"

#include <algorithm>

#include "rag/kv_reuse/kv_quota.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

Result<storage::ChunkStoreOptions> chunk_store_options(const KvStoreSettings& settings, storage::Catalogue& catalogue,
                                                       storage::FileEnv& env, const std::string& home_folder) {
  storage::ChunkStoreOptions options;
  options.roots = settings.roots;
  if (std::find(options.roots.begin(), options.roots.end(), home_folder) == options.roots.end()) {
    options.roots.push_back(home_folder);
  }
  options.env = &env;
  options.quota_bytes = settings.quota_bytes;
  options.writable = [&catalogue] { return catalogue.writable(); };
  const bool writable = catalogue.writable().ok();
  // Free space can only be asked of a folder that is there.
  for (const std::string& root : options.roots) {
    if (writable) MNEME_RETURN_IF_ERROR(env.make_directories(root));
  }
  if (options.quota_bytes == 0) {
    const Result<uint64_t> quota = kv_quota_bytes(catalogue, env, options.roots.front());
    // Where nothing can be written there may be no folder to ask for room, and no use for it.
    if (!quota.ok() && writable) return quota.status();
    options.quota_bytes = quota.ok() ? *quota : 0;
  }
  return options;
}

}  // namespace mneme::rag
