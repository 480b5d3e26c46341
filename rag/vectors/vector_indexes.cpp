#include "rag/vectors/vector_indexes.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>

#include "base/hash.h"
#include "rag/embedding/embedder.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/atomic_write.h"
#include "storage/env/temporary_file.h"
#include "storage/home.h"

namespace mneme::rag {

namespace {

using storage::ChunkId;
using storage::CollectionRecord;

constexpr char kMagic[8] = {'M', 'N', 'E', 'M', 'E', 'H', 'N', 'S'};
constexpr uint32_t kVersion = 2;
constexpr uint32_t kFirstVersion = 1;  // had its checksum elsewhere
// Rises when a text was forgotten (Catalogue::note_overwritten()).
constexpr const char* kForgotten = "texts.overwritten";
constexpr uint64_t kFileLimit = uint64_t{16} << 30;
constexpr int kEmbedBatch = 256;
// A file that lacks so few of the rows, or so small a share, is as good as a whole one: whoever opens it reads them
// from the catalogue in a moment, and each edit of a watched file would write all of it anew.
constexpr size_t kFewRows = 256;
constexpr size_t kSmallShare = 100;  // one of so many
constexpr int kSlowBatch = 8;        // of an embedder that takes its time, so that stopping does not

struct Header {  // hnsw_format.md
  char magic[8];
  uint32_t version;
  uint32_t dim;
  int64_t revision;
  int64_t collection;
  uint64_t embedder;
};
static_assert(sizeof(Header) == 40);
constexpr uint64_t kChecksumBytes = 16;  // behind the body; of header and body: a flipped revision would hide passages

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

// Whether the file's last bytes are the checksum of all before them.
Result<bool> matches_checksum(const storage::ReadableFile& file) {
  constexpr uint64_t kPiece = 1U << 20U;
  const uint64_t end = file.size() - kChecksumBytes;
  Hasher128 hasher;
  std::vector<std::byte> piece;
  for (uint64_t at = 0; at < end; at += piece.size()) {
    piece.resize(std::min(kPiece, end - at));
    MNEME_RETURN_IF_ERROR(file.read_at(at, piece));
    hasher.add_raw(piece);
  }
  Hash128 checksum{};
  MNEME_RETURN_IF_ERROR(file.read_at(end, std::as_writable_bytes(std::span(&checksum, 1))));
  return checksum == hasher.finish();
}

}  // namespace

VectorIndexes::VectorIndexes(storage::Catalogue& catalogue, storage::FileEnv& env, std::string folder,
                             const Embedder& embedder, int n_threads)
    : catalogue_(catalogue), env_(env), folder_(std::move(folder)), embedder_(embedder), n_threads_(n_threads) {}

std::string VectorIndexes::file_of(const CollectionRecord& collection) const {
  return folder_ + "/" + safe_name(collection.name) + std::string(storage::kIndexEnding);
}

Result<VectorIndexes::Entry> VectorIndexes::load(const CollectionRecord& collection) {
  const std::string path = file_of(collection);
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<storage::ReadableFile> file, env_.open_readable(path));
  const auto damaged = [&] { return corruption(path + " is damaged; it will be rebuilt"); };
  Header header{};
  if (file->size() < sizeof header + kChecksumBytes || file->size() > kFileLimit) return damaged();
  MNEME_RETURN_IF_ERROR(file->read_at(0, std::as_writable_bytes(std::span(&header, 1))));
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return damaged();
  const bool is_ours = header.version == kVersion && header.dim == static_cast<uint32_t>(embedder_.dim()) &&
                       header.embedder == xxh3_64(as_bytes(embedder_.identity()));
  if (!is_ours) {
    // A flipped bit in the header would say so, too; that of the first version it takes two to make.
    MNEME_ASSIGN_OR_RETURN(const bool sound,
                           header.version == kFirstVersion ? Result<bool>(true) : matches_checksum(*file));
    return sound ? unsupported(path + " is stale: it holds the vectors of another embedder than " +
                               embedder_.identity() + ", or of another version of this program; it will be rebuilt")
                 : damaged();
  }
  if (header.collection != static_cast<int64_t>(collection.id) || header.revision > collection.revision) {
    return corruption(path + " belongs to another collection; it will be rebuilt");
  }
  Hasher128 hasher;
  hasher.add_raw(std::as_bytes(std::span(&header, 1)));
  uint64_t at = sizeof header;
  const VectorIndex::Source source = [&](MutableByteSpan out) -> Status {
    MNEME_RETURN_IF_ERROR(file->read_at(at, out));
    hasher.add_raw(out);
    at += out.size();
    return {};
  };
  const uint64_t body = file->size() - sizeof header - kChecksumBytes;
  Result<std::unique_ptr<VectorIndex>> index = VectorIndex::read(source, body, embedder_.dim());
  if (!index.ok()) return index.status().code() == StatusCode::kCorruption ? damaged() : index.status();
  Hash128 checksum{};
  MNEME_RETURN_IF_ERROR(file->read_at(at, std::as_writable_bytes(std::span(&checksum, 1))));
  if (checksum != hasher.finish()) return damaged();
  Entry entry;
  entry.index = *std::move(index);
  entry.revision = header.revision;
  entry.rows_in_file = entry.index->n_rows();
  MNEME_ASSIGN_OR_RETURN(entry.forgotten, catalogue_.counter(kForgotten));
  return entry;
}

