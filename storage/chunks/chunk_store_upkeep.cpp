// What goes over all files of a chunk store: keeping to the quota, listing, removing, checking.
#include "storage/chunks/chunk_store_state.h"
#include "storage/env/atomic_write.h"
#include "storage/env/temporary_file.h"

namespace mneme::storage {
namespace {

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Of a folder that cannot be listed, to who wants to erase.
Status may_hold_more(const Status& hidden) {
  if (hidden.ok()) return {};
  return {hidden.code(), hidden.message() + ", as KV caches in it may hold what is to be erased"};
}

}  // namespace

Status ChunkStore::State::erase_files(const std::vector<std::string>& paths) {
  Status status = erase_atomically(env, paths);
  for (const std::string& path : paths) index.note_removed(path);
  return status;
}

// They may hold what was forgotten since.
Status ChunkStore::erase_abandoned() {
  MNEME_RETURN_IF_ERROR(state_->may_remove());
  std::vector<std::string> abandoned;
  MNEME_RETURN_IF_ERROR(state_->index.walk_names([&](const std::string& path) {
    if (!is_temporary(path)) return true;
    const Result<FileStat> stat = state_->env.stat(path);
    if (stat.ok() && stat->kind == FileKind::kFile && is_abandoned(path, *stat)) abandoned.push_back(path);
    return true;
  }));
  return state_->erase_files(abandoned);
}

Status ChunkStore::erase_all() {
  MNEME_RETURN_IF_ERROR(state_->may_remove());
  std::vector<std::string> all;
  Status hidden;
  MNEME_RETURN_IF_ERROR(state_->index.walk(
      [&](const std::string& path, const FileStat&) {
        if (!chunk_key_of(std::string(lasting_name(base_name(path)))).empty()) all.push_back(path);
        return true;
      },
      &hidden));
  MNEME_RETURN_IF_ERROR(state_->erase_files(all));
  return may_hold_more(hidden);
}

Status ChunkStore::enforce_quota() {
  MNEME_RETURN_IF_ERROR(erase_abandoned());
  MutexLock lock(state_->eviction_mutex);
  return state_->evict_down_to(state_->quota_bytes);
}

Status ChunkStore::for_each(const std::function<bool(const ChunkFileInfo&, uint64_t)>& visit) {
  return state_->index.walk([&](const std::string& path, const FileStat&) {
    if (chunk_key_of(base_name(path)).empty()) return true;
    const Result<std::unique_ptr<ReadableFile>> file = open_chunk_file(state_->env, path);
    if (!file.ok()) return true;
    const Result<ChunkFileHeader> header = read_chunk_header(**file, path);
    return !header.ok() || visit(header->info, header->file_bytes);
  });
}

namespace {

// Damaged files are of no use to anybody. Those of another version are to their own program, and those that cannot be
// read perhaps to another user's, unless a text is to be forgotten: nobody can say here whether they hold it.
bool is_kept(FileEnv& env, const std::string& path, const std::function<bool(const ChunkFileInfo&)>& keep,
             bool forgetting) {
  const Result<std::unique_ptr<ReadableFile>> file = open_chunk_file(env, path);
  const Result<ChunkFileHeader> header = file.ok() ? read_chunk_header(**file, path) : file.status();
  if (header.ok()) return keep(header->info);
  const StatusCode why = header.status().code();
  const bool may_hold_it = why == StatusCode::kUnsupported || why == StatusCode::kIo;
  return why != StatusCode::kCorruption && !(may_hold_it && forgetting);
}

}  // namespace

Result<uint64_t> ChunkStore::remove_unless(const std::function<bool(const ChunkFileInfo&)>& keep, Removal how,
                                           const CancelToken& cancel) {
  MNEME_RETURN_IF_ERROR(state_->may_remove());
  const bool erase = how == Removal::kErase;
  uint64_t freed = 0;
  std::vector<std::string> unwanted;
  bool stopped = false;
  Status hidden;
  const auto look_at = [&](const std::string& path, const FileStat& stat) {
    stopped = cancel.cancelled();
    if (stopped) return false;
    const bool temporary = chunk_key_of(base_name(path)).empty();
    if (temporary ? erase && is_left_by_the_dead(path) : !is_kept(state_->env, path, keep, erase)) {
      unwanted.push_back(path);
      freed += temporary ? 0 : stat.size_bytes;
    }
    return true;
  };
  MNEME_RETURN_IF_ERROR(state_->index.walk(look_at, &hidden));
  if (stopped) return cancelled();
  if (erase) {
    MNEME_RETURN_IF_ERROR(state_->erase_files(unwanted));
    MNEME_RETURN_IF_ERROR(may_hold_more(hidden));
  } else {
    for (const std::string& path : unwanted) MNEME_RETURN_IF_ERROR(state_->remove_file(path));
  }
  return freed;
}

Status ChunkStore::erase_named(std::string_view key_digits, const std::function<bool(const ChunkFileInfo&)>& is_it) {
  MNEME_RETURN_IF_ERROR(state_->may_remove());
  const auto is_another = [&](const ChunkFileInfo& info) { return !is_it(info); };
  std::vector<std::string> unwanted;
  for (const std::string& root : state_->roots) {
    const std::string folder = root + "/" + std::string(key_digits.substr(0, 2));
    const Result<std::vector<std::string>> names = state_->env.list(folder);
    if (names.status().code() == StatusCode::kNotFound) continue;
    MNEME_RETURN_IF_ERROR(names.status());
    for (const std::string& name : *names) {
      if (!name.starts_with(key_digits) || chunk_key_of(std::string(lasting_name(name))).empty()) continue;
      const std::string path = folder + "/" + name;
      const bool goes = is_temporary(name) ? is_left_by_the_dead(path) : !is_kept(state_->env, path, is_another, true);
      if (goes) unwanted.push_back(path);
    }
  }
  return state_->erase_files(unwanted);
}

namespace {

// What is wrong with one file; ok when nothing is.
Status verify_file(FileEnv& env, const std::string& path) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, open_chunk_file(env, path));
  MNEME_ASSIGN_OR_RETURN(const ChunkFileHeader header, read_chunk_header(*file, path));
  if (header.info.key.hex() != chunk_key_of(base_name(path))) {
    return corruption(path + " holds another chunk than its name says");
  }
  std::vector<std::byte> payload;
  for (size_t layer = 0; layer < header.layers.size(); ++layer) {
    payload.resize(header.layers[layer].size_bytes);
    MNEME_RETURN_IF_ERROR(file->read_at(header.layers[layer].offset, payload));
    MNEME_RETURN_IF_ERROR(check_layer(header, static_cast<int>(layer), payload, path));
  }
  return {};
}

}  // namespace

Result<ChunkStoreCheck> ChunkStore::verify(bool repair, const CancelToken& cancel) {
  ChunkStoreCheck check;
  bool stopped = false;
  Status hidden;
  const auto look_at = [&](const std::string& path, const FileStat&) {
    stopped = cancel.cancelled();
    if (stopped) return false;
    if (chunk_key_of(base_name(path)).empty()) return true;
    ++check.files;
    const Status status = verify_file(state_->env, path);
    if (status.ok() || status.code() == StatusCode::kNotFound) return true;
    const bool removable = status.code() == StatusCode::kCorruption;
    const bool repaired = repair && removable && state_->remove_file(path).ok();
    check.problems.push_back({path, status.message(), repaired});
    return true;
  };
  MNEME_RETURN_IF_ERROR(state_->index.walk(look_at, &hidden));
  if (stopped) return cancelled();
  if (!hidden.ok()) check.problems.push_back({state_->roots.front(), hidden.message(), false});
  return check;
}

}  // namespace mneme::storage
