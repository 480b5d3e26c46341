// Nothing is left of what was removed, and space goes back to the file system.
//
// SQLite zeroes cells that it deletes and pages that it frees (secure_delete), and page_checksums.h what is left of
// cells that were moved, whenever a page goes to the file. So the file is clean once the log has been moved into it; it
// is read through all the same, as a program of before, or another SQLite, may have written to it.
#include <sqlite3.h>

#include <vector>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/unused_bytes.h"
#include "storage/catalogue/vacuum_file.h"

namespace mneme::storage {
namespace {

constexpr int64_t kHeaderBytes = 100;
constexpr int64_t kMostPages = 1 << 24;  // whose kinds are told from each other (unused_bytes.h)
constexpr int64_t kFreeShare = 4;        // one page in four is worth rewriting all others

// Grows with every forgetting.
constexpr const char* kCountDroppedCaches =
    "INSERT INTO counters(name, value) VALUES('texts.caches_dropped', 1) ON CONFLICT(name) DO UPDATE SET "
    "value=value+1";

// The log may still hold pages of before: move everything into the file and cut it. kBusy when another program reads
// from it.
Status truncate_log(Database& database) {
  MNEME_ASSIGN_OR_RETURN(const int64_t busy, database.query_integer("PRAGMA wal_checkpoint(TRUNCATE)"));
  if (busy == 0) return {};
  return Status(StatusCode::kBusy, database.path() +
                                       "-wal still holds the old pages because another mneme is reading; close it and "
                                       "run `mneme gc`");
}

// Memory still holds pages as they were before they went to the file; who changes one writes all of it to the log. Own
// pages are dropped, other programs drop theirs when they see a change. Gives other_programs_writes().
Result<int64_t> drop_cached_pages(Database& database) {
  MNEME_RETURN_IF_ERROR(database.execute("PRAGMA shrink_memory"));
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database, Transaction::Kind::kWrite));
  MNEME_RETURN_IF_ERROR(database.execute(kCountDroppedCaches));
  MNEME_ASSIGN_OR_RETURN(const int64_t writes, other_programs_writes(database));
  MNEME_RETURN_IF_ERROR(transaction.commit());
  return writes;
}

Result<bool> has_many_free_pages(Database& database) {
  MNEME_ASSIGN_OR_RETURN(const int64_t free, database.query_integer("PRAGMA freelist_count"));
  MNEME_ASSIGN_OR_RETURN(const int64_t all, database.query_integer("PRAGMA page_count"));
  return free * kFreeShare > all;
}

// Reads every page, past the page cache. A page that cannot be read counts: whoever rewrites the file will tell.
Result<bool> file_holds_leftovers(Database& database) {
  // While this connection reads, what others write stays in the log.
  MNEME_ASSIGN_OR_RETURN(const Transaction reading, Transaction::begin(database, Transaction::Kind::kRead));
  MNEME_ASSIGN_OR_RETURN(const int64_t page_size, database.query_integer("PRAGMA page_size"));
  MNEME_ASSIGN_OR_RETURN(const int64_t n_pages, database.query_integer("PRAGMA page_count"));
  if (n_pages >= kMostPages) return true;
  sqlite3_file* file = nullptr;
  const int code =
      sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  if (code != SQLITE_OK || file == nullptr) return database.error(code);
  std::vector<std::byte> page(static_cast<size_t>(page_size));
  const ByteSpan used = ByteSpan(page).first(page.size() - kPageChecksumBytes);
  for (int64_t i = 0; i < n_pages; ++i) {
    if (file->pMethods->xRead(file, page.data(), static_cast<int>(page_size), i * page_size) != SQLITE_OK) return true;
    if (holds_leftovers(used, i == 0 ? kHeaderBytes : 0)) return true;
  }
  return false;
}

}  // namespace

Status merge_lexical(Database& database) {
  return database.execute("INSERT INTO lexical(lexical) VALUES('optimize')");
}

Status rewrite_file(Database& database) {
  MNEME_RETURN_IF_ERROR(vacuum(database));
  return truncate_log(database);
}

Result<int64_t> other_programs_writes(Database& database) {
  return database.query_integer("PRAGMA data_version");
}

Status overwrite_removed(Database& database, int64_t since) {
  MNEME_RETURN_IF_ERROR(truncate_log(database));
  MNEME_ASSIGN_OR_RETURN(const int64_t writes, drop_cached_pages(database));
  MNEME_RETURN_IF_ERROR(truncate_log(database));
  // Who wrote before dropping its pages may have written some of them to the log anew.
  bool rewrite = writes != since;
  if (!rewrite) {
    MNEME_ASSIGN_OR_RETURN(rewrite, has_many_free_pages(database));
  }
  if (!rewrite) {
    MNEME_ASSIGN_OR_RETURN(rewrite, file_holds_leftovers(database));
  }
  return rewrite ? rewrite_file(database) : Status();
}

Status Catalogue::compact() {
  MNEME_RETURN_IF_ERROR(writable());
  MutexLock lock(state_->write_mutex);
  MNEME_RETURN_IF_ERROR(merge_lexical(*state_->writer));
  return rewrite_file(*state_->writer);
}

}  // namespace mneme::storage
