#include "storage/env/posix_sync.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "base/guarded.h"
#include "base/thread_pool.h"

namespace mneme::storage {
namespace {

constexpr size_t kOverwrittenAtOnce = 64 << 10;

FileDescriptor open_folder(const std::string& path) {
  return FileDescriptor(retry_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
}

Status write_zeros(int fd, uint64_t size_bytes, const std::string& path) {
  static constexpr std::array<std::byte, kOverwrittenAtOnce> kZeros{};
  for (uint64_t left = size_bytes; left > 0;) {
    const size_t n = std::min<uint64_t>(left, kZeros.size());
    const ssize_t written = retry_interrupted([&] { return ::write(fd, kZeros.data(), n); });
    if (written < 0) return errno_error("write", path, errno);
    left -= static_cast<uint64_t>(written);
  }
  return {};
}

// The first failure; what is not there is none.
class FirstFailure {
 public:
  void note(const Status& status) {
    if (!status.ok() && status.code() != StatusCode::kNotFound && first_.ok()) first_ = status;
  }
  const Status& status() const { return first_; }

 private:
  Status first_;
};

// One by one.
void overwrite_each(const std::vector<std::string>& paths, FirstFailure& failure) {
  for (const std::string& path : paths) failure.note(overwrite_with_zeros(path, true));
}

void overwrite_all(const std::vector<std::string>& paths, FirstFailure& failure) {
  FileSystemSync medium;
  Status status;
  std::set<std::string> folders;
  for (const std::string& path : paths) folders.insert(folder_of(path));
  for (const std::string& folder : folders) {
    if (status.ok()) status = medium.include(folder);
  }
  // Where the sync fails, for a file of somebody else's perhaps, each is asked by itself.
  if (status.ok()) {
    for (const std::string& path : paths) failure.note(overwrite_with_zeros(path, false));
    status = medium.sync();
  }
  if (!status.ok()) overwrite_each(paths, failure);
}

// A removal works little and waits for the disk's journal, or on a busy machine for its turn behind that: milliseconds
// each, which many spend together.
void remove_all(const std::vector<std::string>& paths, FirstFailure& failure) {
  constexpr int kTogether = 8;
  constexpr int kNotTried = -1;
  std::vector<int> errors(paths.size(), kNotTried);
  const auto remove = [&](int, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (errors[i] == kNotTried) errors[i] = ::unlink(paths[i].c_str()) == 0 ? 0 : errno;
    }
  };
  // Without memory for threads, one after the other.
  if (paths.size() >= kSyncedTogether) attempt([&] { ThreadPool(kTogether).parallel_for(paths.size(), 1, remove); });
  remove(0, 0, paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    if (errors[i] != 0) failure.note(errno_error("remove", paths[i], errors[i]));
  }
}

}  // namespace

Status FileSystemSync::include(const std::string& folder) {
  FileDescriptor fd = open_folder(folder);
  if (fd.get() < 0) return errno_error("open the folder", folder, errno);
  struct ::stat info{};
  if (::fstat(fd.get(), &info) != 0) return errno_error("examine", folder, errno);
  places_.try_emplace(info.st_dev, Place{folder, std::move(fd)});
  return {};
}

Status FileSystemSync::sync() const {
  for (const auto& [device, place] : places_) {
    if (retry_interrupted([&] { return ::syncfs(place.fd.get()); }) != 0) {
      return errno_error("sync the disk of", place.folder, errno);
    }
  }
  return {};
}

Status overwrite_with_zeros(const std::string& path, bool wait) {
  const FileDescriptor fd(
      retry_interrupted([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); }));
  if (fd.get() < 0) return errno_error("overwrite", path, errno);
  struct ::stat info{};
  if (::fstat(fd.get(), &info) != 0) return errno_error("examine", path, errno);
  if (!S_ISREG(info.st_mode)) return {};
  MNEME_RETURN_IF_ERROR(write_zeros(fd.get(), static_cast<uint64_t>(info.st_size), path));
  if (!wait) {
    // Begun now, so that the disk has work while the next file is written. Whether it could is told by the sync.
    (void)::sync_file_range(fd.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
    return {};
  }
  if (retry_interrupted([&] { return ::fdatasync(fd.get()); }) != 0) return errno_error("sync", path, errno);
  return {};
}

// The kernel writes nothing back of a file that is gone: names go when the zeros are on the medium.
Status erase_together(const std::vector<std::string>& paths) {
  FirstFailure failure;
  if (paths.size() < kSyncedTogether) {
    overwrite_each(paths, failure);
  } else {
    overwrite_all(paths, failure);
  }
  remove_all(paths, failure);
  return failure.status();
}

Status sync_folder(const std::string& path) {
  const FileDescriptor fd = open_folder(path);
  if (fd.get() < 0) return errno_error("open the folder", path, errno);
  // Some file systems cannot sync a directory and say EINVAL; there is nothing more to do then.
  if (retry_interrupted([&] { return ::fsync(fd.get()); }) != 0 && errno != EINVAL) {
    return errno_error("sync the folder", path, errno);
  }
  return {};
}

Status sync_folders_together(const std::vector<std::string>& paths) {
  if (paths.size() >= kSyncedTogether) {
    FileSystemSync medium;
    Status status;
    for (const std::string& path : paths) {
      if (status.ok()) status = medium.include(path);
    }
    if (status.ok()) status = medium.sync();
    if (status.ok()) return status;
  }
  Status first;
  for (const std::string& path : paths) {
    Status status = sync_folder(path);
    if (first.ok()) first = std::move(status);
  }
  return first;
}

}  // namespace mneme::storage
