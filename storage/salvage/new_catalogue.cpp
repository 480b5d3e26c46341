#include "storage/salvage/new_catalogue.h"

#include <utility>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/fts_extension.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/salvage/salvaged_state.h"

namespace mneme::storage {
namespace {

Status make_empty(const std::string& path, FileEnv& env) {
  return Catalogue::open({.path = path, .env = &env}).status();
}

// Without log or journal: where this ends early the file is thrown away. The commit brings it to the medium.
constexpr const char* kPragmas =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=FULL; PRAGMA foreign_keys=OFF; PRAGMA secure_delete=ON;"
    "PRAGMA temp_store=MEMORY; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-64000";

Result<SalvagedRows> fill(DamagedFile& file, const std::string& path, FileEnv& env, const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(const auto checksums, PageChecksums::over(env.sqlite_vfs()));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Database> database,
                         Database::open(path, {.create = false, .vfs = checksums->vfs()}));
  MNEME_RETURN_IF_ERROR(database->execute(kPragmas));
  MNEME_RETURN_IF_ERROR(register_fts_extension(*database));
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(*database, Transaction::Kind::kWrite));
  // What a new catalogue says of itself.
  MNEME_RETURN_IF_ERROR(database->execute("DELETE FROM counters"));
  MNEME_ASSIGN_OR_RETURN(SalvagedRows rows, copy_rows(file, *database, cancel));
  MNEME_RETURN_IF_ERROR(make_consistent(*database, rows));
  MNEME_RETURN_IF_ERROR(transaction.commit());
  MNEME_ASSIGN_OR_RETURN(const int64_t dangling,
                         database->query_integer("SELECT count(*) FROM pragma_foreign_key_check"));
  if (dangling == 0) return rows;
  return Status(StatusCode::kInternal, "rows of the repaired catalogue refer to others that are not there");
}

Status check(const std::string& path, FileEnv& env) {
  MNEME_ASSIGN_OR_RETURN(const auto catalogue, Catalogue::open({.path = path, .env = &env, .must_exist = true}));
  MNEME_ASSIGN_OR_RETURN(const CatalogueCheck check, catalogue->check(false));
  if (check.problems.empty()) return {};
  return Status(StatusCode::kInternal, "the repaired catalogue is not sound: " + check.problems.front().detail);
}

}  // namespace

Result<SalvagedRows> make_new_catalogue(DamagedFile& file, const std::string& path, FileEnv& env,
                                        const CancelToken& cancel) {
  MNEME_RETURN_IF_ERROR(make_empty(path, env));
  MNEME_ASSIGN_OR_RETURN(SalvagedRows rows, fill(file, path, env, cancel));
  MNEME_RETURN_IF_ERROR(check(path, env));
  return rows;
}

}  // namespace mneme::storage
