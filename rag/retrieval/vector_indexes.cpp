#include "rag/retrieval/vector_indexes.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/hash.h"
#include "rag/embedding/embedder.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::rag {

namespace {

using storage::ChunkId;
using storage::CollectionRecord;

constexpr char kMagic[8] = {'M', 'N', 'E', 'M', 'E', 'H', 'N', 'S'};
constexpr uint32_t kVersion = 2;
constexpr uint64_t kFileLimit = uint64_t{16} << 30;
constexpr int kEmbedBatch = 256;

struct Header {  // hnsw_format.md
  char magic[8];
  uint32_t version;
  uint32_t dim;
  int64_t revision;
  int64_t collection;
  uint64_t embedder;
  uint64_t checksum;
};
static_assert(sizeof(Header) == 48);

// Of the header, its checksum counted as zero, and the body: a flipped revision would hide passages.
uint64_t checksum_of(Header header, ByteSpan body) {
  header.checksum = 0;
  Hasher128 hasher;
  hasher.add_raw(std::as_bytes(std::span(&header, 1)));
  hasher.add_raw(body);
  return hasher.finish().low;
}

// Collection names may hold anything; file names may not.
std::string safe_name(const std::string& name) {
  std::string safe;
  for (const unsigned char c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (plain) {
      safe.push_back(static_cast<char>(c));
    } else {
      static constexpr char kHex[] = "0123456789abcdef";
      safe += {'%', kHex[c >> 4], kHex[c & 15]};
    }
  }
  return safe.size() > 120 ? safe.substr(0, 100) + "-" + xxh3_128(as_bytes(name)).hex() : safe;
}

}  // namespace

VectorIndexes::VectorIndexes(storage::Catalogue& catalogue, storage::FileEnv& env, std::string folder,
                             const Embedder& embedder, int n_threads)
    : catalogue_(catalogue), env_(env), folder_(std::move(folder)), embedder_(embedder), n_threads_(n_threads) {}

std::string VectorIndexes::file_of(const CollectionRecord& collection) const {
  return folder_ + "/" + safe_name(collection.name) + ".hnsw";
}

Result<VectorIndexes::Entry> VectorIndexes::load(const CollectionRecord& collection) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, read_whole(env_, file_of(collection), kFileLimit));
  ByteReader reader(bytes);
  const Header header = reader.read<Header>();
  const ByteSpan body = ByteSpan(bytes).subspan(std::min(bytes.size(), sizeof(Header)));
  const bool ours = reader.ok() && std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 &&
                    header.version == kVersion && header.dim == static_cast<uint32_t>(embedder_.dim()) &&
                    header.collection == static_cast<int64_t>(collection.id) &&
                    header.embedder == xxh3_64(as_bytes(embedder_.identity())) &&
                    header.revision <= collection.revision;
  if (!ours) return corruption(file_of(collection) + " belongs to another embedder, collection or version");
  if (header.checksum != checksum_of(header, body))
    return corruption(file_of(collection) + " is damaged; it will be rebuilt");
  Entry entry;
  MNEME_ASSIGN_OR_RETURN(entry.index, VectorIndex::parse(body, embedder_.dim()));
  entry.revision = header.revision;
  entry.saved = true;
  return entry;
}

Status VectorIndexes::rebuild(const CollectionRecord& collection, Entry& entry) {
  entry.index = std::make_shared<VectorIndex>(embedder_.dim());
  entry.revision = -1;
  return refresh(collection, entry);
}

// Adds what has been embedded since; ids only grow, so that is everything after the largest known.
Status VectorIndexes::refresh(const CollectionRecord& collection, Entry& entry) {
  if (entry.revision == collection.revision) return {};
  bool full = false;
  MNEME_RETURN_IF_ERROR(catalogue_.for_each_embedding(collection.id, embedder_.identity(),
                                                      ChunkId{entry.index->max_key()},
                                                      [&](ChunkId chunk, std::span<const float> vector) {
                                                        if (vector.size() == static_cast<size_t>(embedder_.dim())) {
                                                          full = !entry.index->add(static_cast<int64_t>(chunk), vector);
                                                        }
                                                        return !full;
                                                      }));
  if (full) return resource_error("the collection " + collection.name + " has more passages than an index can hold");
  entry.revision = collection.revision;
  entry.saved = false;
  return {};
}

