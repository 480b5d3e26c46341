#include "storage/env/sqlite_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "storage/env/memory_disk.h"

namespace mneme::storage {
namespace {

// SQLite gives us raw memory that begins with its base struct; what we own hangs on a pointer.
struct OpenFile {
  MemoryDisk* disk = nullptr;
  std::string path{};
  std::shared_ptr<MemoryFile> file{};
  int lock_level = SQLITE_LOCK_NONE;
  bool uses_regions = false;
  bool delete_on_close = false;
  bool name_is_new = false;  // a journal whose name must be made durable with its first sync
};
struct VfsFile {
  sqlite3_file base;
  OpenFile* open;
};

OpenFile& self(sqlite3_file* file) {
  return *reinterpret_cast<VfsFile*>(file)->open;
}

int io_code(const Status& status, int code) {
  if (status.ok()) return SQLITE_OK;
  return status.code() == StatusCode::kNoSpace ? SQLITE_FULL : code;
}

int vfs_close(sqlite3_file* file) {
  auto* raw = reinterpret_cast<VfsFile*>(file);
  std::unique_ptr<OpenFile> open(raw->open);
  raw->open = nullptr;
  if (open && open->delete_on_close) (void)open->disk->remove(open->path);
  return SQLITE_OK;
}

int vfs_read(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  OpenFile& open = self(file);
  const MutableByteSpan span(static_cast<std::byte*>(out), static_cast<size_t>(size));
  const Result<size_t> n = open.disk->read(*open.file, open.path, static_cast<uint64_t>(offset), span);
  if (!n.ok()) return SQLITE_IOERR_READ;
  if (*n == span.size()) return SQLITE_OK;
  std::memset(span.data() + *n, 0, span.size() - *n);
  return SQLITE_IOERR_SHORT_READ;
}

int vfs_write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  OpenFile& open = self(file);
  const ByteSpan span(static_cast<const std::byte*>(data), static_cast<size_t>(size));
  return io_code(open.disk->write(open.file, open.path, static_cast<uint64_t>(offset), span), SQLITE_IOERR_WRITE);
}

int vfs_truncate(sqlite3_file* file, sqlite3_int64 size) {
  OpenFile& open = self(file);
  return io_code(open.disk->truncate(open.file, open.path, static_cast<uint64_t>(size)), SQLITE_IOERR_TRUNCATE);
}

int vfs_sync(sqlite3_file* file, int) {
  OpenFile& open = self(file);
  int code = io_code(open.disk->sync(open.file, open.path), SQLITE_IOERR_FSYNC);
  if (code != SQLITE_OK) return code;
  if (!open.name_is_new) return SQLITE_OK;
  // As SQLite's own files do.
  code = io_code(open.disk->sync_directory(open.path), SQLITE_IOERR_DIR_FSYNC);
  open.name_is_new = code != SQLITE_OK;
  return code;
}

int vfs_file_size(sqlite3_file* file, sqlite3_int64* size) {
  OpenFile& open = self(file);
  *size = static_cast<sqlite3_int64>(open.disk->size(*open.file));
  return SQLITE_OK;
}

int vfs_lock(sqlite3_file* file, int level) {
  OpenFile& open = self(file);
  MutexLock lock(open.disk->sharing_mutex());
  MemorySharing& sharing = open.disk->sharing(open.path);
  if (level <= open.lock_level) return SQLITE_OK;
  if (open.lock_level == SQLITE_LOCK_NONE) {
    if (sharing.exclusive || sharing.pending) return SQLITE_BUSY;
    ++sharing.shared;
    open.lock_level = SQLITE_LOCK_SHARED;
  }
  if (level >= SQLITE_LOCK_RESERVED && open.lock_level < SQLITE_LOCK_RESERVED) {
    if (sharing.reserved != 0) return SQLITE_BUSY;
    sharing.reserved = 1;
    open.lock_level = SQLITE_LOCK_RESERVED;
  }
  if (level >= SQLITE_LOCK_PENDING) {
    sharing.pending = true;
    open.lock_level = SQLITE_LOCK_PENDING;
    if (sharing.shared > 1) return SQLITE_BUSY;
    sharing.exclusive = true;
    open.lock_level = SQLITE_LOCK_EXCLUSIVE;
  }
  return SQLITE_OK;
}

int vfs_unlock(sqlite3_file* file, int level) {
  OpenFile& open = self(file);
  MutexLock lock(open.disk->sharing_mutex());
  MemorySharing& sharing = open.disk->sharing(open.path);
  if (open.lock_level >= SQLITE_LOCK_RESERVED && level < SQLITE_LOCK_RESERVED) {
    sharing.reserved = 0;
    sharing.pending = false;
    sharing.exclusive = false;
  }
  if (open.lock_level >= SQLITE_LOCK_SHARED && level == SQLITE_LOCK_NONE) --sharing.shared;
  open.lock_level = level;
  return SQLITE_OK;
}

int vfs_check_reserved(sqlite3_file* file, int* out) {
  OpenFile& open = self(file);
  MutexLock lock(open.disk->sharing_mutex());
  *out = open.disk->sharing(open.path).reserved;
  return SQLITE_OK;
}

int vfs_file_control(sqlite3_file*, int, void*) {
  return SQLITE_NOTFOUND;
}
int vfs_sector_size(sqlite3_file*) {
  return 512;
}
int vfs_device(sqlite3_file*) {
  return 0;
}

int vfs_shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** out) {
  OpenFile& open = self(file);
  MutexLock lock(open.disk->sharing_mutex());
  MemorySharing& sharing = open.disk->sharing(open.path);
  if (!open.uses_regions) {
    open.uses_regions = true;
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

int vfs_shm_lock(sqlite3_file* file, int offset, int n, int flags) {
  OpenFile& open = self(file);
  MutexLock lock(open.disk->sharing_mutex());
  auto& locks = open.disk->sharing(open.path).region_locks;
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

void vfs_shm_barrier(sqlite3_file* file) {
  MutexLock lock(self(file).disk->sharing_mutex());
}

int vfs_shm_unmap(sqlite3_file* file, int remove) {
  OpenFile& open = self(file);
  MutexLock lock(open.disk->sharing_mutex());
  MemorySharing& sharing = open.disk->sharing(open.path);
  if (!open.uses_regions) return SQLITE_OK;
  open.uses_regions = false;
  if (--sharing.region_users == 0 && remove != 0) sharing.regions.clear();
  return SQLITE_OK;
}

constexpr sqlite3_io_methods kMethods = {2,
                                         vfs_close,
                                         vfs_read,
                                         vfs_write,
                                         vfs_truncate,
                                         vfs_sync,
                                         vfs_file_size,
                                         vfs_lock,
                                         vfs_unlock,
                                         vfs_check_reserved,
                                         vfs_file_control,
                                         vfs_sector_size,
                                         vfs_device,
                                         vfs_shm_map,
                                         vfs_shm_lock,
                                         vfs_shm_barrier,
                                         vfs_shm_unmap,
                                         nullptr,
                                         nullptr};

MemoryDisk& disk_of(sqlite3_vfs* vfs) {
  return *static_cast<MemoryDisk*>(vfs->pAppData);
}

int vfs_open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* raw = reinterpret_cast<VfsFile*>(file);
  raw->base.pMethods = nullptr;
  raw->open = nullptr;
  static std::atomic<int> temporary{0};
  const std::string path = name != nullptr ? name : "/temporary-" + std::to_string(++temporary);
  const bool journal = (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
  const bool existed = disk_of(vfs).find(path) != nullptr;
  auto found = disk_of(vfs).open(path, (flags & SQLITE_OPEN_CREATE) != 0 || name == nullptr, false);
  if (!found.ok()) return io_code(found.status(), SQLITE_CANTOPEN);
  const bool temporary_file = (flags & SQLITE_OPEN_DELETEONCLOSE) != 0 || name == nullptr;
  raw->open = new OpenFile{&disk_of(vfs), path,           std::move(found).value(), SQLITE_LOCK_NONE,
                           false,         temporary_file, journal && !existed};
  raw->base.pMethods = &kMethods;
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int vfs_delete(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  const Status status = disk_of(vfs).remove(name);
  if (status.code() == StatusCode::kNotFound) return SQLITE_IOERR_DELETE_NOENT;
  if (!status.ok()) return SQLITE_IOERR_DELETE;
  return sync_directory != 0 ? io_code(disk_of(vfs).sync_directory(name), SQLITE_IOERR_DIR_FSYNC) : SQLITE_OK;
}

int vfs_access(sqlite3_vfs* vfs, const char* name, int, int* out) {
  *out = disk_of(vfs).find(name) != nullptr ? 1 : 0;
  return SQLITE_OK;
}

int vfs_full_path(sqlite3_vfs*, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

// Time, randomness and sleep are the system's.
int vfs_randomness(sqlite3_vfs*, int size, char* out) {
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  return system->xRandomness(system, size, out);
}
int vfs_sleep(sqlite3_vfs*, int microseconds) {
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  return system->xSleep(system, microseconds);
}
int vfs_time(sqlite3_vfs*, double* out) {
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  return system->xCurrentTime(system, out);
}
int vfs_last_error(sqlite3_vfs*, int, char*) {
  return 0;
}

struct Registered {
  std::string name;
  sqlite3_vfs vfs{};
};

std::mutex registry_mutex;
std::map<MemoryDisk*, std::unique_ptr<Registered>>& registry() {
  static std::map<MemoryDisk*, std::unique_ptr<Registered>> all;
  return all;
}

}  // namespace

const char* register_memory_vfs(MemoryDisk& disk) {
  const std::lock_guard lock(registry_mutex);
  std::unique_ptr<Registered>& entry = registry()[&disk];
  if (entry) return entry->name.c_str();
  static int number = 0;
  entry = std::make_unique<Registered>();
  entry->name = "mneme-memory-" + std::to_string(++number);
  sqlite3_vfs& vfs = entry->vfs;
  vfs.iVersion = 1;
  vfs.szOsFile = sizeof(VfsFile);
  vfs.mxPathname = 1024;
  vfs.zName = entry->name.c_str();
  vfs.pAppData = &disk;
  vfs.xOpen = vfs_open;
  vfs.xDelete = vfs_delete;
  vfs.xAccess = vfs_access;
  vfs.xFullPathname = vfs_full_path;
  vfs.xRandomness = vfs_randomness;
  vfs.xSleep = vfs_sleep;
  vfs.xCurrentTime = vfs_time;
  vfs.xGetLastError = vfs_last_error;
  sqlite3_vfs_register(&vfs, 0);
  return entry->name.c_str();
}

void unregister_memory_vfs(MemoryDisk& disk) {
  const std::lock_guard lock(registry_mutex);
  const auto entry = registry().find(&disk);
  if (entry == registry().end()) return;
  sqlite3_vfs_unregister(&entry->second->vfs);
  registry().erase(entry);
}

}  // namespace mneme::storage
