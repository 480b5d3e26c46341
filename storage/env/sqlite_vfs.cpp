#include "storage/env/sqlite_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "storage/env/memory_disk.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {
namespace {

int io_code(const Status& status, int code) {
  if (status.ok()) return SQLITE_OK;
  return status.code() == StatusCode::kNoSpace ? SQLITE_FULL : code;
}

class DiskFile final : public SqliteFile {
 public:
  struct Opened {
    std::string path{};
    std::shared_ptr<MemoryFile> file{};
    bool delete_on_close = false;
    bool name_is_new = false;  // a journal whose name must be made durable with its first sync
  };
  DiskFile(MemoryDisk& disk, Opened opened) : disk_(disk), opened_(std::move(opened)) {}

  int close() override;
  int read(void* out, int size, sqlite3_int64 offset) override;
  int write(const void* data, int size, sqlite3_int64 offset) override;
  int truncate(sqlite3_int64 size) override;
  int sync(int flags) override;
  int file_size(sqlite3_int64* size) override;
  int lock(int level) override;
  int unlock(int level) override;
  int check_reserved_lock(int* out) override;
  int file_control(int, void*) override { return SQLITE_NOTFOUND; }
  int sector_size() override { return 512; }
  int device_characteristics() override { return 0; }
  int shm_map(int region, int size, int extend, void volatile** out) override;
  int shm_lock(int offset, int n, int flags) override;
  void shm_barrier() override { const MutexLock guard(disk_.sharing_mutex()); }
  int shm_unmap(int remove) override;

 private:
  MemoryDisk& disk_;
  Opened opened_;
  int lock_level_ = SQLITE_LOCK_NONE;
  bool uses_regions_ = false;
};

int DiskFile::close() {
  if (opened_.delete_on_close) (void)disk_.remove(opened_.path);
  return SQLITE_OK;
}

int DiskFile::read(void* out, int size, sqlite3_int64 offset) {
  const MutableByteSpan span(static_cast<std::byte*>(out), static_cast<size_t>(size));
  const Result<size_t> n = disk_.read(*opened_.file, opened_.path, static_cast<uint64_t>(offset), span);
  if (!n.ok()) return SQLITE_IOERR_READ;
  if (*n == span.size()) return SQLITE_OK;
  std::memset(span.data() + *n, 0, span.size() - *n);
  return SQLITE_IOERR_SHORT_READ;
}

int DiskFile::write(const void* data, int size, sqlite3_int64 offset) {
  const ByteSpan span(static_cast<const std::byte*>(data), static_cast<size_t>(size));
  return io_code(disk_.write(opened_.file, opened_.path, static_cast<uint64_t>(offset), span), SQLITE_IOERR_WRITE);
}

int DiskFile::truncate(sqlite3_int64 size) {
  return io_code(disk_.truncate(opened_.file, opened_.path, static_cast<uint64_t>(size)), SQLITE_IOERR_TRUNCATE);
}

int DiskFile::sync(int) {
  int code = io_code(disk_.sync(opened_.file, opened_.path), SQLITE_IOERR_FSYNC);
  if (code != SQLITE_OK) return code;
  if (!opened_.name_is_new) return SQLITE_OK;
  // As SQLite's own files do.
  code = io_code(disk_.sync_directory(opened_.path), SQLITE_IOERR_DIR_FSYNC);
  opened_.name_is_new = code != SQLITE_OK;
  return code;
}

int DiskFile::file_size(sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(disk_.size(*opened_.file));
  return SQLITE_OK;
}

int DiskFile::lock(int level) {
  const MutexLock guard(disk_.sharing_mutex());
  MemorySharing& sharing = disk_.sharing(opened_.path);
  if (level <= lock_level_) return SQLITE_OK;
  if (lock_level_ == SQLITE_LOCK_NONE) {
    if (sharing.exclusive || sharing.pending) return SQLITE_BUSY;
    ++sharing.shared;
    lock_level_ = SQLITE_LOCK_SHARED;
  }
  if (level >= SQLITE_LOCK_RESERVED && lock_level_ < SQLITE_LOCK_RESERVED) {
    if (sharing.reserved != 0) return SQLITE_BUSY;
    sharing.reserved = 1;
    lock_level_ = SQLITE_LOCK_RESERVED;
  }
  if (level >= SQLITE_LOCK_PENDING) {
    sharing.pending = true;
    lock_level_ = SQLITE_LOCK_PENDING;
    if (sharing.shared > 1) return SQLITE_BUSY;
    sharing.exclusive = true;
    lock_level_ = SQLITE_LOCK_EXCLUSIVE;
  }
  return SQLITE_OK;
}

int DiskFile::unlock(int level) {
  const MutexLock guard(disk_.sharing_mutex());
  MemorySharing& sharing = disk_.sharing(opened_.path);
  if (lock_level_ >= SQLITE_LOCK_RESERVED && level < SQLITE_LOCK_RESERVED) {
    sharing.reserved = 0;
    sharing.pending = false;
    sharing.exclusive = false;
  }
  if (lock_level_ >= SQLITE_LOCK_SHARED && level == SQLITE_LOCK_NONE) --sharing.shared;
  lock_level_ = level;
  return SQLITE_OK;
}

int DiskFile::check_reserved_lock(int* out) {
  const MutexLock guard(disk_.sharing_mutex());
  *out = disk_.sharing(opened_.path).reserved;
  return SQLITE_OK;
}

int DiskFile::shm_map(int region, int size, int extend, void volatile** out) {
  const MutexLock guard(disk_.sharing_mutex());
  MemorySharing& sharing = disk_.sharing(opened_.path);
  if (!uses_regions_) {
    uses_regions_ = true;
    ++sharing.region_users;
  }
  *out = nullptr;
  const auto index = static_cast<size_t>(region);
  if (index >= sharing.regions.size() && extend == 0) return SQLITE_OK;
  while (sharing.regions.size() <= index) {
    sharing.regions.push_back(std::make_unique<std::byte[]>(static_cast<size_t>(size)));
  }
  *out = sharing.regions[index].get();
  return SQLITE_OK;
}

int DiskFile::shm_lock(int offset, int n, int flags) {
  const MutexLock guard(disk_.sharing_mutex());
  auto& locks = disk_.sharing(opened_.path).region_locks;
  const auto first = locks.begin() + offset;
  const auto last = first + n;
  const bool shared = (flags & SQLITE_SHM_SHARED) != 0;
  if ((flags & SQLITE_SHM_UNLOCK) != 0) {
    std::for_each(first, last, [&](int& held) { held = shared ? std::max(held - 1, 0) : 0; });
    return SQLITE_OK;
  }
  if (std::any_of(first, last, [&](int held) { return shared ? held < 0 : held != 0; })) return SQLITE_BUSY;
  std::for_each(first, last, [&](int& held) { held = shared ? held + 1 : -1; });
  return SQLITE_OK;
}

int DiskFile::shm_unmap(int remove) {
  const MutexLock guard(disk_.sharing_mutex());
  MemorySharing& sharing = disk_.sharing(opened_.path);
  if (!uses_regions_) return SQLITE_OK;
  uses_regions_ = false;
  if (--sharing.region_users == 0 && remove != 0) sharing.regions.clear();
  return SQLITE_OK;
}

// Names and files are the disk's; time, randomness and sleep the system's.
class DiskLayer final : public SqliteLayer {
 public:
  explicit DiskLayer(MemoryDisk& disk) : SqliteLayer("mneme-memory", sqlite3_vfs_find(nullptr)), disk_(disk) {}

  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override;
  int remove(const char* name, int sync_directory) override;
  int access(const char* name, int, int* out) override {
    *out = disk_.find(name) != nullptr ? 1 : 0;
    return SQLITE_OK;
  }
  int full_pathname(const char* name, int size, char* out) override {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
  }
  int last_error(int, char*) override { return 0; }

