#include "storage/catalogue/page_checksums.h"

#include <sqlite3.h>
#include <xxhash.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "storage/catalogue/migrations.h"
#include "storage/catalogue/sqlite_database.h"

namespace mneme::storage {
namespace {

// Where the database's header says what we need (https://www.sqlite.org/fileformat2.html, section 1.3).
constexpr int kHeaderBytes = 100;
constexpr int kPageSizeAt = 16;
constexpr int kReservedAt = 20;
constexpr int kUserVersionAt = 60;
constexpr char kHeaderMagic[] = "SQLite format 3";  // with its zero byte

using Page = const unsigned char*;

uint32_t big_endian(Page bytes, int n_bytes) {
  uint32_t value = 0;
  for (int i = 0; i < n_bytes; ++i) value = value << 8 | bytes[i];
  return value;
}

uint64_t checksum_of(Page page, int size, sqlite3_int64 offset) {
  const auto number = static_cast<uint64_t>(offset / size) + 1;
  return XXH3_64bits_withSeed(page, static_cast<size_t>(size - kPageChecksumBytes), number);
}

// What lies behind SQLite's base struct in a file of ours; the file of the VFS underneath follows.
struct Guard {
  int page_size = 0;
  bool checked = false;  // the header says that pages have checksums
  std::vector<unsigned char> page{};
};
struct GuardedFile {
  sqlite3_file base;
  Guard* guard;
};
static_assert(sizeof(GuardedFile) % alignof(sqlite3_int64) == 0);

sqlite3_file* under(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(GuardedFile));
}
Guard& guard_of(sqlite3_file* file) {
  return *reinterpret_cast<GuardedFile*>(file)->guard;
}

// Learns from a header whether pages have checksums. What a newer version makes of its pages is its own business: the
// catalogue refuses it by its schema.
void read_header(Guard& guard, Page header) {
  if (std::memcmp(header, kHeaderMagic, sizeof kHeaderMagic) != 0) return;
  const auto size = static_cast<int>(big_endian(header + kPageSizeAt, 2));
  const bool newer = big_endian(header + kUserVersionAt, 4) > kSchemaVersion;
  guard.page_size = size == 1 ? 65536 : size;
  guard.checked = header[kReservedAt] == kPageChecksumBytes && guard.page_size >= 512 && !newer;
}

bool is_page(const Guard& guard, int size, sqlite3_int64 offset) {
  return guard.checked && size == guard.page_size && offset % size == 0;
}

// A first page that says it is of a schema with checksums, but has none.
bool lost_its_checksums(const Guard& guard, Page page, int size, sqlite3_int64 offset) {
  if (offset != 0 || size < kHeaderBytes || guard.checked) return false;
  if (std::memcmp(page, kHeaderMagic, sizeof kHeaderMagic) != 0) return false;
  const uint32_t version = big_endian(page + kUserVersionAt, 4);
  return version >= kFirstSchemaWithChecksums && version <= kSchemaVersion;
}

int file_close(sqlite3_file* file) {
  auto* raw = reinterpret_cast<GuardedFile*>(file);
  const int code = under(file)->pMethods->xClose(under(file));
  delete raw->guard;
  raw->guard = nullptr;
  return code;
}

int file_read(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  const int code = under(file)->pMethods->xRead(under(file), out, size, offset);
  if (code != SQLITE_OK) return code;
  Guard& guard = guard_of(file);
  const auto* page = static_cast<const unsigned char*>(out);
  if (offset == 0 && size >= kHeaderBytes) read_header(guard, page);
  bool damaged = lost_its_checksums(guard, page, size, offset);
  if (is_page(guard, size, offset)) {
    uint64_t stored = 0;
    std::memcpy(&stored, page + size - kPageChecksumBytes, kPageChecksumBytes);
    damaged = stored != checksum_of(page, size, offset);
  }
  if (!damaged) return SQLITE_OK;
  sqlite3_log(SQLITE_IOERR_DATA, "page %lld does not match its checksum", offset / size + 1);
  return SQLITE_IOERR_DATA;
}

// Another process may have given the file its checksums since we last looked: never write pages without.
void look_again(sqlite3_file* file, Guard& guard) {
  unsigned char header[kHeaderBytes];
  if (under(file)->pMethods->xRead(under(file), header, kHeaderBytes, 0) == SQLITE_OK) read_header(guard, header);
}

int file_write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  Guard& guard = guard_of(file);
  const auto* page = static_cast<const unsigned char*>(data);
  if (offset == 0 && size >= kHeaderBytes) {
    read_header(guard, page);
  } else if (!guard.checked) {
    look_again(file, guard);
  }
  if (!is_page(guard, size, offset)) return under(file)->pMethods->xWrite(under(file), data, size, offset);
  try {
    guard.page.assign(page, page + size);
  } catch (const std::bad_alloc&) {
    return SQLITE_IOERR_NOMEM;
  }
  const uint64_t sum = checksum_of(page, size, offset);
  std::memcpy(guard.page.data() + size - kPageChecksumBytes, &sum, kPageChecksumBytes);
  return under(file)->pMethods->xWrite(under(file), guard.page.data(), size, offset);
}

