#include "storage/env/memory_env.h"

#include "storage/env/memory_disk.h"
#include "storage/env/sqlite_vfs.h"

namespace mneme::storage {
namespace {

class MemoryReadable final : public ReadableFile {
 public:
  MemoryReadable(std::shared_ptr<MemoryDisk> disk, std::string path, std::shared_ptr<MemoryFile> file)
      : disk_(std::move(disk)), path_(std::move(path)), file_(std::move(file)), size_(disk_->size(*file_)) {}
  uint64_t size() const override { return size_; }
  Status read_at(uint64_t offset, MutableByteSpan out) const override {
    MNEME_ASSIGN_OR_RETURN(const size_t n, disk_->read(*file_, path_, offset, out));
    return n == out.size() ? Status() : corruption(path_ + " ends before the data it should hold");
  }

 private:
  std::shared_ptr<MemoryDisk> disk_;
  std::string path_;
  std::shared_ptr<MemoryFile> file_;
  uint64_t size_;
};

class MemoryWritable final : public WritableFile {
 public:
  MemoryWritable(std::shared_ptr<MemoryDisk> disk, std::string path, std::shared_ptr<MemoryFile> file)
      : disk_(std::move(disk)), path_(std::move(path)), file_(std::move(file)) {}
  Status append(ByteSpan bytes) override { return disk_->write(file_, path_, disk_->size(*file_), bytes); }
  Status sync() override { return disk_->sync(file_, path_); }
  Status close() override { return {}; }

 private:
  std::shared_ptr<MemoryDisk> disk_;
  std::string path_;
  std::shared_ptr<MemoryFile> file_;
};

class MemoryLock final : public FileLock {
 public:
  MemoryLock(std::shared_ptr<MemoryDisk> disk, std::string path) : disk_(std::move(disk)), path_(std::move(path)) {}
  ~MemoryLock() override { disk_->unlock_name(path_); }

 private:
  std::shared_ptr<MemoryDisk> disk_;
  std::string path_;
};

}  // namespace

MemoryEnv::MemoryEnv(FaultPlan* plan) : disk_(std::make_shared<MemoryDisk>(plan)) {}
MemoryEnv::~MemoryEnv() {
  unregister_memory_vfs(*disk_);
}

void MemoryEnv::crash(uint64_t seed) {
  disk_->crash(seed);
}

Result<std::unique_ptr<ReadableFile>> MemoryEnv::open_readable(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(std::shared_ptr<MemoryFile> file, disk_->open(path, false, false));
  return std::unique_ptr<ReadableFile>(std::make_unique<MemoryReadable>(disk_, path, std::move(file)));
}
Result<std::unique_ptr<WritableFile>> MemoryEnv::create(const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(std::shared_ptr<MemoryFile> file, disk_->open(path, true, true));
  return std::unique_ptr<WritableFile>(std::make_unique<MemoryWritable>(disk_, path, std::move(file)));
}
Status MemoryEnv::create_if_missing(const std::string& path) {
  return disk_->open(path, true, false).status();
}
Result<FileStat> MemoryEnv::stat(const std::string& path) {
  return disk_->stat(path);
}
Result<std::vector<std::string>> MemoryEnv::list(const std::string& directory) {
  return disk_->list(directory);
}
Status MemoryEnv::make_directories(const std::string& path) {
  disk_->make_directories(path);
  return {};
}
Status MemoryEnv::rename(const std::string& from, const std::string& to) {
  return disk_->rename(from, to);
}
Status MemoryEnv::remove(const std::string& path) {
  return disk_->remove(path);
}
Status MemoryEnv::touch(const std::string& path) {
  return disk_->touch(path);
}
Status MemoryEnv::sync_directory(const std::string& path) {
  return disk_->sync_directory(path);
}
Result<uint64_t> MemoryEnv::free_bytes(const std::string&) {
  return uint64_t{1} << 40;
}
Result<std::unique_ptr<FileLock>> MemoryEnv::try_lock(const std::string& path) {
  if (!disk_->lock_name(path)) return Status(StatusCode::kBusy, path + " is held by another");
  return std::unique_ptr<FileLock>(std::make_unique<MemoryLock>(disk_, path));
}
Result<std::unique_ptr<FileLock>> MemoryEnv::try_lock_number(const std::string& path, uint64_t number) {
  return try_lock(path + "/" + std::to_string(number));
}
Result<bool> MemoryEnv::locked(const std::string& path) {
  return disk_->name_is_locked(path);
}
const char* MemoryEnv::sqlite_vfs() {
  return register_memory_vfs(*disk_);
}

}  // namespace mneme::storage
