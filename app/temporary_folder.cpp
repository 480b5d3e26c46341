#include "app/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

namespace mneme::app {
namespace {

namespace fs = std::filesystem;

// No other program's folders begin so, nor those of versions that hold no locks.
constexpr std::string_view kPrefix = "mneme-scratch-";
constexpr std::string_view kPattern = "XXXXXX";
constexpr int kMostTries = 100;

std::string temporary_place() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets variables here
  const char* base = std::getenv("TMPDIR");
  return base != nullptr && *base != '\0' ? base : "/tmp";
}

// A folder of this user, no link to one; not open where there is none.
FileDescriptor open_folder(const std::string& path) {
  FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status = {};
  if (folder.is_open() && (::fstat(folder.get(), &status) != 0 || status.st_uid != ::geteuid())) folder.reset();
  return folder;
}

// Whether the open folder still lies at the path: it may have been removed before it was locked.
bool lies_at(const FileDescriptor& folder, const std::string& path) {
  struct stat open = {};
  struct stat there = {};
  return ::fstat(folder.get(), &open) == 0 && ::lstat(path.c_str(), &there) == 0 && open.st_ino == there.st_ino &&
         open.st_dev == there.st_dev;
}

// The folders whose makers are gone.
void remove_left_behind(const std::string& place) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(place, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const fs::path& path = entry->path();
    const std::string name = path.filename().string();
    if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + kPattern.size()) continue;
    const FileDescriptor folder = open_folder(path.string());
    if (!folder.is_open() || ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) continue;
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::make() {
  const std::string place = temporary_place();
  remove_left_behind(place);
  for (int i = 0; i < kMostTries; ++i) {
    std::string path = place + "/" + std::string(kPrefix) + std::string(kPattern);
    if (mkdtemp(path.data()) == nullptr) return errno_error("make a temporary folder like", path, errno);
    FileDescriptor folder = open_folder(path);
    // Where the file system has no locks it is one that nobody else removes either.
    const bool locked = folder.is_open() && (::flock(folder.get(), LOCK_EX) == 0 || errno != EINTR);
    // Between its making and its locking another process may have taken it for one left behind.
    if (locked && lies_at(folder, path)) return TemporaryFolder(std::move(path), std::move(folder));
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  return Status{StatusCode::kBusy, "no temporary folder could be made in " + place + "; try again."};
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")), lock_(std::move(other.lock_)) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace mneme::app
