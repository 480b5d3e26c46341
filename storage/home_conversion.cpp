#include "storage/home_conversion.h"

#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/copy_database.h"
#include "storage/catalogue/log_eraser.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/chunks/chunk_store.h"
#include "storage/encryption/encrypted_env.h"
#include "storage/env/atomic_write.h"
#include "storage/env/temporary_file.h"
#include "storage/home_files.h"
#include "storage/salvage/catalogue_repair.h"

namespace mneme::storage {
namespace {

// The copy that counts once the home is encrypted, the one that does once it is not, and what a copy replaces.
std::string copy_of(const Home& home, bool encrypted) {
  return home.catalogue() + (encrypted ? ".encrypted" : ".decrypted");
}
std::string replaced(const Home& home) {
  return home.catalogue() + ".replaced";
}

Status but_absent(const Status& status) {
  return status.code() == StatusCode::kNotFound ? Status() : status;
}

Status converted_meanwhile(const Home& home) {
  return Status(StatusCode::kBusy,
                "the home " + home.root + " was encrypted or decrypted at this very moment; try again");
}

Status check_is_still(FileEnv& env, const Home& home, bool encrypted) {
  MNEME_ASSIGN_OR_RETURN(const bool now, is_encrypted(env, home));
  return now == encrypted ? Status() : converted_meanwhile(home);
}

// The two sides of a conversion.
struct Sides {
  FileEnv& from;
  FileEnv& to;
  bool encrypts;
};

// A connection to the catalogue that keeps everybody else out until it closes.
struct ExclusiveCatalogue {
  std::unique_ptr<Status> log_erased = std::make_unique<Status>();
  std::unique_ptr<SqliteLayer> eraser;
  std::unique_ptr<PageChecksums> checksums;
  std::unique_ptr<Database> database;
};

Result<ExclusiveCatalogue> open_alone(const Home& home, FileEnv& env, int busy_timeout_ms) {
  // Also brings an older schema up to date, and refuses a newer one.
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Catalogue> catalogue,
                         Catalogue::open({.path = home.catalogue(), .env = &env, .busy_timeout_ms = busy_timeout_ms}));
  MNEME_RETURN_IF_ERROR(catalogue->writable());
  ExclusiveCatalogue alone;
  MNEME_ASSIGN_OR_RETURN(alone.eraser, log_erasing_layer(env.sqlite_vfs(), env, *alone.log_erased));
  MNEME_ASSIGN_OR_RETURN(alone.checksums, PageChecksums::over(alone.eraser->name()));
  MNEME_ASSIGN_OR_RETURN(alone.database, Database::open(home.catalogue(), {.create = false,
                                                                           .vfs = alone.checksums->vfs(),
                                                                           .busy_timeout_ms = busy_timeout_ms}));
  // Or the other connection, the last one then, would take the log away as it closes. A file is opened when it is read.
  MNEME_RETURN_IF_ERROR(alone.database->query_integer("PRAGMA user_version").status());
  catalogue.reset();
  // Leaving the log behind needs the only connection there is; the first transaction takes the lock for good.
  const Status taken =
      alone.database->execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE; COMMIT");
  if (!taken.ok() && taken.code() != StatusCode::kBusy) return taken;
  if (taken.ok()) {
    MNEME_ASSIGN_OR_RETURN(Statement mode, alone.database->prepare("PRAGMA journal_mode"));
    MNEME_ASSIGN_OR_RETURN(const bool row, mode.step());
    MNEME_RETURN_IF_ERROR(*alone.log_erased);
    MNEME_ASSIGN_OR_RETURN(const bool has_log, is_there(env, home.catalogue() + "-wal"));
    if (row && mode.text(0) == "delete" && !has_log) return alone;
  }
  return Status(StatusCode::kBusy, "another program has the home " + home.root +
                                       " open (the window, or an index run that watches); end it first");
}

// What is renamed and erased then is the link, and what it leads to would stay as it is.
Status refuse_links(FileEnv& env, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const Result<FileStat> stat = env.stat(path);
    if (!stat.ok() || stat->kind != FileKind::kSymlink) continue;
    std::error_code ignored;
    return usage_error(path + " is a link to " + std::filesystem::read_symlink(path, ignored).string() +
                       ", which would stay as it is; put the file itself in the link's place");
  }
  return {};
}

