#include "storage/env/read_only_layer.h"

#include <sqlite3.h>

#include <cstring>
#include <new>
#include <utility>

#include "storage/env/sqlite_layer.h"

namespace mneme::storage {
namespace {

// The database itself; only its shared memory may be missing.
class DatabaseFile final : public ForwardingSqliteFile {
 public:
  explicit DatabaseFile(sqlite3_file* below) : ForwardingSqliteFile(below) {}

  int shm_map(int region, int size, int, void volatile** out) override {
    const int code = ForwardingSqliteFile::shm_map(region, size, /*extend=*/0, out);
    if (code == SQLITE_OK && *out != nullptr) return SQLITE_READONLY;  // a writer keeps it up to date
    const int kind = code & 0xff;
    // Of the last: its quota is used up, so that not even an empty one can be made.
    nobody_shares_ = kind == SQLITE_CANTOPEN || kind == SQLITE_PERM || code == SQLITE_IOERR_SHMOPEN;
    const bool missing = kind == SQLITE_OK || kind == SQLITE_CANTOPEN || kind == SQLITE_IOERR || kind == SQLITE_FULL ||
                         kind == SQLITE_PERM;
    return missing ? SQLITE_READONLY_CANTINIT : code;
  }

  // Without the file there is nothing to lock, and nobody to be kept out.
  int shm_lock(int offset, int n, int flags) override {
    return nobody_shares_ ? SQLITE_OK : ForwardingSqliteFile::shm_lock(offset, n, flags);
  }

 private:
  bool nobody_shares_ = false;  // as of the last shm_map(), which comes before every lock
};

// The log of a database that has none.
class EmptyLog final : public SqliteFile {
 public:
  int close() override { return SQLITE_OK; }
  int read(void* out, int size, sqlite3_int64) override {
    std::memset(out, 0, static_cast<size_t>(size));
    return SQLITE_IOERR_SHORT_READ;
  }
  int write(const void*, int, sqlite3_int64) override { return SQLITE_READONLY; }
  int truncate(sqlite3_int64) override { return SQLITE_READONLY; }
  int sync(int) override { return SQLITE_OK; }
  int file_size(sqlite3_int64* size) override {
    *size = 0;
    return SQLITE_OK;
  }
  int lock(int) override { return SQLITE_OK; }
  int unlock(int) override { return SQLITE_OK; }
  int check_reserved_lock(int* out) override {
    *out = 0;
    return SQLITE_OK;
  }
  int file_control(int, void*) override { return SQLITE_NOTFOUND; }
  int sector_size() override { return 512; }
  int device_characteristics() override { return 0; }
  int shm_map(int, int, int, void volatile**) override { return SQLITE_IOERR_SHMMAP; }
  int shm_lock(int, int, int) override { return SQLITE_IOERR_SHMLOCK; }
  void shm_barrier() override {}
  int shm_unmap(int) override { return SQLITE_OK; }
};

class ReadOnlyLayer final : public SqliteLayer {
 public:
  explicit ReadOnlyLayer(sqlite3_vfs* below) : SqliteLayer("mneme-read-only", below) {}

  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    room->pMethods = nullptr;
    if ((flags & SQLITE_OPEN_WAL) != 0) return open_log(name, room, flags, out_flags);
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SqliteLayer::open(name, room, flags, out_flags);
    std::unique_ptr<SqliteFile> file(new (std::nothrow) DatabaseFile(room_below(room)));
    return open_over(std::move(file), name, room, flags, out_flags);
  }

 private:
  int open_log(const char* name, sqlite3_file* room, int flags, int* out_flags) {
    int exists = 1;
    const int asked = access(name, SQLITE_ACCESS_EXISTS, &exists);
    if (asked != SQLITE_OK) return asked;
    if (exists != 0) return SqliteLayer::open(name, room, flags, out_flags);
    std::unique_ptr<EmptyLog> log(new (std::nothrow) EmptyLog());
    if (log == nullptr) return SQLITE_NOMEM;
    direct(room, std::move(log));
    if (out_flags != nullptr) *out_flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_WAL;
    return SQLITE_OK;
  }
};

}  // namespace

Result<std::unique_ptr<SqliteLayer>> read_only_layer(const char* under) {
  return offer_layer(under, [](sqlite3_vfs* below) { return std::make_unique<ReadOnlyLayer>(below); });
}

}  // namespace mneme::storage
