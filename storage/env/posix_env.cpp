#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file_descriptor.h"
#include "base/file_time.h"
#include "storage/env/file_env.h"
#include "storage/env/posix_create.h"
#include "storage/env/posix_sync.h"

namespace mneme::storage {
namespace {

class PosixReadable final : public ReadableFile {
 public:
  PosixReadable(std::string path, FileDescriptor fd, uint64_t size)
      : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}

  uint64_t size() const override { return size_; }
  int descriptor() const override { return fd_.get(); }

  Status read_at(uint64_t offset, MutableByteSpan out) const override {
    if (offset > size_ || out.size() > size_ - offset) return short_file();
    while (!out.empty()) {
      const ssize_t n = retry_interrupted([&] {
        return ::pread(fd_.get(), out.data(), std::min<size_t>(out.size(), 1u << 30), static_cast<off_t>(offset));
      });
      if (n < 0) return errno_error("read", path_, errno);
      if (n == 0) return short_file();
      offset += static_cast<uint64_t>(n);
      out = out.subspan(static_cast<size_t>(n));
    }
    return {};
  }

 private:
  Status short_file() const { return corruption(path_ + " ends before the data it should hold"); }

  std::string path_;
  FileDescriptor fd_;
  uint64_t size_;
};

class PosixWritable final : public WritableFile {
 public:
  PosixWritable(std::string path, FileDescriptor fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  Status append(ByteSpan bytes) override {
    while (!bytes.empty()) {
      const ssize_t n =
          retry_interrupted([&] { return ::write(fd_.get(), bytes.data(), std::min<size_t>(bytes.size(), 1u << 30)); });
      if (n < 0) return errno_error("write", path_, errno);
      bytes = bytes.subspan(static_cast<size_t>(n));
    }
    return {};
  }

  Status sync() override {
    if (retry_interrupted([&] { return ::fdatasync(fd_.get()); }) != 0) return errno_error("sync", path_, errno);
    return {};
  }

  Status close() override {
    const int fd = fd_.release();
    // Linux has closed the descriptor even when it says EINTR.
    if (fd >= 0 && ::close(fd) != 0 && errno != EINTR) return errno_error("close", path_, errno);
    return {};
  }

 private:
  std::string path_;
  FileDescriptor fd_;
};

// Who holds a lock stands in its file, for people: a number that a dead process left means nothing, the lock is
// flock's.
void write_owner(int fd) {
  const std::string owner = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, owner.data(), owner.size(), 0) < 0) return;
}
std::string read_owner(int fd) {
  char text[24] = {};
  const ssize_t n = ::pread(fd, text, sizeof text - 1, 0);
  const std::string owner(text, n > 0 ? static_cast<size_t>(n) : 0);
  const std::string digits = owner.substr(0, owner.find_first_not_of("0123456789"));
  return digits.empty() ? "another process" : "process " + digits;
}

// Such a lock goes with the open file: the kernel lets go when the process ends.
class PosixLock final : public FileLock {
 public:
  explicit PosixLock(FileDescriptor fd) : fd_(std::move(fd)) {}

 private:
  FileDescriptor fd_;
};

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kFile;
  if (S_ISDIR(mode)) return FileKind::kDirectory;
  if (S_ISLNK(mode)) return FileKind::kSymlink;
  return FileKind::kOther;
}

// Why a folder cannot be made. What is missing may be a place that a link leads to, as that of a drive which is not
// mounted: the path itself is written right then.
Status cannot_make_folder(const std::string& path, int error) {
  for (size_t slash = path.find('/', 1); error == ENOENT; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    struct ::stat info{};
    std::error_code ignored;
    if (::lstat(part.c_str(), &info) == 0 && S_ISLNK(info.st_mode) && ::stat(part.c_str(), &info) != 0) {
      return not_found(part + " is a link to " + std::filesystem::read_symlink(part, ignored).string() +
                       ", which is not there; mount its drive, or make the folder");
    }
    if (slash == std::string::npos) break;
  }
  return errno_error("create the folder", path, error);
}

