#include "storage/catalogue/copy_database.h"

#include <sqlite3.h>

#include <memory>

#include "storage/catalogue/page_checksums.h"

namespace mneme::storage {

namespace {

// A copy that is larger than the page cache gets its first page last, which says that pages have checksums: the target
// says so from the beginning then, or what is written before would have none.
Status begin_as(Database& source, Database& target) {
  int reserved = -1;  // asks
  sqlite3_file_control(source.handle(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  if (reserved != kPageChecksumBytes) return {};
  MNEME_ASSIGN_OR_RETURN(const int64_t page_size, source.query_integer("PRAGMA page_size"));
  MNEME_RETURN_IF_ERROR(target.execute(("PRAGMA page_size=" + std::to_string(page_size)).c_str()));
  MNEME_RETURN_IF_ERROR(reserve_page_checksums(target));
  return target.execute("PRAGMA application_id=1");
}

}  // namespace

// SQLite would make a file that others may read: it finds an empty one of ours.
Status copy_database(Database& source, const std::string& path, const char* vfs, FileEnv& env) {
  MNEME_RETURN_IF_ERROR(env.create_if_missing(path));
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Database> target, Database::open(path, {.vfs = vfs}));
  MNEME_RETURN_IF_ERROR(begin_as(source, *target));
  sqlite3_backup* backup = sqlite3_backup_init(target->handle(), "main", source.handle(), "main");
  if (backup == nullptr) return target->error(sqlite3_errcode(target->handle()));
  int code = SQLITE_OK;
  do {
    code = sqlite3_backup_step(backup, -1);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) sqlite3_sleep(20);
  } while (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED);
  code = sqlite3_backup_finish(backup);
  return code == SQLITE_OK ? Status() : target->error(code);
}

}  // namespace mneme::storage
