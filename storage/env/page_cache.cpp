#include "storage/env/page_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/file_descriptor.h"

namespace mneme::storage {
namespace {

namespace fs = std::filesystem;

Status drop_pages_of(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open()) return {};  // gone, or not ours to read: nothing of it is measured
  // Pages that are not on the disk yet are kept whatever is asked.
  if (::fdatasync(file.get()) != 0 && errno != EINVAL && errno != EROFS) return errno_error("write", path, errno);
  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  return {};
}

}  // namespace

Status drop_cached_pages(const std::string& folder) {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code unknown;
    if (!entry->is_regular_file(unknown) || entry->is_symlink(unknown)) continue;
    MNEME_RETURN_IF_ERROR(drop_pages_of(entry->path().string()));
  }
  return {};
}

}  // namespace mneme::storage