Status VectorIndexes::rebuild(const CollectionRecord& collection, Entry& entry) {
  entry.index = std::make_shared<VectorIndex>(embedder_.dim());
  entry.revision = -1;
  entry.rows_in_file.reset();
  MNEME_ASSIGN_OR_RETURN(entry.forgotten, catalogue_.counter(kForgotten));
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
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.dim = static_cast<uint32_t>(embedder_.dim());
  header.revision = entry.revision;
  header.collection = static_cast<int64_t>(collection.id);
  header.embedder = xxh3_64(as_bytes(embedder_.identity()));
  // Settings are synced, and with them all that was written before: otherwise a power loss could take the rows back,
  // and other rows that come to the same revision later would meet this file's vectors.
  MNEME_RETURN_IF_ERROR(catalogue_.put_setting("index.saved." + std::to_string(static_cast<int64_t>(collection.id)),
                                               std::to_string(entry.revision)));
  return storage::write_in_pieces(env_, file_of(collection), [&](storage::WritableFile& file) -> Status {
    Hasher128 hasher;
    hasher.add_raw(std::as_bytes(std::span(&header, 1)));
    MNEME_RETURN_IF_ERROR(file.append(std::as_bytes(std::span(&header, 1))));
    MNEME_RETURN_IF_ERROR(entry.index->serialise([&](ByteSpan piece) {
      hasher.add_raw(piece);
      return file.append(piece);
    }));
    const Hash128 checksum = hasher.finish();
    return file.append(std::as_bytes(std::span(&checksum, 1)));
  });
}

namespace {

Result<int64_t> n_chunks_of(storage::Catalogue& catalogue, storage::CollectionId collection) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<storage::CollectionStats> stats, catalogue.stats());
  for (const storage::CollectionStats& s : stats) {
    if (s.collection.id == collection) return s.chunks;
  }
  return int64_t{0};
}

}  // namespace

// Whether the file lacks so many rows that it is to be written anew.
bool VectorIndexes::lacks_many(const Entry& entry) {
  const size_t n_rows = entry.index->n_rows();
  if (!entry.rows_in_file) return true;
  const size_t n_new = n_rows - std::min(n_rows, *entry.rows_in_file);
  return n_new > std::max(kFewRows, n_rows / kSmallShare);
}

