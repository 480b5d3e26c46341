#include "storage/catalogue/vacuum_file.h"

#include <sqlite3.h>

#include <new>
#include <utility>

#include "base/guarded.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/env/sqlite_layer.h"
#include "storage/env/temporary_file.h"

namespace mneme::storage {
namespace {

class ErasedFile final : public ForwardingSqliteFile {
 public:
  ErasedFile(sqlite3_file* below, FileEnv& env, std::string path)
      : ForwardingSqliteFile(below), env_(env), path_(std::move(path)) {}

  const char* path() const { return path_.c_str(); }  // SQLite's own files keep the pointer until they are closed

  int close() override {
    const int code = ForwardingSqliteFile::close();
    const Status erased = guarded("overwriting a temporary file", [&] { return env_.erase(path_); });
    return code == SQLITE_OK && !erased.ok() ? SQLITE_IOERR_CLOSE : code;
  }

 private:
  FileEnv& env_;
  std::string path_;
};

class VacuumFileLayer final : public SqliteLayer {
 public:
  VacuumFileLayer(sqlite3_vfs* below, FileEnv& env, std::string catalogue)
      : SqliteLayer("mneme-vacuum", below), env_(env), catalogue_(std::move(catalogue)) {}

  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    if (name != nullptr || (flags & SQLITE_OPEN_TEMP_DB) == 0) return SqliteLayer::open(name, room, flags, out_flags);
    room->pMethods = nullptr;
    try {
      auto file = std::make_unique<ErasedFile>(room_below(room), env_, temporary_name(catalogue_));
      const char* const path = file->path();
      // Made here, so that nobody else may read it.
      const Status made = env_.create_if_missing(path);
      if (!made.ok()) return made.code() == StatusCode::kNoSpace ? SQLITE_FULL : SQLITE_CANTOPEN;
      flags &= ~(SQLITE_OPEN_DELETEONCLOSE | SQLITE_OPEN_EXCLUSIVE);
      return open_over(std::move(file), path, room, flags, out_flags);
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    }
  }

 private:
  FileEnv& env_;
  std::string catalogue_;
};

}  // namespace

Result<std::unique_ptr<SqliteLayer>> vacuum_file_layer(const char* under, FileEnv& env, const std::string& catalogue) {
  return offer_layer(under,
                     [&](sqlite3_vfs* below) { return std::make_unique<VacuumFileLayer>(below, env, catalogue); });
}

// All else that is temporary stays in memory.
Status vacuum(Database& database) {
  MNEME_RETURN_IF_ERROR(database.execute("PRAGMA temp_store=FILE"));
  Status rewritten = database.execute("VACUUM");
  Status restored = database.execute("PRAGMA temp_store=MEMORY");
  return rewritten.ok() ? std::move(restored) : std::move(rewritten);
}

}  // namespace mneme::storage
