// What of the folders that are indexed is the program's own: its home, or a folder of stored KV, may lie among them.
// Folders are known by what they are, not by their names: links lead to them, too.
// Threads: const after construction.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace mneme::rag {

struct WorkspaceOptions;

class OwnPlaces {
 public:
  OwnPlaces() = default;  // none
  explicit OwnPlaces(const WorkspaceOptions& options);

  // Whether all that is in this folder is the program's.
  bool own(const struct stat& folder) const { return folders_.contains({folder.st_dev, folder.st_ino}); }
  // Whether a file of this folder is, which may be the home: that holds files of others, too.
  bool own_file(const struct stat& folder, std::string_view name) const;

 private:
  std::set<std::pair<uint64_t, uint64_t>> folders_;  // by device and inode
  std::pair<uint64_t, uint64_t> home_;
};

}  // namespace mneme::rag
