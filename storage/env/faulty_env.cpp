#include "storage/env/faulty_env.h"

namespace mneme::storage {
namespace {

class FaultyWritable final : public WritableFile {
 public:
  FaultyWritable(std::string path, std::unique_ptr<WritableFile> inner, FaultPlan& plan)
      : path_(std::move(path)), inner_(std::move(inner)), plan_(plan) {}

  Status append(ByteSpan bytes) override {
    uint64_t allowed = 0;
    Status fault = plan_.before_change(path_, bytes.size(), allowed);
    MNEME_RETURN_IF_ERROR(inner_->append(bytes.first(allowed)));
    return fault;
  }
  Status sync() override {
    uint64_t allowed = 0;
    MNEME_RETURN_IF_ERROR(plan_.before_change(path_, 0, allowed));
    return inner_->sync();
  }
  Status close() override { return inner_->close(); }

 private:
  std::string path_;
  std::unique_ptr<WritableFile> inner_;
  FaultPlan& plan_;
};

Status change(FaultPlan& plan, const std::string& path) {
  uint64_t allowed = 0;
  return plan.before_change(path, 0, allowed);
}

}  // namespace

Result<std::unique_ptr<ReadableFile>> FaultyEnv::open_readable(const std::string& path) {
  MNEME_RETURN_IF_ERROR(plan_.before_read(path));
  return inner_.open_readable(path);
}
Result<std::unique_ptr<WritableFile>> FaultyEnv::create(const std::string& path) {
  MNEME_RETURN_IF_ERROR(change(plan_, path));
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, inner_.create(path));
  return std::unique_ptr<WritableFile>(std::make_unique<FaultyWritable>(path, std::move(file), plan_));
}
Status FaultyEnv::create_if_missing(const std::string& path) {
  MNEME_RETURN_IF_ERROR(change(plan_, path));
  return inner_.create_if_missing(path);
}
Result<FileStat> FaultyEnv::stat(const std::string& path) {
  MNEME_RETURN_IF_ERROR(plan_.before_read(path));
  return inner_.stat(path);
}
Result<std::vector<std::string>> FaultyEnv::list(const std::string& directory) {
  MNEME_RETURN_IF_ERROR(plan_.before_read(directory));
  return inner_.list(directory);
}
Status FaultyEnv::make_directories(const std::string& path) {
  MNEME_RETURN_IF_ERROR(plan_.before_read(path));
  return inner_.make_directories(path);
}
Status FaultyEnv::rename(const std::string& from, const std::string& to) {
  MNEME_RETURN_IF_ERROR(change(plan_, to));
  return inner_.rename(from, to);
}
Status FaultyEnv::remove(const std::string& path) {
  MNEME_RETURN_IF_ERROR(change(plan_, path));
  return inner_.remove(path);
}
Status FaultyEnv::erase(const std::string& path) {
  MNEME_RETURN_IF_ERROR(change(plan_, path));
  return inner_.erase(path);
}
Status FaultyEnv::touch(const std::string& path) {
  MNEME_RETURN_IF_ERROR(plan_.before_read(path));
  return inner_.touch(path);
}
Status FaultyEnv::sync_directory(const std::string& path) {
  MNEME_RETURN_IF_ERROR(change(plan_, path));
  return inner_.sync_directory(path);
}
Result<uint64_t> FaultyEnv::free_bytes(const std::string& path) {
  return inner_.free_bytes(path);
}
Result<std::unique_ptr<FileLock>> FaultyEnv::try_lock(const std::string& path) {
  MNEME_RETURN_IF_ERROR(plan_.before_read(path));
  return inner_.try_lock(path);
}
Result<std::unique_ptr<FileLock>> FaultyEnv::try_lock_number(const std::string& path, uint64_t number) {
  MNEME_RETURN_IF_ERROR(plan_.before_read(path));
  return inner_.try_lock_number(path, number);
}
Result<bool> FaultyEnv::locked(const std::string& path) {
  MNEME_RETURN_IF_ERROR(plan_.before_read(path));
  return inner_.locked(path);
}

}  // namespace mneme::storage
