#include "storage/env/atomic_write.h"

#include <memory>
#include <set>

#include "storage/env/temporary_file.h"

namespace mneme::storage {
namespace {

std::string folder_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
}

}  // namespace

Status write_then_rename(FileEnv& env, const std::string& path, const std::function<Status(WritableFile&)>& fill) {
  // A name of its own: another process may be writing the same file at this moment.
  const std::string temporary = temporary_name(path);
  const auto write = [&]() -> Status {
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, env.create(temporary));
    MNEME_RETURN_IF_ERROR(fill(*file));
    MNEME_RETURN_IF_ERROR(file->sync());
    MNEME_RETURN_IF_ERROR(file->close());
    return env.rename(temporary, path);
  };
  Status written = write();
  if (!written.ok()) (void)env.remove(temporary);
  return written;
}

Status write_in_pieces(FileEnv& env, const std::string& path, const std::function<Status(WritableFile&)>& fill) {
  MNEME_RETURN_IF_ERROR(write_then_rename(env, path, fill));
  return env.sync_directory(folder_of(path));
}

Status erase_atomically(FileEnv& env, const std::vector<std::string>& paths) {
  Status first_failure;
  const auto note = [&](const Status& status) {
    if (!status.ok() && status.code() != StatusCode::kNotFound && first_failure.ok()) first_failure = status;
    return status.ok();
  };
  std::vector<std::string> aside;
  std::set<std::string> folders;
  for (const std::string& path : paths) {
    if (is_temporary(path)) {
      aside.push_back(path);
      continue;
    }
    std::string temporary = temporary_name(path);
    if (!note(env.rename(path, temporary))) continue;
    aside.push_back(std::move(temporary));
    folders.insert(folder_of(path));
  }
  note(env.sync_directories({folders.begin(), folders.end()}));
  note(env.erase_all(aside));
  return first_failure;
}

}  // namespace mneme::storage
