// Another environment's files, with planned faults. SQLite's files are the other environment's own business.
// Ownership: borrows the environment and the plan. Threads: as the environment underneath.
#pragma once

#include "storage/env/fault_plan.h"
#include "storage/env/file_env.h"

namespace mneme::storage {

class FaultyEnv : public FileEnv {
 public:
  FaultyEnv(FileEnv& inner, FaultPlan& plan) : inner_(inner), plan_(plan) {}

  Result<std::unique_ptr<ReadableFile>> open_readable(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override;
  Status create_if_missing(const std::string& path) override;
  Result<FileStat> stat(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& directory) override;
  Status make_directories(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Status erase(const std::string& path) override;
  Status touch(const std::string& path) override;
  Status sync_directory(const std::string& path) override;
  Status check_writable(const std::string& path) override { return inner_.check_writable(path); }
  Result<uint64_t> free_bytes(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> try_lock(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> try_lock_number(const std::string& path, uint64_t number) override;
  Result<bool> locked(const std::string& path) override;
  const char* sqlite_vfs() override { return inner_.sqlite_vfs(); }

 private:
  FileEnv& inner_;
  FaultPlan& plan_;
};

}  // namespace mneme::storage
