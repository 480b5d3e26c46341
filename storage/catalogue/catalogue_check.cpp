// The catalogue as a whole: statistics, checking.
#include <algorithm>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/files_put_aside.h"
#include "storage/catalogue/page_checksums.h"

namespace mneme::storage {
namespace {

Result<std::vector<std::string>> all_text(Database& database, const char* sql) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare(sql));
  std::vector<std::string> rows;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return rows;
    rows.push_back(statement.string(0));
  }
}

// Checks that must give no row; what repairs them (null: nothing can).
struct ReferenceCheck {
  const char* kind;
  const char* query;  // path or id of each offender
  const char* detail;
  const char* repair;
};
constexpr ReferenceCheck kReferenceChecks[] = {
    {"document", "SELECT path FROM documents WHERE collection NOT IN (SELECT id FROM collections)",
     "belongs to no collection", "DELETE FROM documents WHERE collection NOT IN (SELECT id FROM collections)"},
    {"chunk", "SELECT 'chunk '||id FROM chunks WHERE document NOT IN (SELECT id FROM documents)",
     "belongs to no document", "DELETE FROM chunks WHERE document NOT IN (SELECT id FROM documents)"},
    {"chunk", "SELECT 'chunk '||id FROM chunks WHERE coalesce(same_as, id) NOT IN (SELECT chunk FROM chunk_texts)",
     "has no text",
     // The document is read again by the next index run, since its stat no longer matches.
     "UPDATE documents SET mtime_ns=-1, size_bytes=0 WHERE id IN (SELECT document FROM chunks WHERE "
     "coalesce(same_as, id) NOT IN (SELECT chunk FROM chunk_texts))"},
    {"document", "SELECT path FROM documents WHERE n_chunks<>(SELECT count(*) FROM chunks WHERE document=documents.id)",
     "says another number of chunks than it has",
     "UPDATE documents SET mtime_ns=-1, size_bytes=0, n_chunks=(SELECT count(*) FROM chunks WHERE "
     "document=documents.id) WHERE n_chunks<>(SELECT count(*) FROM chunks WHERE document=documents.id)"},
    {"embedding",
     "SELECT 'chunk '||chunk FROM embeddings JOIN embedders ON embedders.id=embedder "
     "WHERE length(vector)<>2*dimensions",
     "has a vector of the wrong size",
     "DELETE FROM embeddings WHERE length(vector)<>2*(SELECT dimensions FROM embedders WHERE id=embedder)"},
    {"embedding", "SELECT 'chunk '||chunk FROM embeddings WHERE chunk NOT IN (SELECT id FROM chunks)",
     "is a vector without a chunk", "DELETE FROM embeddings WHERE chunk NOT IN (SELECT id FROM chunks)"},
};

Status check_references(Database& database, bool repair, CatalogueCheck& check) {
  for (const ReferenceCheck& one : kReferenceChecks) {
    MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> offenders, all_text(database, one.query));
    if (offenders.empty()) continue;
    if (repair) MNEME_RETURN_IF_ERROR(database.execute(one.repair));
    for (const std::string& offender : offenders) check.problems.push_back({one.kind, offender, one.detail, repair});
  }
  return {};
}

// Texts against the hashes they were stored with: finds damage that SQLite's own check cannot see.
Status check_texts(Database& database, bool repair, CatalogueCheck& check) {
  std::vector<std::pair<int64_t, std::string>> damaged;
  {
    MNEME_ASSIGN_OR_RETURN(
        Statement statement,
        database.prepare("SELECT chunks.id, text, text_hash, path FROM chunks JOIN chunk_texts ON "
                         "chunk=coalesce(same_as, chunks.id) JOIN documents ON documents.id=document"));
    while (true) {
      MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
      if (!row) break;
      if (xxh3_128(as_bytes(statement.text(1))) == hash_from_blob(statement.blob(2))) continue;
      damaged.emplace_back(statement.integer(0), statement.string(3));
    }
  }
  for (const auto& [chunk, path] : damaged) {
    if (repair) {
      MNEME_ASSIGN_OR_RETURN(Statement stale,
                             database.prepare("UPDATE documents SET mtime_ns=-1, size_bytes=0, "
                                              "content_hash=zeroblob(16) WHERE id=(SELECT document FROM chunks WHERE "
                                              "id=?1)"));
      MNEME_RETURN_IF_ERROR(stale.bind(chunk).run());
    }
    check.problems.push_back(
        {"chunk", path,
         "the text of chunk " + std::to_string(chunk) + " does not match its checksum; index the file again", repair});
  }
  return {};
}

Status check_lexical(Database& database, bool repair, CatalogueCheck& check) {
  Status status = database.execute("INSERT INTO lexical(lexical, rank) VALUES('integrity-check', 1)");
  if (status.ok()) return {};
  if (status.code() != StatusCode::kCorruption) return status;
  // The revision: what was remembered of the index as it was is stale, in every process.
  if (repair) {
    MNEME_RETURN_IF_ERROR(database.execute("INSERT INTO lexical(lexical) VALUES('rebuild')"));
    MNEME_RETURN_IF_ERROR(database.execute("UPDATE collections SET revision=revision+1"));
  }
  check.problems.push_back({"lexical", database.path(), "the lexical index does not match the texts", repair});
  return {};
}

}  // namespace