Status copy_catalogue(const Home& home, ExclusiveCatalogue& catalogue, const Sides& sides) {
  const std::string copy = copy_of(home, sides.encrypts);
  MNEME_RETURN_IF_ERROR(but_absent(sides.to.remove(copy)));
  MNEME_ASSIGN_OR_RETURN(const auto checksums, PageChecksums::over(sides.to.sqlite_vfs()));
  MNEME_RETURN_IF_ERROR(copy_database(*catalogue.database, copy, checksums->vfs(), sides.to));
  // The other one is overwritten once this one counts.
  MNEME_RETURN_IF_ERROR(check_copy(*catalogue.database, copy, checksums->vfs()));
  return sides.to.sync_directory(home.root);
}

// Files that the program itself has named, or begun to write or to take away: others that lie there are somebody
// else's. Nobody is at work in the home, so whoever gave one a temporary name is dead.
Status add_files(FileEnv& env, const std::string& folder, const std::function<bool(std::string_view name)>& is_ours,
                 std::vector<std::string>& files) {
  const Result<std::vector<std::string>> names = env.list(folder);
  if (!names.ok()) return but_absent(names.status());
  for (const std::string& name : *names) {
    if (is_ours(name)) files.push_back(folder + "/" + name);
  }
  return {};
}

bool is_index(std::string_view name) {
  return lasting_name(name).ends_with(kIndexEnding);
}

// What a repair put aside is worth no more than a backup, and as readable.
bool is_backup_or_leftover(std::string_view name) {
  if (is_temporary(name)) return has_temporary_names(lasting_name(name));
  return name.starts_with("catalog.db.v") || is_damaged_catalogue(name) || name == kWindowMemoryName;
}

// Caches, and what is not worth copying: backups of older schemas, damaged catalogues, the window's size with a
// question half typed, and what killed programs left under temporary names.
Status erase_caches(const ConvertedHome& converted, FileEnv& env) {
  ChunkStoreOptions kv{.roots = converted.kv_roots, .env = &env};
  kv.roots.push_back(converted.home.kv_folder());
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<ChunkStore> store, ChunkStore::open(kv));
  std::vector<std::string> files;
  MNEME_RETURN_IF_ERROR(add_files(env, converted.home.index_folder(), is_index, files));
  MNEME_RETURN_IF_ERROR(add_files(env, converted.home.root, is_backup_or_leftover, files));
  MNEME_RETURN_IF_ERROR(refuse_links(env, files));
  MNEME_RETURN_IF_ERROR(store->erase_all());
  return erase_atomically(env, files);
}

// Behind the moment that counts, or for a conversion that never came so far: puts the copy where the file is that it
// replaces, and erases the rest. Cut off anywhere, doing it again ends it.
Status finish(FileEnv& env, const Home& home, bool encrypted) {
  const std::string copy = copy_of(home, encrypted);
  MNEME_ASSIGN_OR_RETURN(const bool counts, is_there(env, copy));
  if (counts) {
    MNEME_RETURN_IF_ERROR(but_absent(env.rename(home.catalogue(), replaced(home))));
    MNEME_RETURN_IF_ERROR(env.rename(copy, home.catalogue()));
    MNEME_RETURN_IF_ERROR(env.sync_directory(home.root));
  } else {
    // A copy that counted when it was made is all there is.
    MNEME_ASSIGN_OR_RETURN(const bool in_place, is_there(env, home.catalogue()));
    if (!in_place) {
      return corruption("the home " + home.root + " was cut off while it was encrypted or decrypted, and " +
                        home.key() + " is not as it was then; put that file back, or remove it, and open the home");
    }
  }
  const std::string other = copy_of(home, !encrypted);
  for (const std::string& left : {replaced(home), other, other + "-journal"}) {
    MNEME_RETURN_IF_ERROR(but_absent(env.erase(left)));
  }
  return {};
}