 private:
  MemoryDisk& disk_;
};

int DiskLayer::open(const char* name, sqlite3_file* room, int flags, int* out_flags) {
  room->pMethods = nullptr;
  static std::atomic<int> temporary{0};
  const std::string path = name != nullptr ? name : "/temporary-" + std::to_string(++temporary);
  const bool journal = (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
  const bool existed = disk_.find(path) != nullptr;
  auto found = disk_.open(path, (flags & SQLITE_OPEN_CREATE) != 0 || name == nullptr, false);
  if (!found.ok()) return io_code(found.status(), SQLITE_CANTOPEN);
  const bool temporary_file = (flags & SQLITE_OPEN_DELETEONCLOSE) != 0 || name == nullptr;
  DiskFile::Opened opened{path, std::move(found).value(), temporary_file, journal && !existed};
  direct(room, std::make_unique<DiskFile>(disk_, std::move(opened)));
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int DiskLayer::remove(const char* name, int sync_directory) {
  const Status status = disk_.remove(name);
  if (status.code() == StatusCode::kNotFound) return SQLITE_IOERR_DELETE_NOENT;
  if (!status.ok()) return SQLITE_IOERR_DELETE;
  return sync_directory != 0 ? io_code(disk_.sync_directory(name), SQLITE_IOERR_DIR_FSYNC) : SQLITE_OK;
}

std::mutex registry_mutex;
std::map<MemoryDisk*, std::unique_ptr<DiskLayer>>& registry() {
  static std::map<MemoryDisk*, std::unique_ptr<DiskLayer>> all;
  return all;
}

}  // namespace

const char* register_memory_vfs(MemoryDisk& disk) {
  const std::lock_guard lock(registry_mutex);
  std::unique_ptr<DiskLayer>& layer = registry()[&disk];
  if (layer == nullptr) {
    layer = std::make_unique<DiskLayer>(disk);
    layer->offer();
  }
  return layer->name();
}

void unregister_memory_vfs(MemoryDisk& disk) {
  const std::lock_guard lock(registry_mutex);
  registry().erase(&disk);
}

}  // namespace mneme::storage
