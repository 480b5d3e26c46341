// The contents behind MemoryEnv and its SQLite files. Not for other folders. Threads: may be used from any thread.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"
#include "base/random.h"
#include "storage/env/fault_plan.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

// A write or a truncation that has not been synced.
struct PendingWrite {
  uint64_t offset = 0;
  std::vector<std::byte> bytes{};
  bool truncate = false;  // to `offset`
};

struct MemoryFile {
  std::vector<std::byte> bytes{};   // as seen now
  std::vector<std::byte> synced{};  // as of the last sync
  std::vector<PendingWrite> pending{};
  int64_t mtime_ns = 0;
};

// What SQLite shares between the connections to one database: locks and the log's index.
struct MemorySharing {
  int shared = 0;    // holders of SHARED or more
  int reserved = 0;  // 1: somebody has RESERVED or more
  bool pending = false;
  bool exclusive = false;
  std::vector<std::unique_ptr<std::byte[]>> regions{};
  std::array<int, 8> region_locks{};  // > 0: shared holders, -1: exclusive
  int region_users = 0;
};

class MemoryDisk {
 public:
  explicit MemoryDisk(FaultPlan* plan) : plan_(plan) {}

  // Faults come first; a planned half write is done before its failure is returned.
  Status write(const std::shared_ptr<MemoryFile>& file, const std::string& path, uint64_t offset, ByteSpan bytes);
  Status truncate(const std::shared_ptr<MemoryFile>& file, const std::string& path, uint64_t size);
  Status sync(const std::shared_ptr<MemoryFile>& file, const std::string& path);
  // Bytes read, fewer at the end of the file.
  Result<size_t> read(const MemoryFile& file, const std::string& path, uint64_t offset, MutableByteSpan out);
  uint64_t size(const MemoryFile& file);

  Result<std::shared_ptr<MemoryFile>> open(const std::string& path, bool create, bool truncate);
  std::shared_ptr<MemoryFile> find(const std::string& path);
  Status remove(const std::string& path);
  Status rename(const std::string& from, const std::string& to);
  Status sync_directory(const std::string& path);
  void make_directories(const std::string& path);
  Result<FileStat> stat(const std::string& path);
  Result<std::vector<std::string>> list(const std::string& directory);
  Status touch(const std::string& path);
  bool lock_name(const std::string& path);
  void unlock_name(const std::string& path);
  bool name_is_locked(const std::string& path);

  Mutex& sharing_mutex() MNEME_THREAD_ATTRIBUTE(lock_returned(sharing_mutex_)) { return sharing_mutex_; }
  MemorySharing& sharing(const std::string& path) MNEME_REQUIRES(sharing_mutex_) { return sharing_[path]; }
  FaultPlan* plan() { return plan_; }

  void crash(uint64_t seed);

 private:
  // A change of names since the last sync_directory: `to` gets `file` (null: goes away), `from` goes away.
  struct NameChange {
    std::string from{};
    std::string to{};
    std::shared_ptr<MemoryFile> file{};
  };
  using Names = std::map<std::string, std::shared_ptr<MemoryFile>>;

  Status fault(const std::string& path, uint64_t bytes, uint64_t& allowed);
  void change_names(NameChange change) MNEME_REQUIRES(mutex_);
  static void apply(Names& names, const NameChange& change);
  int64_t tick() MNEME_REQUIRES(mutex_) { return clock_ns_ += 1'000'000; }

  FaultPlan* plan_;
  Mutex mutex_;
  Names names_ MNEME_GUARDED_BY(mutex_);
  Names durable_names_ MNEME_GUARDED_BY(mutex_);
  std::vector<NameChange> name_changes_ MNEME_GUARDED_BY(mutex_);
  std::set<std::string> folders_ MNEME_GUARDED_BY(mutex_);
  std::set<std::string> locks_ MNEME_GUARDED_BY(mutex_);
  int64_t clock_ns_ MNEME_GUARDED_BY(mutex_) = 1'700'000'000'000'000'000;
  Mutex sharing_mutex_;
  std::map<std::string, MemorySharing> sharing_ MNEME_GUARDED_BY(sharing_mutex_);
};

}  // namespace mneme::storage