// Everything before the moment that counts, which is `commit`, and what follows it.
Status convert(const ConvertedHome& converted, const Sides& sides, const std::function<Status()>& commit) {
  const Home& home = converted.home;
  FileEnv& disk = *converted.env;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock, disk.try_lock(home.indexing_lock()));
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> key_lock, disk.try_lock(home.key_lock()));
  MNEME_RETURN_IF_ERROR(check_is_still(disk, home, !sides.encrypts));
  MNEME_RETURN_IF_ERROR(refuse_links(disk, {home.catalogue()}));
  MNEME_ASSIGN_OR_RETURN(ExclusiveCatalogue catalogue, open_alone(home, sides.from, converted.busy_timeout_ms));
  MNEME_RETURN_IF_ERROR(erase_caches(converted, sides.from));
  MNEME_RETURN_IF_ERROR(copy_catalogue(home, catalogue, sides));
  MNEME_RETURN_IF_ERROR(commit());
  return finish(disk, home, sides.encrypts);
}

}  // namespace

Status encrypt_home(const ConvertedHome& converted, ByteSpan passphrase, const PassphraseCost& cost) {
  FileEnv& disk = *converted.env;
  MNEME_ASSIGN_OR_RETURN(const Home home, open_home(disk, converted.home.root));
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<const Secret> key, new_home_key());
  MNEME_ASSIGN_OR_RETURN(const auto encrypted, EncryptedEnv::make(disk, key, {home.root}));
  return convert(converted, {.from = disk, .to = *encrypted, .encrypts = true},
                 [&] { return write_home_key(disk, home.key(), *key, passphrase, cost); });
}

Status decrypt_home(const ConvertedHome& converted, std::shared_ptr<const Secret> home_key) {
  FileEnv& disk = *converted.env;
  MNEME_ASSIGN_OR_RETURN(const bool is_so, is_encrypted(disk, converted.home));
  if (!is_so) return usage_error("the home " + converted.home.root + " is not encrypted");
  std::vector<std::string> folders = converted.kv_roots;
  folders.push_back(converted.home.root);
  MNEME_ASSIGN_OR_RETURN(const auto encrypted, EncryptedEnv::make(disk, std::move(home_key), std::move(folders)));
  MNEME_ASSIGN_OR_RETURN(const Home home, open_home(*encrypted, converted.home.root));
  return convert(converted, {.from = *encrypted, .to = disk, .encrypts = false}, [&]() -> Status {
    MNEME_RETURN_IF_ERROR(disk.remove(home.key()));
    return disk.sync_directory(home.root);
  });
}

Status change_passphrase(FileEnv& env, const Home& home, const Secret& home_key, ByteSpan passphrase) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock, env.try_lock(home.key_lock()));
  MNEME_RETURN_IF_ERROR(check_is_still(env, home, true));
  return write_home_key(env, home.key(), home_key, passphrase);
}

Status settle_conversion(FileEnv& env, const Home& home, bool encrypted) {
  MNEME_ASSIGN_OR_RETURN(const bool counts, is_there(env, copy_of(home, encrypted)));
  MNEME_ASSIGN_OR_RETURN(const bool other, is_there(env, copy_of(home, !encrypted)));
  MNEME_ASSIGN_OR_RETURN(const bool old, is_there(env, replaced(home)));
  if (!counts && !other && !old) return check_is_still(env, home, encrypted);
  // What counts is in its place, and what is left over cannot be taken away.
  if (!counts && !env.check_writable(home.root).ok()) return {};
  // Whoever converts the home at this moment holds it, and ends the work.
  const Result<std::unique_ptr<FileLock>> lock = env.try_lock(home.indexing_lock());
  if (lock.status().code() == StatusCode::kBusy) {
    if (!counts) return {};
    return Status(StatusCode::kBusy,
                  "the home " + home.root + " is being encrypted or decrypted; try again when that has ended");
  }
  MNEME_RETURN_IF_ERROR(lock.status());
  // A conversion that was cut off between the caller's look and the lock has left other copies that count.
  MNEME_RETURN_IF_ERROR(check_is_still(env, home, encrypted));
  return finish(env, home, encrypted);
}

}  // namespace mneme::storage
