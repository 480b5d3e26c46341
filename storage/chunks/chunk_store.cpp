#include "storage/chunks/chunk_store.h"

#include <algorithm>

#include "storage/chunks/chunk_store_state.h"
#include "storage/env/atomic_write.h"

namespace mneme::storage {
namespace {

using std::chrono::seconds;

constexpr uint64_t kDefaultQuotaBytes = 20ull * 1000 * 1000 * 1000;
// How old the picture of the folders may be: for showing, and for deciding what to evict.
constexpr seconds kMeterAge{30};
constexpr seconds kEvictionAge{10};
// Evict a little more than needed, so that not every put has to.
constexpr double kHeadroom = 0.01;

std::string path_in(const std::string& root, const Hash128& key) {
  const std::string hex = key.hex();
  return root + "/" + hex.substr(0, 2) + "/" + hex + ".kv";
}

// What the file itself is to blame for.
bool is_unusable(const Status& status) {
  return status.code() == StatusCode::kCorruption || status.code() == StatusCode::kUnsupported;
}

}  // namespace

// Least recently used first, never what this process is reading. Another process may be reading what goes: it has the
// file open and reads on.
Status ChunkStore::State::evict_down_to(uint64_t target_bytes) {
  MNEME_RETURN_IF_ERROR(index.refresh(kEvictionAge));
  if (index.bytes() <= target_bytes) return {};
  for (const ChunkFileEntry& entry : index.oldest_first()) {
    if (index.bytes() <= target_bytes) break;
    if (pins->pinned(entry.path)) continue;
    MNEME_RETURN_IF_ERROR(remove_file(entry.path));
    ++evictions;
  }
  return {};
}

Status ChunkStore::State::make_room(uint64_t needed_bytes) {
  const uint64_t quota = quota_bytes;
  if (needed_bytes > quota) {
    return Status(StatusCode::kNoSpace, "one chunk's KV takes " + std::to_string(needed_bytes) +
                                            " bytes, more than the whole quota of " + std::to_string(quota) +
                                            "; raise the quota to keep caches");
  }
  MNEME_RETURN_IF_ERROR(index.refresh(kMeterAge));
  if (index.bytes() + needed_bytes <= quota) return {};
  MutexLock lock(eviction_mutex);
  // One process evicts at a time; whoever comes second writes on and leaves it to the first.
  const Result<std::unique_ptr<FileLock>> held = env.try_lock(roots.front() + "/evict.lock");
  if (!held.ok()) return held.status().code() == StatusCode::kBusy ? Status() : held.status();
  const auto headroom = static_cast<uint64_t>(kHeadroom * static_cast<double>(quota));
  const uint64_t room = quota - needed_bytes;
  MNEME_RETURN_IF_ERROR(evict_down_to(room > headroom ? room - headroom : room));
  if (index.bytes() + needed_bytes <= quota) return {};
  return Status(StatusCode::kNoSpace, "the KV quota is full of caches that are being read");
}

Result<std::string> ChunkStore::State::root_for(uint64_t file_bytes, size_t first_root) {
  for (size_t i = 0; i < roots.size(); ++i) {
    const std::string& root = roots[(first_root + i) % roots.size()];
    const Result<uint64_t> free = env.free_bytes(root);
    // A disk that cannot say how full it is gets its chance; writing will tell.
    if (!free.ok() || *free > 2 * file_bytes) return root;
  }
  return Status(StatusCode::kNoSpace, "no KV folder has room on its disk; free some space or lower the quota");
}

// No sync of the folder: a name lost with the power is a miss, not a damage.
Status ChunkStore::State::write_file(const std::string& path, ByteSpan header, std::span<const ByteSpan> layers) {
  return write_then_rename(env, path, [&](WritableFile& file) -> Status {
    MNEME_RETURN_IF_ERROR(file.append(header));
    for (const ByteSpan& layer : layers) MNEME_RETURN_IF_ERROR(file.append(layer));
    return {};
  });
}

Result<uint64_t> default_quota_bytes(FileEnv& env, const std::string& root) {
  MNEME_ASSIGN_OR_RETURN(const uint64_t free, env.free_bytes(root));
  return std::min(kDefaultQuotaBytes, free / 10);
}

ChunkStore::ChunkStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChunkStore::~ChunkStore() = default;

Result<std::unique_ptr<ChunkStore>> ChunkStore::open(const ChunkStoreOptions& options) {
  if (options.roots.empty()) return usage_error("the KV store needs a folder");
  FileEnv& env = options.env != nullptr ? *options.env : FileEnv::posix();
  for (const std::string& root : options.roots) {
    if (options.writable().ok()) MNEME_RETURN_IF_ERROR(env.make_directories(root));
  }
  return std::unique_ptr<ChunkStore>(new ChunkStore(std::make_unique<State>(env, options)));
}

Status ChunkStore::put(const ChunkFileInfo& info, std::span<const ByteSpan> layers, size_t first_root) {
  MNEME_RETURN_IF_ERROR(state_->writable());
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> header, encode_chunk_header(info, layers));
  uint64_t file_bytes = header.size();
  for (const ByteSpan& layer : layers) file_bytes += layer.size();
  MNEME_RETURN_IF_ERROR(state_->make_room(file_bytes));
  MNEME_ASSIGN_OR_RETURN(const std::string root, state_->root_for(file_bytes, first_root));
  const std::string path = path_in(root, info.key);
  MNEME_RETURN_IF_ERROR(state_->env.make_directories(path.substr(0, path.rfind('/'))));
  MNEME_RETURN_IF_ERROR(state_->write_file(path, header, layers));
  state_->index.note_written(path, file_bytes);
  return {};
}

