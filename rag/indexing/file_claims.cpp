#include "rag/indexing/file_claims.h"

#include <utility>

#include "base/hash.h"

namespace mneme::rag {

FileClaims::FileClaims(storage::FileEnv& env, std::string lock_path, storage::CollectionId collection)
    : env_(env), lock_path_(std::move(lock_path)), collection_(collection) {}

// Two files with the same number only wait for each other.
std::optional<FileClaim> FileClaims::try_claim(const std::string& path) const {
  Hasher128 hasher;
  hasher.add(static_cast<uint64_t>(collection_));
  hasher.add(path);
  Result<FileClaim> lock = env_.try_lock_number(lock_path_, hasher.finish().low);
  if (lock.ok()) return std::move(lock).value();
  if (lock.status().code() == StatusCode::kBusy) return std::nullopt;
  return FileClaim();
}

}  // namespace mneme::rag
