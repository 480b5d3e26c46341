#include "storage/chunks/chunk_index.h"

#include <algorithm>

#include "base/wall_clock.h"

namespace mneme::storage {
namespace {

// A file that was used more than a day from now was used while the clock was wrong. It would never be evicted, so it is
// first: nobody knows when it was used last.
int64_t believed_use_ns(int64_t mtime_ns, int64_t now) {
  constexpr int64_t kDayNs = 86400ll * 1'000'000'000;
  return mtime_ns > now + kDayNs ? 0 : mtime_ns;
}

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string chunk_key_of(const std::string& file_name) {
  constexpr size_t kDigits = 32;
  if (file_name.size() != kDigits + 3 || !file_name.ends_with(".kv")) return {};
  std::string digits = file_name.substr(0, kDigits);
  return is_hex(digits) ? digits : std::string();
}

Status ChunkIndex::walk_names(const std::function<bool(const std::string&)>& visit, Status* hidden) const {
  for (const std::string& root : roots_) {
    const Result<std::vector<std::string>> folders = env_.list(root);
    if (!folders.ok()) {
      if (folders.status().code() == StatusCode::kNotFound) continue;
      return folders.status();
    }
    for (const std::string& folder : *folders) {
      if (folder.size() != 2 || !is_hex(folder)) continue;
      const std::string base = root + "/" + folder;
      const Result<std::vector<std::string>> names = env_.list(base);
      if (!names.ok()) {
        const bool is_gone = names.status().code() == StatusCode::kNotFound;
        if (hidden != nullptr && hidden->ok() && !is_gone) *hidden = names.status();
        continue;
      }
      for (const std::string& name : *names) {
        if (!visit(base + "/" + name)) return {};
      }
    }
  }
  return {};
}

Status ChunkIndex::walk(const std::function<bool(const std::string&, const FileStat&)>& visit, Status* hidden) const {
  return walk_names(
      [&](const std::string& path) {
        const Result<FileStat> stat = env_.stat(path);
        return !stat.ok() || stat->kind != FileKind::kFile || visit(path, *stat);
      },
      hidden);
}

Status ChunkIndex::refresh(std::chrono::milliseconds max_age) {
  const auto now = std::chrono::steady_clock::now();
  {
    MutexLock lock(mutex_);
    if (scanned_ != std::chrono::steady_clock::time_point{} && now - scanned_ <= max_age) return {};
  }
  std::unordered_map<std::string, ChunkFileEntry> entries;
  uint64_t bytes = 0;
  const int64_t wall_clock = now_ns();
  MNEME_RETURN_IF_ERROR(walk([&](const std::string& path, const FileStat& stat) {
    if (chunk_key_of(path.substr(path.rfind('/') + 1)).empty()) return true;
    entries[path] = {path, stat.size_bytes, believed_use_ns(stat.mtime_ns, wall_clock)};
    bytes += stat.size_bytes;
    return true;
  }));
  MutexLock lock(mutex_);
  entries_ = std::move(entries);
  bytes_ = bytes;
  scanned_ = std::chrono::steady_clock::now();
  return {};
}

uint64_t ChunkIndex::bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

int64_t ChunkIndex::files() const {
  MutexLock lock(mutex_);
  return static_cast<int64_t>(entries_.size());
}

std::vector<ChunkFileEntry> ChunkIndex::oldest_first() const {
  std::vector<ChunkFileEntry> all;
  {
    MutexLock lock(mutex_);
    all.reserve(entries_.size());
    for (const auto& [path, entry] : entries_) all.push_back(entry);
  }
  std::sort(all.begin(), all.end(), [](const ChunkFileEntry& a, const ChunkFileEntry& b) {
    return a.last_use_ns != b.last_use_ns ? a.last_use_ns < b.last_use_ns : a.path < b.path;
  });
  return all;
}

void ChunkIndex::note_written(const std::string& path, uint64_t bytes) {
  MutexLock lock(mutex_);
  ChunkFileEntry& entry = entries_[path];
  bytes_ += bytes - entry.bytes;
  entry = {path, bytes, now_ns()};
}

void ChunkIndex::note_used(const std::string& path) {
  MutexLock lock(mutex_);
  const auto entry = entries_.find(path);
  if (entry != entries_.end()) entry->second.last_use_ns = now_ns();
}

void ChunkIndex::note_removed(const std::string& path) {
  MutexLock lock(mutex_);
  const auto entry = entries_.find(path);
  if (entry == entries_.end()) return;
  bytes_ -= entry->second.bytes;
  entries_.erase(entry);
}

}  // namespace mneme::storage
