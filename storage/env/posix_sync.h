// Many files on the medium by one sync. A sync of each costs milliseconds, whatever there is to write; one of the whole
// file system (syncfs) costs what others have written to it, too, so that few files are synced one by one.
// Threads: one object by one thread at a time.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/status.h"

namespace mneme::storage {

// The call again for as long as a signal interrupts it.
template <typename Call>
auto retry_interrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// From how many files, or folders, on all get one sync.
inline constexpr size_t kSyncedTogether = 16;

// File systems that are synced as wholes.
class FileSystemSync {
 public:
  // The file system that holds `folder`. Before anything is written that is to be synced: the system tells a failed
  // write to those alone who were there (Linux 5.8; older ones do not tell).
  Status include(const std::string& folder);
  // What was written to them since, files and names, is on the medium.
  Status sync() const;

 private:
  struct Place {
    std::string folder;
    FileDescriptor fd;
  };
  std::map<dev_t, Place> places_;
};

// Zeros in place of what a file holds. Only of a regular file, and no link is followed: others are left as they are.
//   wait: they are on the medium afterwards. Else they are on their way there.
Status overwrite_with_zeros(const std::string& path, bool wait);

// Overwritten, on the medium, then removed: FileEnv::erase_all().
Status erase_together(const std::vector<std::string>& paths);

Status sync_folder(const std::string& path);
// FileEnv::sync_directories().
Status sync_folders_together(const std::vector<std::string>& paths);

}  // namespace mneme::storage
