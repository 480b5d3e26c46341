// Which chunk files lie in a store's folders, with size and last use: from a scan, kept up by this process's changes.
// A picture of the moment: other processes add and remove files too. Not for other folders.
// Threads: every function may be called from any thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

struct ChunkFileEntry {
  std::string path{};
  uint64_t bytes = 0;
  int64_t last_use_ns = 0;
};

// The 32 hex digits of "<digits>.kv"; empty for any other name.
std::string chunk_key_of(const std::string& file_name);

class ChunkIndex {
 public:
  ChunkIndex(FileEnv& env, std::vector<std::string> roots) : env_(env), roots_(std::move(roots)) {}

  // Looks at the folders again when the picture is older than that. Files that vanish meanwhile are passed over.
  Status refresh(std::chrono::milliseconds max_age);
  uint64_t bytes() const;
  int64_t files() const;
  std::vector<ChunkFileEntry> oldest_first() const;
  void note_written(const std::string& path, uint64_t bytes);
  void note_used(const std::string& path);
  void note_removed(const std::string& path);

  // Calls `visit` for every file in the folders, chunk files and others, until it returns false. walk_names: by name
  // alone, which need not be a file's; many times as fast. A folder that cannot be listed costs what is in it: `hidden`
  // gets why, of the first.
  Status walk_names(const std::function<bool(const std::string& path)>& visit, Status* hidden = nullptr) const;
  Status walk(const std::function<bool(const std::string& path, const FileStat& stat)>& visit,
              Status* hidden = nullptr) const;

 private:
  FileEnv& env_;
  const std::vector<std::string> roots_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, ChunkFileEntry> entries_ MNEME_GUARDED_BY(mutex_);
  uint64_t bytes_ MNEME_GUARDED_BY(mutex_) = 0;
  std::chrono::steady_clock::time_point scanned_ MNEME_GUARDED_BY(mutex_){};
};

}  // namespace mneme::storage
