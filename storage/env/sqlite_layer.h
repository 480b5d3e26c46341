// SQLite's file access (VFS) in C++: a layer is an object over another layer, an open file is an object, and every call
// goes on to the layer or file underneath unless a subclass has its own answer. SQLite's structs, tables of functions
// and casts stay in sqlite_layer.cpp. Reference: https://www.sqlite.org/c3ref/vfs.html and io_methods.html; the calls
// here are named and answered as there (results are SQLite's codes, sizes and offsets count bytes).
// Nothing may throw: the callers are C functions.
// Ownership: a layer must outlive the connections opened through it. Threads: any number of connections at a time;
// calls on one file come one after another, save those for shared memory.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"

namespace mneme::storage {

// An open file. Has shared memory (for the write-ahead log), but never memory-mapped pages.
class SqliteFile {
 public:
  virtual ~SqliteFile() = default;
  virtual int close() = 0;  // once, as the last call
  virtual int read(void* out, int size, sqlite3_int64 offset) = 0;
  virtual int write(const void* data, int size, sqlite3_int64 offset) = 0;
  virtual int truncate(sqlite3_int64 size) = 0;
  virtual int sync(int flags) = 0;
  virtual int file_size(sqlite3_int64* size) = 0;
  virtual int lock(int level) = 0;
  virtual int unlock(int level) = 0;
  virtual int check_reserved_lock(int* out) = 0;
  virtual int file_control(int operation, void* argument) = 0;
  virtual int sector_size() = 0;
  virtual int device_characteristics() = 0;
  virtual int shm_map(int region, int size, int extend, void volatile** out) = 0;
  virtual int shm_lock(int offset, int n, int flags) = 0;
  virtual void shm_barrier() = 0;
  virtual int shm_unmap(int remove) = 0;
};

// A file over one of the layer underneath.
class ForwardingSqliteFile : public SqliteFile {
 public:
  // below: where the layer underneath opens its file (SqliteLayer::room_below); SQLite owns the room.
  explicit ForwardingSqliteFile(sqlite3_file* below) : below_(below) {}
  int close() override;
  int read(void* out, int size, sqlite3_int64 offset) override;
  int write(const void* data, int size, sqlite3_int64 offset) override;
  int truncate(sqlite3_int64 size) override;
  int sync(int flags) override;
  int file_size(sqlite3_int64* size) override;
  int lock(int level) override;
  int unlock(int level) override;
  int check_reserved_lock(int* out) override;
  int file_control(int operation, void* argument) override;
  int sector_size() override;
  int device_characteristics() override;
  int shm_map(int region, int size, int extend, void volatile** out) override;
  int shm_lock(int offset, int n, int flags) override;
  void shm_barrier() override;
  int shm_unmap(int remove) override;

 private:
  sqlite3_file* below_;
};

// What SQLite opens files with, by its name.
class SqliteLayer {
 public:
  virtual ~SqliteLayer();
  SqliteLayer(const SqliteLayer&) = delete;
  SqliteLayer& operator=(const SqliteLayer&) = delete;

  // Makes the name known to SQLite, until the object ends.
  int offer();
  const char* name() const { return name_.c_str(); }

  // Opens `name` (null: a temporary file) in the room SQLite gives. Here: a file of the layer underneath, in all of the
  // room. A layer with files of its own overrides this and calls open_over() or direct().
  virtual int open(const char* name, sqlite3_file* room, int flags, int* out_flags);
  virtual int remove(const char* name, int sync_directory);
  virtual int access(const char* name, int flags, int* out);
  virtual int full_pathname(const char* name, int size, char* out);
  virtual int randomness(int size, char* out);
  virtual int sleep(int microseconds);
  virtual int current_time(double* out);
  virtual int last_error(int size, char* out);

 protected:
  // kind: what the name begins with; a number follows. below: must outlive the layer.
  SqliteLayer(const std::string& kind, sqlite3_vfs* below);

  sqlite3_vfs* below() const { return below_; }
  // Opens the file of the layer underneath in its part of the room; calls then go to `file`, which was made over
  // room_below(room). SQLITE_NOMEM for none.
  int open_over(std::unique_ptr<SqliteFile> file, const char* name, sqlite3_file* room, int flags, int* out_flags);
  // From now on calls on the file in `room` go to `file`, which ends when SQLite closes it.
  static void direct(sqlite3_file* room, std::unique_ptr<SqliteFile> file);
  // Room for a file of the layer underneath, behind what direct() takes of it.
  static sqlite3_file* room_below(sqlite3_file* room);

 private:
  sqlite3_vfs* below_;
  std::string name_;
  sqlite3_vfs vfs_{};
};

// A layer over the one that is called `under` (null: SQLite's own), offered to SQLite. kInternal where there is none or
// SQLite refuses.
Result<std::unique_ptr<SqliteLayer>> offer_layer(
    const char* under, const std::function<std::unique_ptr<SqliteLayer>(sqlite3_vfs* below)>& make);

}  // namespace mneme::storage
