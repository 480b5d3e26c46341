#include "storage/salvage/catalogue_repair.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "storage/catalogue/files_put_aside.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/encryption/encrypted_header.h"
#include "storage/env/temporary_file.h"
#include "storage/salvage/damaged_file.h"
#include "storage/salvage/new_catalogue.h"
#include "storage/salvage/salvaged_rows.h"
#include "storage/salvage/salvaged_tables.h"

namespace mneme::storage {
namespace {

// Whole and sound; it counts where the catalogue itself is not there.
std::string repaired_copy(const Home& home) {
  return home.catalogue() + ".repaired";
}

// Other programs at work in the home, and repairs under way, hold this.
Result<std::unique_ptr<FileLock>> lock_home(FileEnv& env, const Home& home) {
  Result<std::unique_ptr<FileLock>> lock = env.try_lock(home.indexing_lock());
  if (lock.status().code() != StatusCode::kBusy) return lock;
  return Status(StatusCode::kBusy, "another program is at work in the home " + home.root +
                                       " (an index run, or a repair); try again when that has ended");
}

// An encrypted catalogue without its key is not damaged.
Status check_has_its_key(FileEnv& env, const Home& home) {
  if (env.encrypts(home.catalogue())) return {};
  const Result<std::unique_ptr<ReadableFile>> file = env.open_readable(home.catalogue());
  std::array<std::byte, 16> beginning{};
  const bool begins = file.ok() && (*file)->size() >= beginning.size() && (*file)->read_at(0, beginning).ok();
  if (!begins || !begins_encrypted(beginning)) return {};
  return unsupported("the home " + home.root + " is encrypted, but the file of its key, " + home.key() +
                     ", is missing; put it back from a copy");
}

Result<std::unique_ptr<DamagedFile>> open_damaged(FileEnv& env, const Home& home, int busy_timeout_ms) {
  MNEME_RETURN_IF_ERROR(env.check_writable(home.root));
  MNEME_RETURN_IF_ERROR(check_has_its_key(env, home));
  return DamagedFile::open(home.catalogue(), env, busy_timeout_ms);
}

Result<CatalogueDamage> describe(DamagedFile& file) {
  CatalogueDamage damage{.pages = int64_t{file.n_pages()} + file.n_missing_pages()};
  MNEME_ASSIGN_OR_RETURN(const std::vector<uint32_t> pages, file.damaged_pages());
  damage.damaged_pages = static_cast<int64_t>(pages.size()) + file.n_missing_pages();
  MNEME_ASSIGN_OR_RETURN(damage.parts, damaged_parts(file));
  return damage;
}

// The name for the next one.
Result<std::string> free_damaged_name(FileEnv& env, const Home& home) {
  const std::string first = home.catalogue() + std::string(kDamagedEnding);
  std::string name = first;
  for (int number = 2;; ++number) {
    MNEME_ASSIGN_OR_RETURN(const bool taken, is_there(env, name));
    if (!taken) return name;
    name = first + "-" + std::to_string(number);
  }
}

// Behind the moment that counts. A log that is left is the damaged one's, and would be taken for the new one's.
Status put_in_place(FileEnv& env, const Home& home, const std::string& kept_as) {
  const std::string log = home.catalogue() + "-wal";
  const Result<FileStat> stat = env.stat(log);
  if (stat.ok() && stat->size_bytes > 0) MNEME_RETURN_IF_ERROR(env.rename(log, kept_as + "-wal"));
  MNEME_RETURN_IF_ERROR(env.sync_directory(home.root));
  MNEME_RETURN_IF_ERROR(env.rename(repaired_copy(home), home.catalogue()));
  return env.sync_directory(home.root);
}

void remove_unfinished(FileEnv& env, const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) (void)env.erase(path + suffix);
}

// How many rows the damaged catalogue knew of that the new one does not have.
Result<int64_t> count_lost(const std::vector<int64_t>& known, Database& database, const char* find_sql) {
  MNEME_ASSIGN_OR_RETURN(Statement find, database.prepare(find_sql));
  int64_t lost = 0;
  for (const int64_t id : known) {
    MNEME_ASSIGN_OR_RETURN(const bool found, find.bind(id).step());
    find.reset();
    lost += found ? 0 : 1;
  }
  return lost;
}

Status count_what_is_kept(FileEnv& env, const std::string& path, const SalvagedRows& rows,
                          RepairedCatalogue& repaired) {
  MNEME_ASSIGN_OR_RETURN(const auto checksums, PageChecksums::over(env.sqlite_vfs()));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Database> database,
                         Database::open(path, {.create = false, .vfs = checksums->vfs()}));
  const std::pair<const char*, int64_t*> counts[] = {{"SELECT count(*) FROM collections", &repaired.collections},
                                                     {"SELECT count(*) FROM roots", &repaired.folders},
                                                     {"SELECT count(*) FROM documents", &repaired.documents},
                                                     {"SELECT count(*) FROM chats", &repaired.chats},
                                                     {"SELECT count(*) FROM messages", &repaired.messages}};
  for (const auto& [sql, count] : counts) {
    MNEME_ASSIGN_OR_RETURN(*count, database->query_integer(sql));
  }
  MNEME_ASSIGN_OR_RETURN(repaired.documents_to_read_again,
                         count_lost(rows.known_documents, *database, "SELECT 1 FROM documents WHERE id=?1"));
  MNEME_ASSIGN_OR_RETURN(const int64_t marked,
                         database->query_integer("SELECT count(*) FROM documents WHERE mtime_ns=-1 AND size_bytes=0"));
  repaired.documents_to_read_again += marked;
  MNEME_ASSIGN_OR_RETURN(repaired.lost_messages,
                         count_lost(rows.known_messages, *database, "SELECT 1 FROM messages WHERE id=?1"));
  return {};
}

