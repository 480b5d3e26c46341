#include "storage/env/file_env.h"

#include "storage/env/atomic_write.h"

namespace mneme::storage {

Status FileEnv::erase_all(const std::vector<std::string>& paths) {
  Status first;
  for (const std::string& path : paths) {
    Status status = erase(path);
    if (first.ok() && status.code() != StatusCode::kNotFound) first = std::move(status);
  }
  return first;
}

Status FileEnv::sync_directories(const std::vector<std::string>& paths) {
  Status first;
  for (const std::string& path : paths) {
    Status status = sync_directory(path);
    if (first.ok()) first = std::move(status);
  }
  return first;
}

Result<bool> is_there(FileEnv& env, const std::string& path) {
  const Status found = env.stat(path).status();
  if (found.ok()) return true;
  return found.code() == StatusCode::kNotFound ? Result<bool>(false) : Result<bool>(found);
}

Status write_atomically(FileEnv& env, const std::string& path, ByteSpan bytes) {
  return write_in_pieces(env, path, [&](WritableFile& file) { return file.append(bytes); });
}

Result<std::vector<std::byte>> read_whole(FileEnv& env, const std::string& path, uint64_t limit_bytes) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, env.open_readable(path));
  if (file->size() > limit_bytes) {
    return resource_error(path + " is " + std::to_string(file->size()) + " bytes, more than the limit of " +
                          std::to_string(limit_bytes));
  }
  std::vector<std::byte> bytes(file->size());
  MNEME_RETURN_IF_ERROR(file->read_at(0, bytes));
  return bytes;
}

}  // namespace mneme::storage