Result<std::shared_ptr<VectorIndex>> VectorIndexes::get(const CollectionRecord& collection) {
  MutexLock lock(mutex_);
  Entry& entry = entries_[static_cast<int64_t>(collection.id)];
  if (entry.index == nullptr) {
    if (Result<Entry> loaded = load(collection); loaded.ok()) {
      entry = *std::move(loaded);
    } else {
      MNEME_RETURN_IF_ERROR(rebuild(collection, entry));
    }
  }
  MNEME_RETURN_IF_ERROR(refresh(collection, entry));
  return entry.index;
}

Status VectorIndexes::write(const CollectionRecord& collection, const Entry& entry) {
  const std::vector<std::byte> body = entry.index->serialise();
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.dim = static_cast<uint32_t>(embedder_.dim());
  header.revision = entry.revision;
  header.collection = static_cast<int64_t>(collection.id);
  header.embedder = xxh3_64(as_bytes(embedder_.identity()));
  header.checksum = checksum_of(header, body);
  std::vector<std::byte> file(sizeof header + body.size());
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, body.data(), body.size());
  return storage::write_atomically(env_, file_of(collection), file);
}

Status VectorIndexes::save(const CollectionRecord& collection, const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(std::shared_ptr<VectorIndex> index, get(collection));
  // Rows whose chunks are gone are dropped by building anew once they are a fifth of all.
  int64_t live = 0;
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> stats, catalogue_.stats());
  for (const storage::CollectionStats& s : stats) {
    if (s.collection.id == collection.id) live = s.chunks;
  }
  const int64_t rows = static_cast<int64_t>(index->n_rows());
  if (rows - live > 64 && (rows - live) * 5 > rows) {
    MutexLock lock(mutex_);
    MNEME_RETURN_IF_ERROR(rebuild(collection, entries_[static_cast<int64_t>(collection.id)]));
    index = entries_[static_cast<int64_t>(collection.id)].index;
  }
  const bool builds = index->wants_graph();
  if (builds) MNEME_RETURN_IF_ERROR(index->build_graph(n_threads_, cancel));
  MutexLock lock(mutex_);
  Entry& entry = entries_[static_cast<int64_t>(collection.id)];
  if (entry.saved && !builds) return {};
  MNEME_RETURN_IF_ERROR(write(collection, entry));
  entry.saved = true;
  return {};
}

Status VectorIndexes::discard(const CollectionRecord& collection) {
  MutexLock lock(mutex_);
  entries_.erase(static_cast<int64_t>(collection.id));
  const Status removed = env_.remove(file_of(collection));
  return removed.code() == StatusCode::kNotFound ? Status{} : removed;
}

Result<int64_t> VectorIndexes::embed_missing(const CollectionRecord& collection, const CancelToken& cancel) {
  int64_t embedded = 0;
  while (!cancel.cancelled()) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<ChunkId> ids,
                           catalogue_.chunks_without_embedding(collection.id, embedder_.identity(), kEmbedBatch));
    if (ids.empty()) break;
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> chunks, catalogue_.chunks(ids));
    std::vector<std::string> texts;
    std::vector<ChunkId> kept;
    for (const storage::ChunkRecord& chunk : chunks) {
      texts.push_back(passage_to_embed(chunk.heading_path, chunk.text));
      kept.push_back(chunk.id);
    }
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    storage::EmbeddingRows rows{embedder_.identity(), embedder_.dim(), {}};
    rows.values.resize(views.size() * static_cast<size_t>(embedder_.dim()));
    MNEME_RETURN_IF_ERROR(embedder_.embed(views, EmbedKind::kPassage, rows.values));
    MNEME_RETURN_IF_ERROR(catalogue_.put_embeddings(kept, rows));
    embedded += static_cast<int64_t>(kept.size());
    if (kept.empty()) break;  // they vanished meanwhile
  }
  if (embedded > 0) MNEME_RETURN_IF_ERROR(discard(collection));
  return embedded;
}

Result<std::vector<VectorIndexCheck>> VectorIndexes::check(bool repair) {
  std::vector<VectorIndexCheck> checks;
  MNEME_ASSIGN_OR_RETURN(const std::vector<CollectionRecord> collections, catalogue_.list_collections());
  for (const CollectionRecord& collection : collections) {
    VectorIndexCheck check{collection.name, file_of(collection), 0, {}, false};
    const Result<Entry> loaded = load(collection);
    if (!loaded.ok() && loaded.status().code() != StatusCode::kNotFound) check.problem = loaded.status().message();
    if (!check.problem.empty() && repair) {
      MNEME_RETURN_IF_ERROR(discard(collection));
      MNEME_RETURN_IF_ERROR(save(collection));
      check.repaired = true;
    }
    if (loaded.ok() || repair) {
      MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<VectorIndex> index, get(collection));
      check.entries = static_cast<int64_t>(index->size());
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace mneme::rag
