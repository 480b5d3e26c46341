#include "storage/env/atomic_write.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

namespace mneme::storage {
namespace {

// A temporary file not touched for this long has lost its writer.
constexpr int64_t kAbandonedNs = 3600ll * 1'000'000'000;

}  // namespace

Status remove_abandoned(FileEnv& env, const std::string& folder) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> names, env.list(folder));
  const int64_t now_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  for (const std::string& name : names) {
    if (name.find(kTemporaryMark) == std::string::npos) continue;
    const std::string path = folder + "/" + name;
    const Result<FileStat> stat = env.stat(path);
    if (stat.ok() && now_ns - stat->mtime_ns > kAbandonedNs) (void)env.remove(path);
  }
  return {};
}

Status write_in_pieces(FileEnv& env, const std::string& path, const std::function<Status(WritableFile&)>& fill) {
  // A name of its own: another process may be writing the same file at this moment.
  static std::atomic<uint64_t> number{0};
  const std::string temporary =
      path + std::string(kTemporaryMark) + std::to_string(::getpid()) + "-" + std::to_string(++number);
  const auto write = [&]() -> Status {
    MNEME_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, env.create(temporary));
    MNEME_RETURN_IF_ERROR(fill(*file));
    MNEME_RETURN_IF_ERROR(file->sync());
    MNEME_RETURN_IF_ERROR(file->close());
    return env.rename(temporary, path);
  };
  const Status written = write();
  if (!written.ok()) {
    (void)env.remove(temporary);
    return written;
  }
  const size_t slash = path.find_last_of('/');
  return env.sync_directory(slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash));
}

}  // namespace mneme::storage
