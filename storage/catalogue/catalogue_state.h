// Inside of Catalogue: its connections and how the parts of the catalogue use them. Not for other folders.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/lexical_cache.h"
#include "storage/catalogue/message_texts.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/patient_ones.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {

// What a power loss may take: derived rows can be made again, what the user said cannot.
enum class Durability { kDerived, kUserData };

// Connections for reading.
struct ReaderPool {
  Mutex mutex;
  std::vector<std::unique_ptr<Database>> idle MNEME_GUARDED_BY(mutex);
  int lent MNEME_GUARDED_BY(mutex) = 0;

  // Without memory for the list the connection is closed instead.
  void keep(std::unique_ptr<Database> database) noexcept MNEME_REQUIRES(mutex) {
    try {
      idle.push_back(std::move(database));
    } catch (const std::bad_alloc&) {
      database.reset();
    }
  }
};

struct Catalogue::State {
  CatalogueOptions options;
  // How the file is opened, and why nothing can be written (ok: it can). Set when the catalogue is opened, and once
  // more by try_to_write(), which holds every mutex below while nothing is lent: who has one of them, or a lease, may
  // read them.
  Status writable;
  std::unique_ptr<SqliteLayer> read_only;    // under the checksums, where nothing can be written
  std::unique_ptr<PageChecksums> checksums;  // outlives what is below
  std::unique_ptr<SqliteLayer> vacuum_file;  // over the checksums, where something can be written
  const char* vfs = nullptr;

  // Taken in this order.
  Mutex write_mutex;
  std::unique_ptr<Database> writer MNEME_GUARDED_BY(write_mutex);  // null where nothing can be written
  // Reads nothing but data_version(), which counts what was committed through other connections than its own.
  Mutex watcher_mutex;
  std::unique_ptr<Database> watcher MNEME_GUARDED_BY(watcher_mutex);
  int64_t watchers_before MNEME_GUARDED_BY(watcher_mutex) = 0;
  ReaderPool readers;

  LexicalCache lexical_cache;
  MessageTexts message_texts;
  PatientOnes patient;

  FileEnv& env() const { return options.env != nullptr ? *options.env : FileEnv::posix(); }
  Result<std::unique_ptr<Database>> connect(bool create);
  Status open_for_writing() MNEME_REQUIRES(write_mutex);
  Status open_for_reading(Status reason);
  // `writable`; where a full disk alone stood in the way, after another look at whether there is room again.
  Status try_to_write() MNEME_EXCLUDES(write_mutex, watcher_mutex, readers.mutex);
};

// A connection for reading, given back at the end. Reads inside one lease see one state of the catalogue only within a
// transaction.
class ReadLease {
 public:
  template <typename State>
  static Result<ReadLease> take(State& state) {
    ReadLease lease(state.readers);
    if (lease.database_ == nullptr) {
      MNEME_ASSIGN_OR_RETURN(lease.database_, state.connect(false));
    }
    return lease;
  }
  ReadLease(ReadLease&& other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)), database_(std::move(other.database_)) {}
  ReadLease& operator=(ReadLease&&) = delete;
  ~ReadLease() {
    if (pool_ == nullptr) return;
    MutexLock lock(pool_->mutex);
    --pool_->lent;
    if (database_ != nullptr) pool_->keep(std::move(database_));
  }
  Database& operator*() { return *database_; }
  Database* operator->() { return database_.get(); }

 private:
  // With a connection that is idle, or none yet.
  explicit ReadLease(ReaderPool& pool) : pool_(&pool) {
    MutexLock lock(pool.mutex);
    ++pool.lent;
    if (pool.idle.empty()) return;
    database_ = std::move(pool.idle.back());
    pool.idle.pop_back();
  }
  ReaderPool* pool_;  // null: moved from
  std::unique_ptr<Database> database_;
};

// Runs body(Database&) -> Status in one write transaction.
template <typename State, typename Body>
Status write_transaction(State& state, Durability durability, Body body) {
  MNEME_RETURN_IF_ERROR(state.try_to_write());
  MutexLock lock(state.write_mutex);
  Database& database = *state.writer;
  MNEME_RETURN_IF_ERROR(
      database.execute(durability == Durability::kUserData ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"));
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, state.patient.begin_writing(database, state.options.busy_timeout_ms));
  MNEME_RETURN_IF_ERROR(database.still_there());
  MNEME_RETURN_IF_ERROR(body(database));
  return transaction.commit();
}

Status bump_revision(Database& database, CollectionId collection);
std::string without_trailing_slashes(std::string_view path);
// Documents, chunks, texts, embeddings and lexical rows of one document; the transaction is the caller's.
Status remove_document_rows(Database& database, DocumentId document);
Status remove_chunk_rows(Database& database, DocumentId document);
Status drop_failure(Database& database, CollectionId collection, std::string_view path);
Status remove_lexical_rows(Database& database, DocumentId document);
// The document's passages under other names than they were indexed with; nothing where they are the same.
Status rename_in_index(Database& database, DocumentId document, std::string_view names);
Result<std::optional<CollectionId>> collection_of(Database& database, DocumentId document);  // unset: it is gone
// Rewrites the lexical index without the terms of what was removed; the transaction is the caller's.
Status merge_lexical(Database& database);
// Rewrites the database without free pages and cuts its log. Outside of transactions. kBusy when another program reads.
Status rewrite_file(Database& database);
// Overwrites what a transaction that removed texts has left in pages and log; rewrites the database only where that
// does not suffice. Outside of transactions. since: other_programs_writes() within that transaction. kBusy as above.
Status overwrite_removed(Database& database, int64_t since);
// Another number whenever another connection has committed since this one asked last.
Result<int64_t> other_programs_writes(Database& database);
Hash128 hash_from_blob(ByteSpan blob);
std::array<std::byte, 16> hash_to_blob(const Hash128& hash);

// "path is P or below it"; bind ?1 = P, ?2 = P + "/", ?3 = P + "0" ('0' follows '/'). P empty: everything.
struct PathRange {
  std::string exact;
  std::string low;
  std::string high;
  std::string members;  // P + "!/", what an archive's members begin with; empty: they do not count
};
PathRange path_range(std::string_view prefix);
PathRange path_range_with(std::string_view prefix, Catalogue::Members members);
// `select` of documents in a range, by path; bind ?1 = collection, ?2 to ?4 = exact, low, high. Two SELECTs, each of
// which finds its rows by the index: one with OR and an order walks the whole collection, which for every file of a run
// is their square.
std::string in_path_range(const std::string& select);
// The same of what fails in containers; bind ?1 = collection, ?2 and ?3 = low and high of the path and "!".
std::string in_members_range(const std::string& select);
// SQL, true where `column` (any expression that gives a path) is the path of a range bound as ?1, ?2, ?3, ?4, lies
// below it, or is a member of it (an archive's "a.zip!/b.txt").
std::string is_below(std::string_view column);
// SQL on messages, true where one of a list of its details ("$.citations", "$.sources") fulfils a condition on the
// entry (`value`). Only where details_json is valid JSON.
std::string tells_of(std::string_view list, std::string_view condition);

// Catalogue::times_forgotten() as this connection sees it.
Result<int64_t> times_forgotten_in(Database& database);
// Takes the jobs out that carry a text which no chunk has; the transaction is the caller's.
Status remove_jobs_without_text(Database& database);
// Notes in the caller's transaction that text was removed which has not been overwritten yet (Catalogue::trace_of()).
Status count_removed_text(Database& database);

}  // namespace mneme::storage