Result<std::vector<CollectionStats>> Catalogue::stats() {
  MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
  MNEME_ASSIGN_OR_RETURN(
      Statement statement,
      database->prepare("SELECT id, name, revision, created_ms, (SELECT count(*) FROM failures WHERE "
                        "collection=collections.id), sums.* FROM collections LEFT JOIN (SELECT collection, count(*), "
                        "sum(n_chunks), sum(n_tokens), sum(text_bytes) FROM documents GROUP BY collection) AS sums ON "
                        "sums.collection=collections.id ORDER BY name"));
  std::vector<CollectionStats> all;
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
    if (!row) return all;
    CollectionStats stats;
    stats.collection = {statement.id<CollectionId>(0), statement.string(1), statement.integer(2), statement.integer(3)};
    stats.failures = statement.integer(4);
    stats.documents = statement.integer(6);
    stats.chunks = statement.integer(7);
    stats.tokens = statement.integer(8);
    stats.text_bytes = static_cast<uint64_t>(statement.integer(9));
    all.push_back(std::move(stats));
  }
}

Result<uint64_t> Catalogue::file_bytes() {
  FileEnv& env = state_->env();
  uint64_t total = 0;
  for (const char* suffix : {"", "-wal"}) {
    const Result<FileStat> stat = env.stat(state_->options.path + suffix);
    if (stat.ok()) total += stat->size_bytes;
  }
  return total;
}

Result<uint64_t> Catalogue::discard_old_backups() {
  // On a full disk they are what makes room.
  if (const Status can_write = writable(); can_write.code() != StatusCode::kNoSpace) MNEME_RETURN_IF_ERROR(can_write);
  // Of a compaction that was killed it may be as much as the catalogue.
  MNEME_RETURN_IF_ERROR(erase_left_by_the_dead(state_->env(), state_->options.path));
  return erase_old_backups(state_->env(), state_->options.path, std::chrono::days(kBackupDays));
}

Result<std::vector<std::string>> Catalogue::damaged_ones() {
  return damaged_ones_of(state_->env(), state_->options.path);
}

namespace {

// Reads every page and row, in one transaction: for writing, unless the lexical index is left out.
Status check_database(Database& database, bool repair, CatalogueCheck& check) {
  MNEME_ASSIGN_OR_RETURN(const std::vector<std::string> damage, all_text(database, "PRAGMA integrity_check(100)"));
  for (const std::string& line : damage) {
    if (line != "ok") check.problems.push_back({"database", database.path(), line, false});
  }
  const auto kind = check.lexical_compared ? Transaction::Kind::kWrite : Transaction::Kind::kRead;
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database, kind));
  MNEME_RETURN_IF_ERROR(check_references(database, repair, check));
  MNEME_RETURN_IF_ERROR(check_texts(database, repair, check));
  if (check.lexical_compared) MNEME_RETURN_IF_ERROR(check_lexical(database, repair, check));
  MNEME_ASSIGN_OR_RETURN(check.documents, database.query_integer("SELECT count(*) FROM documents"));
  MNEME_ASSIGN_OR_RETURN(check.chunks, database.query_integer("SELECT count(*) FROM chunks"));
  MNEME_ASSIGN_OR_RETURN(check.embeddings,
                         database.query_integer("SELECT count(*) FROM chunks WHERE EXISTS(SELECT 1 FROM "
                                                "embeddings WHERE chunk IN (chunks.id, same_as))"));
  return transaction.commit();
}

// To be called when every page was read. Pages that another program moved out of the log are as sound as SQLite and the
// texts' own hashes, checked before, can tell; writing all of them anew changes nothing else and seals them again.
void check_seals(Database& database, PageChecksums& checksums, CatalogueCheck& check) {
  if (!checksums.met_unsealed()) return;
  const bool sound = std::all_of(check.problems.begin(), check.problems.end(),
                                 [](const CatalogueProblem& problem) { return problem.repaired; });
  const bool sealed = sound && rewrite_file(database).ok();
  if (sealed) checksums.forget_unsealed();
  check.problems.push_back({"database", database.path(),
                            sealed ? "another program had moved pages into it without checksums; they have some again"
                                   : "another program has moved pages into it without checksums; close other programs "
                                     "and run `mneme verify --repair`",
                            sealed});
}

}  // namespace

Result<CatalogueCheck> Catalogue::check(bool repair) {
  CatalogueCheck check;
  if (const Status can_write = writable(); !can_write.ok()) {
    if (repair) return can_write;
    check.lexical_compared = false;
    MNEME_ASSIGN_OR_RETURN(ReadLease database, ReadLease::take(*state_));
    const LeavingEnds ends(*database, state_->patient);
    MNEME_RETURN_IF_ERROR(check_database(*database, repair, check));
    return check;
  }
  MutexLock lock(state_->write_mutex);
  Database& database = *state_->writer;
  {
    const LeavingEnds ends(database, state_->patient);
    MNEME_RETURN_IF_ERROR(check_database(database, repair, check));
  }
  check_seals(database, *state_->checksums, check);
  return check;
}

}  // namespace mneme::storage
