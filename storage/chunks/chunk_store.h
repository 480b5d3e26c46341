// The store of chunk KV on disk: put, find, read, within a quota. It is a cache: whatever is missing or damaged is a
// miss, costs time and never an answer.
// Several processes may use one store: files appear by rename and vanish by unlink, and whoever has one open reads on.
// The file's mtime is its last use.
// Ownership: a StoredChunk keeps its file open and pins it against eviction by this process while it lives.
// Threads: every function of ChunkStore and StoredChunk may be called from any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/status.h"
#include "storage/chunks/chunk_file.h"
#include "storage/chunks/throughput_meter.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

struct ChunkStoreOptions {
  std::vector<std::string> roots{};  // folders; the first with room takes new files, all are searched
  uint64_t quota_bytes = 0;          // over all roots; 0: nothing is kept
  FileEnv* env = nullptr;            // null: the operating system's files. Must outlive the store
  // Asked before every change: where it is not ok, what is there is read, and the change fails with it; where it is
  // kNoSpace, what takes files away goes on. Any thread.
  std::function<Status()> writable = [] { return Status(); };
};

// The smaller of 20 GB and a tenth of what is free.
Result<uint64_t> default_quota_bytes(FileEnv& env, const std::string& root);

// An open chunk file whose header and token ids have been verified.
class StoredChunk {
 public:
  ~StoredChunk();
  StoredChunk(const StoredChunk&) = delete;
  StoredChunk& operator=(const StoredChunk&) = delete;

  const ChunkFileInfo& info() const { return header_.info; }
  const ChunkFileHeader& header() const { return header_; }
  const std::string& path() const { return path_; }
  const ReadableFile& file() const { return *file_; }
  int n_layers() const { return static_cast<int>(header_.layers.size()); }
  // What reading from the folder it lies in yields; null outside a store.
  ThroughputMeter* throughput() const { return throughput_.get(); }

  // Reads one layer's payload and checks it. kCorruption: do not use it; recompute, and tell ChunkStore::discard.
  Status read_layer(int layer, std::vector<std::byte>& out) const;

 private:
  friend class ChunkStore;
  StoredChunk() = default;
  ChunkFileHeader header_{};
  std::string path_{};
  std::unique_ptr<ReadableFile> file_{};
  std::function<void()> unpin_{};
  std::shared_ptr<ThroughputMeter> throughput_{};
};

struct ChunkStoreMeter {
  uint64_t bytes = 0;
  uint64_t quota_bytes = 0;
  int64_t chunks = 0;
};

// Since the last take_counters(); whoever takes them adds them to the catalogue's.
struct ChunkStoreCounters {
  int64_t hits = 0;
  int64_t misses = 0;
  int64_t evictions = 0;
};

struct ChunkStoreProblem {
  std::string path{};
  std::string detail{};
  bool repaired = false;
};

enum class Removal { kRemove, kErase };  // FileEnv::remove(), erase_atomically()

struct ChunkStoreCheck {
  int64_t files = 0;
  std::vector<ChunkStoreProblem> problems{};
};

class ChunkStore {
 public:
  static Result<std::unique_ptr<ChunkStore>> open(const ChunkStoreOptions& options);
  ~ChunkStore();
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;

  // Writes one chunk: all layers, atomically; the least recently used files make room first. A key that is there is
  // replaced. kNoSpace when it cannot fit the quota or the disk (the store stays as it was, the caller goes on
  // without). info.layer_bytes is taken from `layers`.
  //   first_root: the folder to put it in, by its place among the roots; the others follow where it has no room.
  Status put(const ChunkFileInfo& info, std::span<const ByteSpan> layers, size_t first_root = 0);

  // The chunk with this key whose token ids are these; counts a hit or a miss and marks the use. kNotFound is a miss; a
  // damaged or foreign file is removed and is a miss.
  Result<std::shared_ptr<const StoredChunk>> find(const Hash128& key, std::span<const int32_t> token_ids);
  bool contains(const Hash128& key);  // cheap: neither a hit nor a use

  // A payload turned out to be damaged: the file goes, so that it is computed again.
  void discard(const StoredChunk& chunk);
  Status remove(const Hash128& key);
  Status erase(const Hash128& key);  // overwrites it, too

  // Bytes and files; from a scan of the folders, kept up by this process's own changes.
  Result<ChunkStoreMeter> meter();
  ChunkStoreCounters take_counters();
  void set_quota(uint64_t quota_bytes);
  // Evicts down to the quota, and erases what was abandoned.
  Status enforce_quota();

  // Removes every file for which `keep` says no, and returns how many bytes that freed. `how`: garbage is removed, what
  // tells of a forgotten text is erased, with what writers left that were killed and what is of another version.
  Result<uint64_t> remove_unless(const std::function<bool(const ChunkFileInfo&)>& keep, Removal how = Removal::kRemove,
                                 const CancelToken& cancel = never_cancelled());
  // Erases the files that `is_it` says yes for, of those whose keys' hex digits begin with these (two or more), as
  // remove_unless() does: only such files are opened.
  Status erase_named(std::string_view key_digits, const std::function<bool(const ChunkFileInfo&)>& is_it);
  // Overwrites and removes every file, also those under temporary names: for who has the store to himself.
  Status erase_all();
  // Erases what has lain under a temporary name for an hour. Cheap: it looks at names, and at no other file.
  Status erase_abandoned();
  Status for_each(const std::function<bool(const ChunkFileInfo&, uint64_t file_bytes)>& visit);

  // Every checksum of every file. With `repair`, damaged files are removed: they will be computed again.
  Result<ChunkStoreCheck> verify(bool repair, const CancelToken& cancel = never_cancelled());

  // What reading yields, as measured by the readers: over all folders, and of one (by its place among the roots).
  ThroughputMeter& throughput();
  ThroughputMeter& throughput(size_t root);
  const std::vector<std::string>& roots() const;

 private:
  struct State;
  explicit ChunkStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mneme::storage