Result<std::shared_ptr<StoredChunk>> ChunkStore::State::open_chunk(const Hash128& key,
                                                                   std::span<const int32_t> token_ids) {
  for (size_t i = 0; i < roots.size(); ++i) {
    const std::string path = path_in(roots[i], key);
    Result<std::unique_ptr<ReadableFile>> file = open_chunk_file(env, path);
    if (file.status().code() == StatusCode::kNotFound) continue;
    if (!file.ok() && !is_unusable(file.status())) return file.status();
    Result<ChunkFileHeader> header = file.ok() ? read_chunk_header(**file, path) : file.status();
    if (!header.ok()) {
      // Of another version: its program may still want it. Damaged: nobody does.
      if (header.status().code() == StatusCode::kCorruption) (void)remove_file(path);
      return not_found(header.status().message());
    }
    const std::vector<int32_t>& stored_ids = header->info.token_ids;
    if (header->info.key != key ||
        !std::equal(stored_ids.begin(), stored_ids.end(), token_ids.begin(), token_ids.end())) {
      (void)remove_file(path);
      return not_found(path + " holds another chunk than its name says; it was removed");
    }
    std::shared_ptr<StoredChunk> chunk(new StoredChunk());
    chunk->header_ = std::move(header).value();
    chunk->path_ = path;
    chunk->file_ = std::move(file).value();
    chunk->throughput_ = root_throughput[i];
    pins->add(path);
    chunk->unpin_ = [pinned = pins, path] { pinned->drop(path); };
    (void)env.touch(path);  // it may have been evicted meanwhile; we have it open
    index.note_used(path);
    return chunk;
  }
  return not_found("no KV is stored for this chunk");
}

Result<std::shared_ptr<const StoredChunk>> ChunkStore::find(const Hash128& key, std::span<const int32_t> token_ids) {
  Result<std::shared_ptr<StoredChunk>> chunk = state_->open_chunk(key, token_ids);
  ++(chunk.ok() ? state_->hits : state_->misses);
  if (!chunk.ok()) return chunk.status();
  return std::shared_ptr<const StoredChunk>(std::move(chunk).value());
}

bool ChunkStore::contains(const Hash128& key) {
  return std::any_of(state_->roots.begin(), state_->roots.end(),
                     [&](const std::string& root) { return state_->env.stat(path_in(root, key)).ok(); });
}

void ChunkStore::discard(const StoredChunk& chunk) {
  (void)state_->remove_file(chunk.path());
}

Status ChunkStore::remove(const Hash128& key) {
  for (const std::string& root : state_->roots) MNEME_RETURN_IF_ERROR(state_->remove_file(path_in(root, key)));
  return {};
}

Status ChunkStore::erase(const Hash128& key) {
  std::vector<std::string> paths;
  for (const std::string& root : state_->roots) {
    if (std::string path = path_in(root, key); state_->env.stat(path).ok()) paths.push_back(std::move(path));
  }
  return state_->erase_files(paths);
}

Result<ChunkStoreMeter> ChunkStore::meter() {
  MNEME_RETURN_IF_ERROR(state_->index.refresh(kMeterAge));
  return ChunkStoreMeter{state_->index.bytes(), state_->quota_bytes, state_->index.files()};
}

ChunkStoreCounters ChunkStore::take_counters() {
  return {state_->hits.exchange(0), state_->misses.exchange(0), state_->evictions.exchange(0)};
}

void ChunkStore::set_quota(uint64_t quota_bytes) {
  state_->quota_bytes = quota_bytes;
}

ThroughputMeter& ChunkStore::throughput() {
  return state_->throughput;
}

ThroughputMeter& ChunkStore::throughput(size_t root) {
  return *state_->root_throughput.at(root);
}

const std::vector<std::string>& ChunkStore::roots() const {
  return state_->roots;
}

// ---- StoredChunk

StoredChunk::~StoredChunk() {
  if (unpin_) unpin_();
}

Status StoredChunk::read_layer(int layer, std::vector<std::byte>& out) const {
  if (layer < 0 || layer >= n_layers()) return usage_error("the chunk has no layer " + std::to_string(layer));
  const LayerSegment& segment = header_.layers[static_cast<size_t>(layer)];
  out.resize(segment.size_bytes);
  MNEME_RETURN_IF_ERROR(file_->read_at(segment.offset, out));
  return check_layer(header_, layer, out, path_);
}

}  // namespace mneme::storage
