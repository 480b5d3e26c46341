// What a chunk store holds, for its two sources: chunk_store.cpp (put and find) and chunk_store_upkeep.cpp (quota,
// removal, checking). Internal to them. Threads: as ChunkStore.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "storage/chunks/chunk_index.h"
#include "storage/chunks/chunk_store.h"

namespace mneme::storage {

// How many readers of this process hold each file.
struct Pins {
  Mutex mutex;
  std::map<std::string, int> counts MNEME_GUARDED_BY(mutex);

  void add(const std::string& path) {
    MutexLock lock(mutex);
    ++counts[path];
  }
  void drop(const std::string& path) {
    MutexLock lock(mutex);
    if (--counts[path] == 0) counts.erase(path);
  }
  bool pinned(const std::string& path) {
    MutexLock lock(mutex);
    return counts.contains(path);
  }
};

struct ChunkStore::State {
  State(FileEnv& file_env, const ChunkStoreOptions& options)
      : env(file_env),
        roots(options.roots),
        writable(options.writable),
        quota_bytes(options.quota_bytes),
        index(file_env, options.roots) {
    for (size_t i = 0; i < roots.size(); ++i) root_throughput.push_back(std::make_shared<ThroughputMeter>());
  }

  FileEnv& env;
  const std::vector<std::string> roots;
  const std::function<Status()> writable;
  std::atomic<uint64_t> quota_bytes;
  ChunkIndex index;
  std::shared_ptr<Pins> pins = std::make_shared<Pins>();
  ThroughputMeter throughput;
  std::vector<std::shared_ptr<ThroughputMeter>> root_throughput;  // as roots; chunks keep theirs
  std::atomic<int64_t> hits{0};
  std::atomic<int64_t> misses{0};
  std::atomic<int64_t> evictions{0};
  Mutex eviction_mutex;

  // As writable(), but a full disk hinders nobody who makes room on it.
  Status may_remove() const {
    Status status = writable();
    return status.code() == StatusCode::kNoSpace ? Status() : status;
  }
  Status remove_file(const std::string& path) {
    const Status status = env.remove(path);
    index.note_removed(path);
    return status.code() == StatusCode::kNotFound ? Status() : status;
  }
  Status erase_files(const std::vector<std::string>& paths);

  Status make_room(uint64_t needed_bytes) MNEME_EXCLUDES(eviction_mutex);
  Status evict_down_to(uint64_t target_bytes) MNEME_REQUIRES(eviction_mutex);
  Result<std::string> root_for(uint64_t file_bytes, size_t first_root);
  Status write_file(const std::string& path, ByteSpan header, std::span<const ByteSpan> layers);
  Result<std::shared_ptr<StoredChunk>> open_chunk(const Hash128& key, std::span<const int32_t> token_ids);
};

}  // namespace mneme::storage
