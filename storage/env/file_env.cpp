#include "storage/env/file_env.h"

namespace mneme::storage {

Status write_atomically(FileEnv& env, const std::string& path, ByteSpan bytes) {
  const std::string temporary = path + ".tmp";
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, env.create(temporary));
  MNEME_RETURN_IF_ERROR(file->append(bytes));
  MNEME_RETURN_IF_ERROR(file->sync());
  MNEME_RETURN_IF_ERROR(file->close());
  MNEME_RETURN_IF_ERROR(env.rename(temporary, path));
  const size_t slash = path.find_last_of('/');
  return env.sync_directory(slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash));
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
