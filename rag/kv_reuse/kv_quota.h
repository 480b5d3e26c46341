// How much the KV store may hold: what the user set, else storage's default. Threads: any.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace mneme::storage {
class Catalogue;
class ChunkStore;
class FileEnv;
}  // namespace mneme::storage

namespace mneme::rag {

Result<uint64_t> kv_quota_bytes(storage::Catalogue& catalogue, storage::FileEnv& env, const std::string& kv_folder);
// 0 forgets the user's choice.
Status set_kv_quota(storage::Catalogue& catalogue, uint64_t quota_bytes);

// What the store's quota, which may have been lowered since, leaves no room for; gives its bytes, and counts the files.
Result<uint64_t> evict_beyond_quota(storage::Catalogue& catalogue, storage::ChunkStore& store);

}  // namespace mneme::rag
