// A disk on which nothing can be written: no file can be made or opened for writing, and databases have no shared
// memory. Who tries all the same fails the test, unless it may. Threads: as the environment below.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>

#include "storage/env/fault_plan.h"
#include "storage/env/faulty_env.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {

class UnsharedFile final : public ForwardingSqliteFile {
 public:
  explicit UnsharedFile(sqlite3_file* below) : ForwardingSqliteFile(below) {}
  int shm_map(int, int, int, void volatile**) override { return SQLITE_CANTOPEN; }
  int shm_lock(int, int, int) override { return SQLITE_IOERR_SHMLOCK; }
};

class ReadOnlyDisk final : public SqliteLayer {
 public:
  ReadOnlyDisk() : SqliteLayer("test-read-only", sqlite3_vfs_find(nullptr)) {}
  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    room->pMethods = nullptr;
    if (!std::filesystem::exists(name)) return SQLITE_CANTOPEN;
    flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
    return open_over(std::make_unique<UnsharedFile>(room_below(room)), name, room, flags, out_flags);
  }
};

class ReadOnlyEnv final : public FaultyEnv {
 public:
  explicit ReadOnlyEnv(bool may_be_tried = false) : FaultyEnv(FileEnv::posix(), plan_), may_be_tried_(may_be_tried) {
    disk_.offer();
  }
  Status check_writable(const std::string& path) override {
    return io_error("cannot write to " + path + ": read-only");
  }
  Status create_if_missing(const std::string& path) override { return refused(path); }
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override { return refused(path); }
  Status rename(const std::string&, const std::string& to) override { return refused(to); }
  Status remove(const std::string& path) override { return refused(path); }
  Status erase(const std::string& path) override { return refused(path); }
  Status make_directories(const std::string& path) override {
    return std::filesystem::exists(path) ? Status() : refused(path);
  }
  const char* sqlite_vfs() override { return disk_.name(); }

 private:
  Status refused(const std::string& path) const {
    if (!may_be_tried_) ADD_FAILURE() << "tried to change " << path;
    return io_error(path + " is read-only");
  }
  const bool may_be_tried_;
  FaultPlan plan_;
  ReadOnlyDisk disk_;
};

}  // namespace mneme::storage
