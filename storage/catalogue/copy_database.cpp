#include "storage/catalogue/copy_database.h"

#include <sqlite3.h>

#include <memory>

namespace mneme::storage {

// SQLite would make a file that others may read: it finds an empty one of ours.
Status copy_database(Database& source, const std::string& path, const char* vfs, FileEnv& env) {
  MNEME_RETURN_IF_ERROR(env.create_if_missing(path));
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Database> target, Database::open(path, {.vfs = vfs}));
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
