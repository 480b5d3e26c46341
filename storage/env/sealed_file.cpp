#include "storage/env/sealed_file.h"

#include <cstring>
#include <span>

#include "base/hash.h"

namespace mneme::storage {

Status write_sealed(FileEnv& env, const std::string& path, std::vector<std::byte> bytes) {
  const Hash128 sum = xxh3_128(bytes);
  const ByteSpan seal = std::as_bytes(std::span(&sum, 1));
  bytes.insert(bytes.end(), seal.begin(), seal.end());
  return write_atomically(env, path, bytes);
}

Result<std::vector<std::byte>> read_sealed(FileEnv& env, const std::string& path, uint64_t limit_bytes) {
  MNEME_ASSIGN_OR_RETURN(std::vector<std::byte> bytes, read_whole(env, path, limit_bytes));
  Hash128 sum;
  if (bytes.size() < sizeof sum) return corruption(path + " is too short to hold its checksum");
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.resize(bytes.size() - sizeof sum);
  if (sum != xxh3_128(bytes)) return corruption(path + " does not match its checksum");
  return bytes;
}

}  // namespace mneme::storage
