// A disk in memory that knows what was synced: after crash() files hold what survived. SQLite runs on it too
// (sqlite_vfs). The durability model: a file's unsynced writes each survive or not, possibly torn; creations, renames
// and removals survive in order up to some moment after the last sync_directory.
// Ownership: files keep the disk's contents alive; the FaultPlan is borrowed. Threads: may be used from any thread.
#pragma once

#include <memory>
#include <string>

#include "storage/env/fault_plan.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

class MemoryDisk;

class MemoryEnv final : public FileEnv {
 public:
  explicit MemoryEnv(FaultPlan* plan = nullptr);
  ~MemoryEnv() override;

  // The power fails: what was not synced survives by the dice of `seed`. Open files must be gone.
  void crash(uint64_t seed);

  Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override;
  Status create_if_missing(const std::string& path) override;
  Result<FileStat> stat(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& directory) override;
  Status make_directories(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Status touch(const std::string& path) override;
  Status sync_directory(const std::string& path) override;
  Result<uint64_t> free_bytes(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> try_lock(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> try_lock_number(const std::string& path, uint64_t number) override;
  Result<bool> locked(const std::string& path) override;
  const char* sqlite_vfs() override;

 private:
  std::shared_ptr<MemoryDisk> disk_;
};

}  // namespace mneme::storage