Status VectorIndexes::save_if_due(const CollectionRecord& collection, const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<VectorIndex> index, get(collection));
  MNEME_ASSIGN_OR_RETURN(const int64_t forgotten, catalogue_.counter(kForgotten));
  {
    MutexLock lock(mutex_);
    const Entry& entry = entries_[static_cast<int64_t>(collection.id)];
    if (entry.index != index) return {};  // dropped meanwhile
    if (!index->wants_graph() && forgotten == entry.forgotten && !lacks_many(entry)) return {};
  }
  return save(collection, cancel);
}

Status VectorIndexes::save(const CollectionRecord& collection, const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(std::shared_ptr<VectorIndex> index, get(collection));
  // Counting takes a while in a large catalogue; nobody who searches waits for it.
  MNEME_ASSIGN_OR_RETURN(const int64_t live, n_chunks_of(catalogue_, collection.id));
  MNEME_ASSIGN_OR_RETURN(const int64_t forgotten, catalogue_.counter(kForgotten));
  {
    MutexLock lock(mutex_);
    Entry& entry = entries_[static_cast<int64_t>(collection.id)];
    if (entry.index != index) return {};  // dropped meanwhile
    // Rows whose chunks are gone are dropped by building anew once they are a fifth of all, and at once when a text was
    // forgotten since: its vector tells of it, and another program that forgot it erased the file but not what we hold.
    const int64_t rows = static_cast<int64_t>(index->n_rows());
    const bool outlived = rows - live > 64 && (rows - live) * 5 > rows;
    if (outlived || forgotten != entry.forgotten) MNEME_RETURN_IF_ERROR(rebuild(collection, entry));
    index = entry.index;
  }
  const bool builds = index->wants_graph();
  if (builds) MNEME_RETURN_IF_ERROR(index->build_graph(n_threads_, cancel));
  MutexLock lock(mutex_);
  Entry& entry = entries_[static_cast<int64_t>(collection.id)];
  if (entry.index != index) return {};
  const size_t n_rows = index->n_rows();
  if (!builds && !lacks_many(entry)) return {};
  MNEME_RETURN_IF_ERROR(write(collection, entry));
  entry.rows_in_file = n_rows;
  return {};
}

Status VectorIndexes::discard(const CollectionRecord& collection) {
  MutexLock lock(mutex_);
  entries_.erase(static_cast<int64_t>(collection.id));
  return storage::erase_atomically(env_, {file_of(collection)});
}

Status VectorIndexes::discard_all() {
  MutexLock lock(mutex_);
  entries_.clear();
  return erase_files_but({});
}

Status VectorIndexes::discard_orphans() {
  MNEME_ASSIGN_OR_RETURN(const std::vector<CollectionRecord> collections, catalogue_.list_collections());
  std::set<std::string> kept;
  for (const CollectionRecord& collection : collections) kept.insert(file_of(collection));
  return erase_files_but(kept);
}

Status VectorIndexes::erase_files_but(const std::set<std::string>& kept) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> names, env_.list(folder_));
  std::vector<std::string> unwanted;
  for (const std::string& name : names) {
    const std::string path = folder_ + "/" + name;
    const bool wanted = storage::is_temporary(name) ? !storage::is_left_by_the_dead(name)
                                                    : !name.ends_with(storage::kIndexEnding) || kept.contains(path);
    if (!wanted) unwanted.push_back(path);
  }
  return storage::erase_atomically(env_, unwanted);
}

// From the oldest on, never looking twice: of a million passages, to find where the last batch ended takes longer than
// to embed the next.
Result<int64_t> VectorIndexes::embed_missing(const CollectionRecord& collection, const CancelToken& cancel) {
  int64_t embedded = 0;
  const int batch = embedder_.is_quick() ? kEmbedBatch : kSlowBatch;
  ChunkId after{0};
  while (!cancel.cancelled()) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<ChunkId> ids,
                           catalogue_.chunks_without_embedding(collection.id, embedder_.identity(), batch, after));
    if (ids.empty()) break;
    after = ids.back();
    MNEME_ASSIGN_OR_RETURN(const std::vector<storage::ChunkRecord> chunks, catalogue_.chunks(ids));
    if (chunks.empty()) continue;  // they vanished meanwhile
    MNEME_RETURN_IF_ERROR(embed(chunks));
    embedded += static_cast<int64_t>(chunks.size());
  }
  if (embedded > 0) MNEME_RETURN_IF_ERROR(discard(collection));
  return embedded;
}

