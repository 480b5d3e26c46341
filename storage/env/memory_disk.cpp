#include "storage/env/memory_disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace mneme::storage {
namespace {

// Writes reach a disk in sectors: a torn one has some of them.
constexpr size_t kSectorBytes = 512;

void apply_write(std::vector<std::byte>& target, uint64_t offset, ByteSpan bytes) {
  if (bytes.empty()) return;
  if (target.size() < offset + bytes.size()) target.resize(offset + bytes.size());
  std::memcpy(target.data() + offset, bytes.data(), bytes.size());
}

// Unsynced changes survive by the dice, sector by sector.
void survive(MemoryFile& file, Random& random) {
  file.bytes = file.synced;
  for (const PendingWrite& write : file.pending) {
    if (random.below(2) == 0) continue;
    if (write.truncate) {
      file.bytes.resize(write.offset);
      continue;
    }
    const bool torn = random.below(4) == 0;
    for (size_t at = 0; at < write.bytes.size(); at += kSectorBytes) {
      if (torn && random.below(2) == 0) continue;
      const size_t n = std::min(kSectorBytes, write.bytes.size() - at);
      apply_write(file.bytes, write.offset + at, ByteSpan(write.bytes).subspan(at, n));
    }
  }
  file.synced = file.bytes;
  file.pending.clear();
}

}  // namespace

Status MemoryDisk::fault(const std::string& path, uint64_t bytes, uint64_t& allowed) {
  allowed = bytes;
  return plan_ != nullptr ? plan_->before_change(path, bytes, allowed) : Status();
}

Status MemoryDisk::write(const std::shared_ptr<MemoryFile>& file, const std::string& path, uint64_t offset,
                         ByteSpan bytes) {
  uint64_t allowed = 0;
  Status planned = fault(path, bytes.size(), allowed);
  MutexLock lock(mutex_);
  const ByteSpan done = bytes.first(allowed);
  apply_write(file->bytes, offset, done);
  if (!done.empty()) file->pending.push_back({offset, {done.begin(), done.end()}, false});
  file->mtime_ns = tick();
  return planned;
}

Status MemoryDisk::truncate(const std::shared_ptr<MemoryFile>& file, const std::string& path, uint64_t size) {
  uint64_t allowed = 0;
  MNEME_RETURN_IF_ERROR(fault(path, 0, allowed));
  MutexLock lock(mutex_);
  file->bytes.resize(size);
  file->pending.push_back({size, {}, true});
  return {};
}

Status MemoryDisk::sync(const std::shared_ptr<MemoryFile>& file, const std::string& path) {
  uint64_t allowed = 0;
  MNEME_RETURN_IF_ERROR(fault(path, 0, allowed));
  MutexLock lock(mutex_);
  file->synced = file->bytes;
  file->pending.clear();
  return {};
}

Result<size_t> MemoryDisk::read(const MemoryFile& file, const std::string& path, uint64_t offset, MutableByteSpan out) {
  if (plan_ != nullptr) MNEME_RETURN_IF_ERROR(plan_->before_read(path));
  MutexLock lock(mutex_);
  if (offset >= file.bytes.size()) return size_t{0};
  const size_t n = std::min<size_t>(out.size(), file.bytes.size() - offset);
  std::memcpy(out.data(), file.bytes.data() + offset, n);
  return n;
}

uint64_t MemoryDisk::size(const MemoryFile& file) {
  MutexLock lock(mutex_);
  return file.bytes.size();
}

void MemoryDisk::apply(Names& names, const NameChange& change) {
  if (!change.from.empty()) names.erase(change.from);
  if (change.to.empty()) return;
  names[change.to] = change.file;
}

void MemoryDisk::change_names(NameChange change) {
  apply(names_, change);
  name_changes_.push_back(std::move(change));
}

Result<std::shared_ptr<MemoryFile>> MemoryDisk::open(const std::string& path, bool create, bool truncate) {
  if (plan_ != nullptr) MNEME_RETURN_IF_ERROR(plan_->before_read(path));
  std::shared_ptr<MemoryFile> file = find(path);
  if (file == nullptr) {
    if (!create) return errno_error("open", path, ENOENT);
    uint64_t allowed = 0;
    MNEME_RETURN_IF_ERROR(fault(path, 0, allowed));
    file = std::make_shared<MemoryFile>();
    MutexLock lock(mutex_);
    file->mtime_ns = tick();
    change_names({{}, path, file});
  } else if (truncate) {
    MNEME_RETURN_IF_ERROR(this->truncate(file, path, 0));
  }
  return file;
}