// Whether it is told how many of its rows are lost.
bool is_counted(const SalvagedTable& table, const SalvagedRows& rows) {
  if (table.name == "messages") return rows.knows_all_messages;
  return table.part == "documents" && rows.knows_all_documents;
}

// Parts of which rows may be missing that nobody can count.
std::vector<std::string_view> incomplete_parts(const SalvagedRows& rows) {
  std::vector<std::string_view> parts;
  for (const SalvagedTable& table : salvaged_tables()) {
    const bool is_new = std::find(parts.begin(), parts.end(), table.part) == parts.end();
    if (is_new && rows.lost_some_of(table.name) && !is_counted(table, rows)) parts.push_back(table.part);
  }
  return parts;
}

// Makes the new one under the name by which it may count.
Status make_repaired_copy(FileEnv& env, const Home& home, DamagedFile& file, const CancelToken& cancel,
                          RepairedCatalogue& repaired) {
  const std::string temporary = temporary_name(home.catalogue());
  const auto make = [&]() -> Status {
    MNEME_ASSIGN_OR_RETURN(const SalvagedRows rows, make_new_catalogue(file, temporary, env, cancel));
    MNEME_RETURN_IF_ERROR(count_what_is_kept(env, temporary, rows, repaired));
    repaired.incomplete = incomplete_parts(rows);
    MNEME_RETURN_IF_ERROR(env.rename(temporary, repaired_copy(home)));
    return env.sync_directory(home.root);
  };
  const Status made = make();
  if (!made.ok()) remove_unfinished(env, temporary);
  return made;
}

}  // namespace

Result<CatalogueDamage> look_at_damage(FileEnv& env, const Home& home, int busy_timeout_ms) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock, lock_home(env, home));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<DamagedFile> file, open_damaged(env, home, busy_timeout_ms));
  return describe(*file);
}

Result<RepairedCatalogue> repair_catalogue(FileEnv& env, const Home& home, int busy_timeout_ms,
                                           const CancelToken& cancel) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock, lock_home(env, home));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<DamagedFile> file, open_damaged(env, home, busy_timeout_ms));
  RepairedCatalogue repaired;
  MNEME_ASSIGN_OR_RETURN(repaired.damage, describe(*file));
  repaired.log_was_lost = !file->has_its_log();
  MNEME_RETURN_IF_ERROR(make_repaired_copy(env, home, *file, cancel, repaired));
  MNEME_ASSIGN_OR_RETURN(repaired.kept_as, free_damaged_name(env, home));
  MNEME_RETURN_IF_ERROR(env.rename(home.catalogue(), repaired.kept_as));
  MNEME_RETURN_IF_ERROR(put_in_place(env, home, repaired.kept_as));
  return repaired;
}

Status settle_repair(FileEnv& env, const Home& home) {
  MNEME_ASSIGN_OR_RETURN(const bool made, is_there(env, repaired_copy(home)));
  if (!made) return {};
  const Result<std::unique_ptr<FileLock>> lock = lock_home(env, home);
  MNEME_ASSIGN_OR_RETURN(const bool in_place, is_there(env, home.catalogue()));
  if (in_place) {
    // It does not count, and may be what somebody is about to put in place, or did since.
    if (lock.ok()) remove_unfinished(env, repaired_copy(home));
    return {};
  }
  MNEME_RETURN_IF_ERROR(lock.status());
  MNEME_ASSIGN_OR_RETURN(const bool still_made, is_there(env, repaired_copy(home)));
  if (!still_made) return {};  // another has ended it meanwhile
  MNEME_ASSIGN_OR_RETURN(const std::string kept_as, free_damaged_name(env, home));
  return put_in_place(env, home, kept_as);
}

}  // namespace mneme::storage