// As indexing does (embed_chunks()): what stands under no heading goes by its document's title.
Status VectorIndexes::embed(const std::vector<storage::ChunkRecord>& chunks) {
  std::vector<std::string> texts;
  std::vector<ChunkId> ids;
  std::map<storage::DocumentId, std::string> titles;
  for (const storage::ChunkRecord& chunk : chunks) {
    std::string& title = titles[chunk.document];
    if (chunk.heading_path.empty() && title.empty()) {
      const Result<storage::DocumentRecord> document = catalogue_.document(chunk.document);
      if (document.status().code() == StatusCode::kNotFound) continue;  // and its passages with it
      MNEME_RETURN_IF_ERROR(document.status());
      title = document->title;
    }
    texts.push_back(passage_to_embed(chunk.heading_path.empty() ? title : chunk.heading_path, chunk.text));
    ids.push_back(chunk.id);
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  storage::EmbeddingRows rows{embedder_.identity(), embedder_.dim(), {}};
  rows.values.resize(views.size() * static_cast<size_t>(embedder_.dim()));
  MNEME_RETURN_IF_ERROR(embedder_.embed(views, EmbedKind::kPassage, rows.values));
  return catalogue_.put_embeddings(ids, rows);
}

Result<bool> VectorIndexes::is_current(const CollectionRecord& collection) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<ChunkId> missing,
                         catalogue_.chunks_without_embedding(collection.id, embedder_.identity(), 1));
  return missing.empty();
}

Result<std::vector<VectorIndexCheck>> VectorIndexes::check(bool repair) {
  std::vector<VectorIndexCheck> checks;
  MNEME_ASSIGN_OR_RETURN(const std::vector<CollectionRecord> collections, catalogue_.list_collections());
  for (const CollectionRecord& collection : collections) {
    MNEME_ASSIGN_OR_RETURN(VectorIndexCheck check, check_one(collection, repair));
    checks.push_back(std::move(check));
  }
  return checks;
}

Result<VectorIndexCheck> VectorIndexes::check_one(const CollectionRecord& collection, bool repair) {
  VectorIndexCheck check{.collection = collection.name, .path = file_of(collection)};
  const Status loaded = load(collection).status();
  if (loaded.code() == StatusCode::kUnsupported) {
    check.stale = loaded.message();
  } else if (!loaded.ok() && loaded.code() != StatusCode::kNotFound) {
    check.problem = loaded.message();
  }
  MNEME_ASSIGN_OR_RETURN(const bool current, is_current(collection));
  if (!current) {
    check.stale = "some passages of the collection " + collection.name + " have no vector of the embedder " +
                  embedder_.identity() + " and are found by their words alone; the next search, or `mneme index" +
                  (collection.name == "default" ? "" : " --collection " + collection.name) + "`, makes them";
  }
  if (repair && !(check.problem.empty() && check.stale.empty())) {
    if (!current) MNEME_RETURN_IF_ERROR(embed_missing(collection).status());
    MNEME_RETURN_IF_ERROR(discard(collection));
    MNEME_ASSIGN_OR_RETURN(const CollectionRecord now, catalogue_.find_collection(collection.name));
    MNEME_RETURN_IF_ERROR(save(now));
    check.repaired = !check.problem.empty();
    check.stale.clear();
  }
  if (loaded.ok() || repair) {
    MNEME_ASSIGN_OR_RETURN(const CollectionRecord now, catalogue_.find_collection(collection.name));
    MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<VectorIndex> index, get(now));
    check.entries = static_cast<int64_t>(index->size());
  }
  return check;
}

}  // namespace mneme::rag