std::shared_ptr<MemoryFile> MemoryDisk::find(const std::string& path) {
  MutexLock lock(mutex_);
  const auto entry = names_.find(path);
  return entry != names_.end() ? entry->second : nullptr;
}

Status MemoryDisk::remove(const std::string& path) {
  if (find(path) == nullptr) return errno_error("remove", path, ENOENT);
  uint64_t allowed = 0;
  MNEME_RETURN_IF_ERROR(fault(path, 0, allowed));
  MutexLock lock(mutex_);
  change_names({path, {}, nullptr});
  return {};
}

Status MemoryDisk::rename(const std::string& from, const std::string& to) {
  const std::shared_ptr<MemoryFile> file = find(from);
  if (file == nullptr) return errno_error("rename to", to, ENOENT);
  uint64_t allowed = 0;
  MNEME_RETURN_IF_ERROR(fault(to, 0, allowed));
  MutexLock lock(mutex_);
  change_names({from, to, file});
  return {};
}

Status MemoryDisk::sync_directory(const std::string& path) {
  uint64_t allowed = 0;
  MNEME_RETURN_IF_ERROR(fault(path, 0, allowed));
  MutexLock lock(mutex_);
  for (const NameChange& change : name_changes_) apply(durable_names_, change);
  name_changes_.clear();
  return {};
}

void MemoryDisk::make_directories(const std::string& path) {
  MutexLock lock(mutex_);
  for (size_t slash = path.find('/', 1); true; slash = path.find('/', slash + 1)) {
    folders_.insert(path.substr(0, slash));
    if (slash == std::string::npos) break;
  }
}

Result<FileStat> MemoryDisk::stat(const std::string& path) {
  if (plan_ != nullptr) MNEME_RETURN_IF_ERROR(plan_->before_read(path));
  MutexLock lock(mutex_);
  const auto entry = names_.find(path);
  if (entry != names_.end()) return FileStat{FileKind::kFile, entry->second->bytes.size(), entry->second->mtime_ns};
  if (folders_.contains(path)) return FileStat{FileKind::kDirectory, 0, 0};
  return errno_error("examine", path, ENOENT);
}

Result<std::vector<std::string>> MemoryDisk::list(const std::string& directory) {
  if (plan_ != nullptr) MNEME_RETURN_IF_ERROR(plan_->before_read(directory));
  MutexLock lock(mutex_);
  if (!folders_.contains(directory)) return errno_error("list", directory, ENOENT);
  const std::string prefix = directory + "/";
  std::set<std::string> found;
  const auto add = [&](const std::string& path) {
    if (path.starts_with(prefix))
      found.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
  };
  for (const auto& [path, file] : names_) add(path);
  for (const std::string& path : folders_) add(path);
  return std::vector<std::string>(found.begin(), found.end());
}

Status MemoryDisk::touch(const std::string& path) {
  const std::shared_ptr<MemoryFile> file = find(path);
  if (file == nullptr) return errno_error("mark the use of", path, ENOENT);
  MutexLock lock(mutex_);
  file->mtime_ns = tick();
  return {};
}

bool MemoryDisk::lock_name(const std::string& path) {
  MutexLock lock(mutex_);
  return locks_.insert(path).second;
}

void MemoryDisk::unlock_name(const std::string& path) {
  MutexLock lock(mutex_);
  locks_.erase(path);
}

bool MemoryDisk::name_is_locked(const std::string& path) {
  MutexLock lock(mutex_);
  return locks_.contains(path);
}

void MemoryDisk::crash(uint64_t seed) {
  Random random(seed);
  {
    MutexLock lock(sharing_mutex_);
    sharing_.clear();
  }
  MutexLock lock(mutex_);
  const size_t survivors = random.below(name_changes_.size() + 1);
  for (size_t i = 0; i < survivors; ++i) apply(durable_names_, name_changes_[i]);
  name_changes_.clear();
  names_ = durable_names_;
  for (auto& [path, file] : names_) survive(*file, random);
}

}  // namespace mneme::storage