class PosixEnv final : public FileEnv {
 public:
  Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path) override {
    // O_NONBLOCK: a FIFO in somebody's folder must not hang us; it has no effect on regular files.
    FileDescriptor fd(retry_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
    if (fd.get() < 0) return errno_error("open", path, errno);
    struct ::stat info{};
    if (::fstat(fd.get(), &info) != 0) return errno_error("examine", path, errno);
    if (S_ISDIR(info.st_mode)) return usage_error(path + " is a folder; name a file");
    if (!S_ISREG(info.st_mode)) return unsupported(path + " is no regular file; name one that is");
    return std::unique_ptr<ReadableFile>(
        std::make_unique<PosixReadable>(path, std::move(fd), static_cast<uint64_t>(info.st_size)));
  }

  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override {
    FileDescriptor fd = open_or_create(path, O_WRONLY | O_TRUNC);
    if (fd.get() < 0) return errno_error("create", path, errno);
    return std::unique_ptr<WritableFile>(std::make_unique<PosixWritable>(path, std::move(fd)));
  }

  Status create_if_missing(const std::string& path) override {
    const FileDescriptor fd = open_or_create(path, O_WRONLY);
    return fd.get() >= 0 ? Status() : errno_error("create", path, errno);
  }

  Result<FileStat> stat(const std::string& path) override {
    struct ::stat info{};
    if (::lstat(path.c_str(), &info) != 0) return errno_error("examine", path, errno);
    return FileStat{kind_of(info.st_mode), static_cast<uint64_t>(info.st_size), file_time_ns(info.st_mtim)};
  }

  Result<std::vector<std::string>> list(const std::string& directory) override {
    DIR* handle = ::opendir(directory.c_str());
    if (handle == nullptr) return errno_error("list", directory, errno);
    std::vector<std::string> names;
    errno = 0;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the handle is this call's own
    while (const dirent* entry = ::readdir(handle)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
      errno = 0;
    }
    const int error = errno;
    ::closedir(handle);
    if (error != 0) return errno_error("list", directory, error);
    std::sort(names.begin(), names.end());
    return names;
  }

  Status make_directories(const std::string& path) override {
    for (size_t slash = path.find('/', 1); true; slash = path.find('/', slash + 1)) {
      const std::string part = path.substr(0, slash);
      const int error = make_folder(part);
      if (error != 0 && error != EEXIST) {
        // Parents that exist may be on a read-only or foreign file system; only what is missing counts.
        struct ::stat info{};
        if (::stat(part.c_str(), &info) != 0) return cannot_make_folder(part, error);
      }
      if (slash == std::string::npos) break;
    }
    struct ::stat info{};
    if (::stat(path.c_str(), &info) != 0) return cannot_make_folder(path, errno);
    if (!S_ISDIR(info.st_mode)) return errno_error("create the folder", path, ENOTDIR);
    return {};
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return errno_error("rename to", to, errno);
    return {};
  }

  Status remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return errno_error("remove", path, errno);
    return {};
  }

  Status erase(const std::string& path) override {
    Status overwritten = overwrite_with_zeros(path, true);
    MNEME_RETURN_IF_ERROR(remove(path));
    return overwritten;
  }

  Status erase_all(const std::vector<std::string>& paths) override { return erase_together(paths); }

  Status touch(const std::string& path) override {
    if (::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) != 0) {
      return errno_error("mark the use of", path, errno);
    }
    return {};
  }

  Result<std::unique_ptr<FileLock>> try_lock(const std::string& path) override {
    FileDescriptor fd = open_or_create(path, O_RDWR);
    if (fd.get() < 0) return errno_error("open the lock", path, errno);
    if (retry_interrupted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) != 0) {
      const int error = errno;
      if (error == EWOULDBLOCK) return Status(StatusCode::kBusy, path + " is held by " + read_owner(fd.get()));
      return errno_error("lock", path, error);
    }
    write_owner(fd.get());
    return std::unique_ptr<FileLock>(std::make_unique<PosixLock>(std::move(fd)));
  }

  // A byte of the file, which need not be there: of a lock that goes with the open file, as flock does.
  Result<std::unique_ptr<FileLock>> try_lock_number(const std::string& path, uint64_t number) override {
    FileDescriptor fd = open_or_create(path, O_RDWR);
    if (fd.get() < 0) return errno_error("open the lock", path, errno);
    struct ::flock byte{};
    byte.l_type = F_WRLCK;
    byte.l_whence = SEEK_SET;
    byte.l_start = static_cast<off_t>(number >> 2);
    byte.l_len = 1;
    if (retry_interrupted([&] { return ::fcntl(fd.get(), F_OFD_SETLK, &byte); }) != 0) {
      const int error = errno;
      if (error == EAGAIN || error == EACCES) return Status(StatusCode::kBusy, path + " is held by another process");
      return errno_error("lock", path, error);
    }
    return std::unique_ptr<FileLock>(std::make_unique<PosixLock>(std::move(fd)));
  }

  Result<bool> locked(const std::string& path) override {
    // O_NONBLOCK: as for open_readable().
    const FileDescriptor fd(retry_interrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
    if (fd.get() < 0 && errno == ENOENT) return false;
    if (fd.get() < 0) return errno_error("open the lock", path, errno);
    // Shared, so that only who has it whole is in the way; let go with the descriptor.
    if (retry_interrupted([&] { return ::flock(fd.get(), LOCK_SH | LOCK_NB); }) == 0) return false;
    return errno == EWOULDBLOCK ? Result<bool>(true) : errno_error("look at the lock", path, errno);
  }

  Status sync_directory(const std::string& path) override { return sync_folder(path); }
  Status sync_directories(const std::vector<std::string>& paths) override { return sync_folders_together(paths); }

  Status check_writable(const std::string& path) override {
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0) return {};
    const int error = errno;
    if (error != EROFS && error != EACCES && error != EPERM) return {};  // what writes will say it
    return io_error("cannot write to " + path + ": " + std::generic_category().message(error));
  }

  Result<uint64_t> free_bytes(const std::string& path) override {
    struct ::statvfs info{};
    if (::statvfs(path.c_str(), &info) != 0) return errno_error("examine the disk of", path, errno);
    return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
  }
};

}  // namespace

FileEnv& FileEnv::posix() {
  static PosixEnv env;
  return env;
}

}  // namespace mneme::storage
