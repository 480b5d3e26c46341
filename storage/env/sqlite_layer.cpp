#include "storage/env/sqlite_layer.h"

#include <atomic>
#include <utility>

namespace mneme::storage {
namespace {

// What we put into the room SQLite gives a file; the file of the layer underneath may follow.
struct Room {
  sqlite3_file base;
  SqliteFile* file;
};
static_assert(sizeof(Room) % alignof(sqlite3_int64) == 0);

Room& room_of(sqlite3_file* room) {
  return *reinterpret_cast<Room*>(room);
}

// SQLite's functions out of member functions: Call<&SqliteFile::read>::on is what xRead needs.
template <auto Method>
struct Call;

template <typename Answer, typename... Arguments, Answer (SqliteFile::*Method)(Arguments...)>
struct Call<Method> {
  static Answer on(sqlite3_file* room, Arguments... arguments) { return (room_of(room).file->*Method)(arguments...); }
};

template <typename Answer, typename... Arguments, Answer (SqliteLayer::*Method)(Arguments...)>
struct Call<Method> {
  static Answer on(sqlite3_vfs* vfs, Arguments... arguments) {
    return (static_cast<SqliteLayer*>(vfs->pAppData)->*Method)(arguments...);
  }
};

int close_file(sqlite3_file* room) {
  const std::unique_ptr<SqliteFile> file(room_of(room).file);
  room_of(room).file = nullptr;
  return file->close();
}

// Version 2: with shared memory, without memory-mapped pages.
constexpr sqlite3_io_methods kMethods = {2,
                                         close_file,
                                         Call<&SqliteFile::read>::on,
                                         Call<&SqliteFile::write>::on,
                                         Call<&SqliteFile::truncate>::on,
                                         Call<&SqliteFile::sync>::on,
                                         Call<&SqliteFile::file_size>::on,
                                         Call<&SqliteFile::lock>::on,
                                         Call<&SqliteFile::unlock>::on,
                                         Call<&SqliteFile::check_reserved_lock>::on,
                                         Call<&SqliteFile::file_control>::on,
                                         Call<&SqliteFile::sector_size>::on,
                                         Call<&SqliteFile::device_characteristics>::on,
                                         Call<&SqliteFile::shm_map>::on,
                                         Call<&SqliteFile::shm_lock>::on,
                                         Call<&SqliteFile::shm_barrier>::on,
                                         Call<&SqliteFile::shm_unmap>::on,
                                         nullptr,
                                         nullptr};

}  // namespace

int ForwardingSqliteFile::close() {
  return below_->pMethods->xClose(below_);
}
int ForwardingSqliteFile::read(void* out, int size, sqlite3_int64 offset) {
  return below_->pMethods->xRead(below_, out, size, offset);
}
int ForwardingSqliteFile::write(const void* data, int size, sqlite3_int64 offset) {
  return below_->pMethods->xWrite(below_, data, size, offset);
}
int ForwardingSqliteFile::truncate(sqlite3_int64 size) {
  return below_->pMethods->xTruncate(below_, size);
}
int ForwardingSqliteFile::sync(int flags) {
  return below_->pMethods->xSync(below_, flags);
}
int ForwardingSqliteFile::file_size(sqlite3_int64* size) {
  return below_->pMethods->xFileSize(below_, size);
}
int ForwardingSqliteFile::lock(int level) {
  return below_->pMethods->xLock(below_, level);
}
int ForwardingSqliteFile::unlock(int level) {
  return below_->pMethods->xUnlock(below_, level);
}
int ForwardingSqliteFile::check_reserved_lock(int* out) {
  return below_->pMethods->xCheckReservedLock(below_, out);
}
int ForwardingSqliteFile::file_control(int operation, void* argument) {
  return below_->pMethods->xFileControl(below_, operation, argument);
}
int ForwardingSqliteFile::sector_size() {
  return below_->pMethods->xSectorSize(below_);
}
int ForwardingSqliteFile::device_characteristics() {
  return below_->pMethods->xDeviceCharacteristics(below_);
}
int ForwardingSqliteFile::shm_map(int region, int size, int extend, void volatile** out) {
  return below_->pMethods->xShmMap(below_, region, size, extend, out);
}
int ForwardingSqliteFile::shm_lock(int offset, int n, int flags) {
  return below_->pMethods->xShmLock(below_, offset, n, flags);
}
void ForwardingSqliteFile::shm_barrier() {
  below_->pMethods->xShmBarrier(below_);
}
int ForwardingSqliteFile::shm_unmap(int remove) {
  return below_->pMethods->xShmUnmap(below_, remove);
}

SqliteLayer::SqliteLayer(const std::string& kind, sqlite3_vfs* below) : below_(below) {
  static std::atomic<int> number{0};
  name_ = kind + "-" + std::to_string(++number);
  vfs_.iVersion = 1;
  vfs_.szOsFile = static_cast<int>(sizeof(Room)) + below->szOsFile;
  vfs_.mxPathname = below->mxPathname;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = Call<&SqliteLayer::open>::on;
  vfs_.xDelete = Call<&SqliteLayer::remove>::on;
  vfs_.xAccess = Call<&SqliteLayer::access>::on;
  vfs_.xFullPathname = Call<&SqliteLayer::full_pathname>::on;
  vfs_.xRandomness = Call<&SqliteLayer::randomness>::on;
  vfs_.xSleep = Call<&SqliteLayer::sleep>::on;
  vfs_.xCurrentTime = Call<&SqliteLayer::current_time>::on;
  vfs_.xGetLastError = Call<&SqliteLayer::last_error>::on;
}

SqliteLayer::~SqliteLayer() {
  sqlite3_vfs_unregister(&vfs_);
}

int SqliteLayer::offer() {
  return sqlite3_vfs_register(&vfs_, 0);
}

int SqliteLayer::open(const char* name, sqlite3_file* room, int flags, int* out_flags) {
  return below_->xOpen(below_, name, room, flags, out_flags);
}
int SqliteLayer::remove(const char* name, int sync_directory) {
  return below_->xDelete(below_, name, sync_directory);
}
int SqliteLayer::access(const char* name, int flags, int* out) {
  return below_->xAccess(below_, name, flags, out);
}
int SqliteLayer::full_pathname(const char* name, int size, char* out) {
  return below_->xFullPathname(below_, name, size, out);
}
int SqliteLayer::randomness(int size, char* out) {
  return below_->xRandomness(below_, size, out);
}
int SqliteLayer::sleep(int microseconds) {
  return below_->xSleep(below_, microseconds);
}
int SqliteLayer::current_time(double* out) {
  return below_->xCurrentTime(below_, out);
}
int SqliteLayer::last_error(int size, char* out) {
  return below_->xGetLastError != nullptr ? below_->xGetLastError(below_, size, out) : 0;
}

int SqliteLayer::open_over(std::unique_ptr<SqliteFile> file, const char* name, sqlite3_file* room, int flags,
                           int* out_flags) {
  room->pMethods = nullptr;
  if (file == nullptr) return SQLITE_NOMEM;
  sqlite3_file* beneath = room_below(room);
  beneath->pMethods = nullptr;
  const int code = SqliteLayer::open(name, beneath, flags, out_flags);
  // SQLite closes what has methods, also when opening failed.
  if (beneath->pMethods != nullptr) direct(room, std::move(file));
  return code;
}

void SqliteLayer::direct(sqlite3_file* room, std::unique_ptr<SqliteFile> file) {
  room_of(room).file = file.release();
  room_of(room).base.pMethods = &kMethods;
}

sqlite3_file* SqliteLayer::room_below(sqlite3_file* room) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(room) + sizeof(Room));
}

Result<std::unique_ptr<SqliteLayer>> offer_layer(
    const char* under, const std::function<std::unique_ptr<SqliteLayer>(sqlite3_vfs* below)>& make) {
  sqlite3_vfs* below = sqlite3_vfs_find(under);
  if (below == nullptr) return Status(StatusCode::kInternal, "SQLite has no file layer to stand on");
  std::unique_ptr<SqliteLayer> layer = make(below);
  if (layer->offer() != SQLITE_OK) {
    return Status(StatusCode::kInternal, "SQLite refuses the file layer " + std::string(layer->name()));
  }
  return layer;
}

}  // namespace mneme::storage