// All else is the file's underneath.
int file_truncate(sqlite3_file* file, sqlite3_int64 size) {
  return under(file)->pMethods->xTruncate(under(file), size);
}
int file_sync(sqlite3_file* file, int flags) {
  return under(file)->pMethods->xSync(under(file), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return under(file)->pMethods->xFileSize(under(file), size);
}
int file_lock(sqlite3_file* file, int level) {
  return under(file)->pMethods->xLock(under(file), level);
}
int file_unlock(sqlite3_file* file, int level) {
  return under(file)->pMethods->xUnlock(under(file), level);
}
int file_check_reserved(sqlite3_file* file, int* out) {
  return under(file)->pMethods->xCheckReservedLock(under(file), out);
}
int file_control(sqlite3_file* file, int operation, void* argument) {
  return under(file)->pMethods->xFileControl(under(file), operation, argument);
}
int file_sector_size(sqlite3_file* file) {
  return under(file)->pMethods->xSectorSize(under(file));
}
int file_device(sqlite3_file* file) {
  int flags = under(file)->pMethods->xDeviceCharacteristics(under(file));
#ifdef SQLITE_IOCAP_SUBPAGE_READ
  flags &= ~SQLITE_IOCAP_SUBPAGE_READ;  // pages are read whole, so that they can be checked
#endif
  return flags;
}
int file_shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** out) {
  return under(file)->pMethods->xShmMap(under(file), region, size, extend, out);
}
int file_shm_lock(sqlite3_file* file, int offset, int n, int flags) {
  return under(file)->pMethods->xShmLock(under(file), offset, n, flags);
}
void file_shm_barrier(sqlite3_file* file) {
  under(file)->pMethods->xShmBarrier(under(file));
}
int file_shm_unmap(sqlite3_file* file, int remove) {
  return under(file)->pMethods->xShmUnmap(under(file), remove);
}

// Version 2: no memory-mapped pages, they would pass us by.
constexpr sqlite3_io_methods kMethods = {
    2,           file_close,   file_read,     file_write,          file_truncate,  file_sync,
    file_size,   file_lock,    file_unlock,   file_check_reserved, file_control,   file_sector_size,
    file_device, file_shm_map, file_shm_lock, file_shm_barrier,    file_shm_unmap, nullptr,
    nullptr};

sqlite3_vfs* under(sqlite3_vfs* vfs) {
  return static_cast<sqlite3_vfs*>(vfs->pAppData);
}

int vfs_open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_vfs* below = under(vfs);
  // Logs, journals and temporary files are the other VFS's own.
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return below->xOpen(below, name, file, flags, out_flags);
  auto* raw = reinterpret_cast<GuardedFile*>(file);
  raw->base.pMethods = nullptr;
  raw->guard = new (std::nothrow) Guard;
  if (raw->guard == nullptr) return SQLITE_NOMEM;
  under(file)->pMethods = nullptr;
  const int code = below->xOpen(below, name, under(file), flags, out_flags);
  // SQLite closes what has methods, also when opening failed.
  if (under(file)->pMethods != nullptr) {
    raw->base.pMethods = &kMethods;
  } else {
    delete raw->guard;
    raw->guard = nullptr;
  }
  return code;
}

int vfs_delete(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  return under(vfs)->xDelete(under(vfs), name, sync_directory);
}
int vfs_access(sqlite3_vfs* vfs, const char* name, int flags, int* out) {
  return under(vfs)->xAccess(under(vfs), name, flags, out);
}
int vfs_full_path(sqlite3_vfs* vfs, const char* name, int size, char* out) {
  return under(vfs)->xFullPathname(under(vfs), name, size, out);
}
int vfs_randomness(sqlite3_vfs* vfs, int size, char* out) {
  return under(vfs)->xRandomness(under(vfs), size, out);
}
int vfs_sleep(sqlite3_vfs* vfs, int microseconds) {
  return under(vfs)->xSleep(under(vfs), microseconds);
}
int vfs_time(sqlite3_vfs* vfs, double* out) {
  return under(vfs)->xCurrentTime(under(vfs), out);
}
int vfs_last_error(sqlite3_vfs* vfs, int size, char* out) {
  return under(vfs)->xGetLastError != nullptr ? under(vfs)->xGetLastError(under(vfs), size, out) : 0;
}

}  // namespace

struct PageChecksums::State {
  std::string name;
  sqlite3_vfs vfs{};
};

PageChecksums::PageChecksums(std::unique_ptr<State> state) : state_(std::move(state)) {}

PageChecksums::~PageChecksums() {
  sqlite3_vfs_unregister(&state_->vfs);
}

const char* PageChecksums::vfs() const {
  return state_->name.c_str();
}

Result<std::unique_ptr<PageChecksums>> PageChecksums::over(const char* under_name) {
  static std::atomic<int> number{0};
  sqlite3_vfs* below = sqlite3_vfs_find(under_name);
  if (below == nullptr) return Status(StatusCode::kInternal, "SQLite has no file layer to stand on");
  auto state = std::make_unique<State>();
  state->name = "mneme-pages-" + std::to_string(++number);
  sqlite3_vfs& vfs = state->vfs;
  vfs.iVersion = 1;
  vfs.szOsFile = static_cast<int>(sizeof(GuardedFile)) + below->szOsFile;
  vfs.mxPathname = below->mxPathname;
  vfs.zName = state->name.c_str();
  vfs.pAppData = below;
  vfs.xOpen = vfs_open;
  vfs.xDelete = vfs_delete;
  vfs.xAccess = vfs_access;
  vfs.xFullPathname = vfs_full_path;
  vfs.xRandomness = vfs_randomness;
  vfs.xSleep = vfs_sleep;
  vfs.xCurrentTime = vfs_time;
  vfs.xGetLastError = vfs_last_error;
  if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) {
    return Status(StatusCode::kInternal, "SQLite refuses the file layer with checksums");
  }
  return std::unique_ptr<PageChecksums>(new PageChecksums(std::move(state)));
}

Status reserve_page_checksums(Database& database) {
  int bytes = kPageChecksumBytes;
  const int code = sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
  return code == SQLITE_OK ? Status() : database.error(code);
}

}  // namespace mneme::storage
