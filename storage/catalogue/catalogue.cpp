#include "storage/catalogue/catalogue.h"

#include <sqlite3.h>

#include <array>

#include "base/utf8.h"
#include "base/wall_clock.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/migrations.h"

namespace mneme::storage {
namespace {

constexpr int64_t kVersionsOfOneWatcher = int64_t{1} << 40;

}  // namespace

Catalogue::Catalogue(std::unique_ptr<State> state) : state_(std::move(state)) {}
Catalogue::~Catalogue() = default;

int Catalogue::schema_version() {
  return kSchemaVersion;
}

Status Catalogue::writable() {
  return state_->try_to_write();
}

Result<int64_t> Catalogue::data_version() {
  MutexLock lock(state_->watcher_mutex);
  if (!state_->watcher) {
    MNEME_ASSIGN_OR_RETURN(state_->watcher, state_->connect(false));
  }
  MNEME_ASSIGN_OR_RETURN(const int64_t version, state_->watcher->query_integer("PRAGMA data_version"));
  return state_->watchers_before * kVersionsOfOneWatcher + version;  // each connection counts from the beginning
}

void Catalogue::release_pages() {
  MutexLock lock(state_->readers.mutex);
  for (const std::unique_ptr<Database>& reader : state_->readers.idle) sqlite3_db_release_memory(reader->handle());
}

// ---- Shared helpers

Status bump_revision(Database& database, CollectionId collection) {
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database.prepare("UPDATE collections SET revision=revision+1 WHERE id=?1"));
  return statement.bind(collection).run();
}

std::string without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

PathRange path_range(std::string_view prefix) {
  PathRange range;
  range.exact = without_trailing_slashes(prefix);
  if (range.exact.empty()) {
    range.high.assign(1, '\xff');  // no path begins with this byte and sorts above: paths are absolute
    return range;
  }
  range.low = range.exact;
  if (!range.low.ends_with('/')) range.low.push_back('/');
  range.high = range.low;
  range.high.back() = '0';
  return range;
}

PathRange path_range_with(std::string_view prefix, Catalogue::Members members) {
  PathRange range = path_range(prefix);
  if (members == Catalogue::Members::kIncluded && !range.exact.empty()) range.members = range.exact + "!/";
  return range;
}

Hash128 hash_from_blob(ByteSpan blob) {
  Hash128 hash;
  ByteReader reader(blob);
  hash.high = reader.read<uint64_t>();
  hash.low = reader.read<uint64_t>();
  return hash;
}

std::array<std::byte, 16> hash_to_blob(const Hash128& hash) {
  std::array<std::byte, 16> blob;
  std::memcpy(blob.data(), &hash.high, 8);
  std::memcpy(blob.data() + 8, &hash.low, 8);
  return blob;
}

// ---- Collections

namespace {

Status check_collection_name(std::string_view name) {
  if (name.empty() || name.size() > 200) return usage_error("a collection name has 1 to 200 bytes");
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '/') {
      return usage_error("a collection name holds no '/' and no control characters");
    }
  }
  if (!utf8::valid(name)) {
    return usage_error("a collection name is UTF-8, so that JSON can hold it; give it another name");
  }
  return {};
}

}  // namespace

Result<CollectionId> Catalogue::ensure_collection(std::string_view name) {
  {
    // Also one whose name no collection would get any more.
    const Result<CollectionRecord> existing = find_collection(name);
    if (existing.ok()) return existing->id;
    if (existing.status().code() != StatusCode::kNotFound) return existing.status();
  }
  MNEME_RETURN_IF_ERROR(check_collection_name(name));
  Status status = write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement,
                           database.prepare("INSERT OR IGNORE INTO collections(name, created_ms) VALUES(?1, ?2)"));
    return statement.bind(name, now_ms()).run();
  });
  MNEME_RETURN_IF_ERROR(status);
  MNEME_ASSIGN_OR_RETURN(const CollectionRecord record, find_collection(name));
  return record.id;
}

namespace {
CollectionRecord read_collection(const Statement& row) {
  return {row.id<CollectionId>(0), row.string(1), row.integer(2), row.integer(3)};
}
}  // namespace

Result<CollectionRecord> Catalogue::find_collection(std::string_view name) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database->prepare("SELECT id, name, revision, created_ms FROM collections WHERE name=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, statement.bind(name).step());
  if (!found) {
    return not_found("there is no collection '" + std::string(name) + "'; `mneme collection list` shows them");
  }
  return read_collection(statement);
}

Result<std::vector<CollectionRecord>> Catalogue::list_collections() {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database->prepare("SELECT id, name, revision, created_ms FROM collections ORDER BY name"));
  std::vector<CollectionRecord> records;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return records;
    records.push_back(read_collection(statement));
  }
}

Status Catalogue::delete_collection(CollectionId collection) {
  return write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    std::vector<DocumentId> documents;
    {
      // The newest first: the oldest of those that share a text holds it for all (shared_texts.h), and going first
      // would hand it on to each of the others in turn.
      MNEME_ASSIGN_OR_RETURN(Statement list,
                             database.prepare("SELECT id FROM documents WHERE collection=?1 ORDER BY id DESC"));
      list.bind(collection);
      while (true) {
        MNEME_ASSIGN_OR_RETURN(const bool row, list.step());
        if (!row) break;
        documents.push_back(list.id<DocumentId>(0));
      }
    }
    for (const DocumentId document : documents) MNEME_RETURN_IF_ERROR(remove_document_rows(database, document));
    MNEME_ASSIGN_OR_RETURN(Statement remove, database.prepare("DELETE FROM collections WHERE id=?1"));
    MNEME_RETURN_IF_ERROR(remove.bind(collection).run());
    return database.changes() > 0 ? Status() : not_found("the collection is gone");
  });
}

Status Catalogue::add_root(CollectionId collection, std::string_view path) {
  return write_transaction(*state_, Durability::kUserData, [&](Database& database) -> Status {
    MNEME_ASSIGN_OR_RETURN(Statement statement,
                           database.prepare("INSERT OR IGNORE INTO roots(collection, path) VALUES(?1, ?2)"));
    return statement.bind(collection, without_trailing_slashes(path)).run();
  });
}

Result<std::vector<std::string>> Catalogue::roots(CollectionId collection) {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(Statement statement,
                         database->prepare("SELECT path FROM roots WHERE collection=?1 ORDER BY path"));
  statement.bind(collection);
  std::vector<std::string> paths;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return paths;
    paths.push_back(statement.string(0));
  }
}

}  // namespace mneme::storage
