#include "storage/home_conversion.h"

#include <functional>
#include <string_view>
#include <utility>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/copy_database.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/chunks/chunk_store.h"
#include "storage/encryption/encrypted_env.h"
#include "storage/env/atomic_write.h"
#include "storage/env/temporary_file.h"

namespace mneme::storage {
namespace {

// Behind the names of copies that count once the home is encrypted, or no more; and of what they replace.
constexpr std::string_view kEncryptedCopy = ".encrypted";
constexpr std::string_view kDecryptedCopy = ".decrypted";
constexpr std::string_view kReplaced = ".replaced";

constexpr uint64_t kLargestSmallFile = uint64_t{64} << 20;

std::vector<std::string> folders_with_copies(const Home& home) {
  return {home.root, home.models_folder()};
}

std::string path_of(const std::string& folder, const std::string& name) {
  return folder + "/" + name;
}

Status but_absent(const Status& status) {
  return status.code() == StatusCode::kNotFound ? Status() : status;
}

// For each file of a folder; folders in it, links and what is not there are passed over.
Status for_each_file(FileEnv& env, const std::string& folder, const std::function<Status(const std::string&)>& visit) {
  const Result<std::vector<std::string>> names = env.list(folder);
  if (!names.ok()) return but_absent(names.status());
  for (const std::string& name : *names) {
    MNEME_ASSIGN_OR_RETURN(const FileStat stat, env.stat(path_of(folder, name)));
    if (stat.kind == FileKind::kFile) MNEME_RETURN_IF_ERROR(visit(name));
  }
  return {};
}

// The two sides of a conversion.
struct Sides {
  FileEnv& from;
  FileEnv& to;
  std::string_view copy;  // what is put behind the names of copies
};

// A connection to the catalogue that keeps everybody else out until it closes.
struct ExclusiveCatalogue {
  std::unique_ptr<PageChecksums> checksums;
  std::unique_ptr<Database> database;
};

Result<ExclusiveCatalogue> open_alone(const Home& home, FileEnv& env, int busy_timeout_ms) {
  // Also brings an older schema up to date, and refuses a newer one.
  MNEME_RETURN_IF_ERROR(
      Catalogue::open({.path = home.catalogue(), .env = &env, .busy_timeout_ms = busy_timeout_ms}).status());
  ExclusiveCatalogue alone;
  MNEME_ASSIGN_OR_RETURN(alone.checksums, PageChecksums::over(env.sqlite_vfs()));
  MNEME_ASSIGN_OR_RETURN(alone.database, Database::open(home.catalogue(), {.create = false,
                                                                           .vfs = alone.checksums->vfs(),
                                                                           .busy_timeout_ms = busy_timeout_ms}));
  // Leaving the log behind needs the only connection there is; the first transaction takes the lock for good.
  const Status taken =
      alone.database->execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE; COMMIT");
  if (taken.ok()) {
    MNEME_ASSIGN_OR_RETURN(Statement mode, alone.database->prepare("PRAGMA journal_mode"));
    MNEME_ASSIGN_OR_RETURN(const bool row, mode.step());
    if (row && mode.text(0) == "delete") return alone;
  } else if (taken.code() != StatusCode::kBusy) {
    return taken;
  }
  return Status(StatusCode::kBusy, "another program has the home " + home.root +
                                       " open (the window, or an index run that watches); end it first");
}

bool is_small_file(const std::string& name, const Sides& sides, const std::string& folder) {
  const bool of_catalogue = name.starts_with("catalog.db");
  const bool of_conversion = name.ends_with(kEncryptedCopy) || name.ends_with(kDecryptedCopy);
  const FileEnv& encrypting = sides.copy == kEncryptedCopy ? sides.to : sides.from;
  return !of_catalogue && !of_conversion && !is_temporary(name) && encrypting.encrypts(path_of(folder, name));
}

Status copy_small_files(const Home& home, const Sides& sides) {
  for (const std::string& folder : folders_with_copies(home)) {
    MNEME_RETURN_IF_ERROR(for_each_file(sides.from, folder, [&](const std::string& name) -> Status {
      if (!is_small_file(name, sides, folder)) return {};
      const std::string path = path_of(folder, name);
      MNEME_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, read_whole(sides.from, path, kLargestSmallFile));
      return write_atomically(sides.to, path + std::string(sides.copy), bytes);
    }));
  }
  return {};
}

Status copy_catalogue(const Home& home, ExclusiveCatalogue& catalogue, const Sides& sides) {
  const std::string copy = home.catalogue() + std::string(sides.copy);
  MNEME_RETURN_IF_ERROR(but_absent(sides.to.remove(copy)));
  MNEME_ASSIGN_OR_RETURN(const auto checksums, PageChecksums::over(sides.to.sqlite_vfs()));
  MNEME_RETURN_IF_ERROR(copy_database(*catalogue.database, copy, checksums->vfs(), sides.to));
  for (const std::string& folder : folders_with_copies(home)) MNEME_RETURN_IF_ERROR(sides.to.sync_directory(folder));
  return {};
}

// And what is not worth copying: backups of older schemas, and the window's size with a question half typed.
Status erase_caches(const ConvertedHome& converted, FileEnv& env) {
  ChunkStoreOptions kv{.roots = converted.kv_roots, .env = &env};
  kv.roots.push_back(converted.home.kv_folder());
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<ChunkStore> store, ChunkStore::open(kv));
  const auto none = [](const ChunkFileInfo&) { return false; };
  MNEME_RETURN_IF_ERROR(store->remove_unless(none, Removal::kErase).status());
  std::vector<std::string> files;
  for (const std::string& folder : {converted.home.index_folder(), converted.home.log_folder()}) {
    MNEME_RETURN_IF_ERROR(for_each_file(env, folder, [&](const std::string& name) {
      files.push_back(path_of(folder, name));
      return Status();
    }));
  }
  MNEME_RETURN_IF_ERROR(for_each_file(env, converted.home.root, [&](const std::string& name) {
    if (name.starts_with("catalog.db.v") || name == "window.json") files.push_back(path_of(converted.home.root, name));
    return Status();
  }));
  return erase_atomically(env, files);
}

// Puts a copy where the file is that it replaces. Cut off anywhere, doing it again ends it.
Status install(FileEnv& env, const std::string& folder, const std::string& copy, std::string_view suffix) {
  const std::string target = path_of(folder, copy.substr(0, copy.size() - suffix.size()));
  MNEME_RETURN_IF_ERROR(but_absent(env.rename(target, target + std::string(kReplaced))));
  MNEME_RETURN_IF_ERROR(env.rename(path_of(folder, copy), target));
  return env.sync_directory(folder);
}

// Behind the moment that counts, or for a conversion that never came so far.
Status finish(FileEnv& env, const Home& home, bool encrypted) {
  const std::string_view counts = encrypted ? kEncryptedCopy : kDecryptedCopy;
  const std::string_view does_not = encrypted ? kDecryptedCopy : kEncryptedCopy;
  for (const std::string& folder : folders_with_copies(home)) {
    MNEME_RETURN_IF_ERROR(for_each_file(env, folder, [&](const std::string& name) -> Status {
      if (name.ends_with(counts)) return install(env, folder, name, counts);
      return name.ends_with(does_not) ? env.erase(path_of(folder, name)) : Status();
    }));
    MNEME_RETURN_IF_ERROR(for_each_file(env, folder, [&](const std::string& name) {
      return name.ends_with(kReplaced) ? env.erase(path_of(folder, name)) : Status();
    }));
  }
  return {};
}

// Everything before the moment that counts, which is `commit`, and what follows it.
Status convert(const ConvertedHome& converted, const Sides& sides, const std::function<Status()>& commit) {
  const Home& home = converted.home;
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<FileLock> lock, sides.from.try_lock(home.indexing_lock()));
  MNEME_ASSIGN_OR_RETURN(ExclusiveCatalogue catalogue, open_alone(home, sides.from, converted.busy_timeout_ms));
  MNEME_RETURN_IF_ERROR(erase_caches(converted, sides.from));
  MNEME_RETURN_IF_ERROR(copy_small_files(home, sides));
  MNEME_RETURN_IF_ERROR(copy_catalogue(home, catalogue, sides));
  MNEME_RETURN_IF_ERROR(commit());
  return finish(*converted.env, home, sides.copy == kEncryptedCopy);
}

// What a conversion left: copies that count, and what only has to go.
struct Copies {
  bool count = false;
  bool left = false;
};

Result<Copies> find_copies(FileEnv& env, const Home& home, bool encrypted) {
  const std::string_view counts = encrypted ? kEncryptedCopy : kDecryptedCopy;
  const std::string_view does_not = encrypted ? kDecryptedCopy : kEncryptedCopy;
  Copies copies;
  for (const std::string& folder : folders_with_copies(home)) {
    const Result<std::vector<std::string>> names = env.list(folder);
    if (names.status().code() == StatusCode::kNotFound) continue;  // of a home that can only be read
    if (!names.ok()) return names.status();
    for (const std::string& name : *names) {
      copies.count = copies.count || name.ends_with(counts);
      copies.left = copies.left || name.ends_with(does_not) || name.ends_with(kReplaced);
    }
  }
  return copies;
}

}  // namespace

Status encrypt_home(const ConvertedHome& converted, ByteSpan passphrase, const PassphraseCost& cost) {
  FileEnv& disk = *converted.env;
  MNEME_ASSIGN_OR_RETURN(const Home home, open_home(disk, converted.home.root));
  MNEME_ASSIGN_OR_RETURN(const std::shared_ptr<const Secret> key, new_home_key());
  MNEME_ASSIGN_OR_RETURN(const auto encrypted, EncryptedEnv::make(disk, key, {home.root}));
  return convert(converted, {disk, *encrypted, kEncryptedCopy},
                 [&] { return write_home_key(disk, home.key(), *key, passphrase, cost); });
}

Status decrypt_home(const ConvertedHome& converted, std::shared_ptr<const Secret> home_key) {
  FileEnv& disk = *converted.env;
  std::vector<std::string> folders = converted.kv_roots;
  folders.push_back(converted.home.root);
  MNEME_ASSIGN_OR_RETURN(const auto encrypted, EncryptedEnv::make(disk, std::move(home_key), std::move(folders)));
  MNEME_ASSIGN_OR_RETURN(const Home home, open_home(*encrypted, converted.home.root));
  MNEME_ASSIGN_OR_RETURN(const bool is_so, is_encrypted(disk, home));
  if (!is_so) return usage_error("the home " + home.root + " is not encrypted");
  return convert(converted, {*encrypted, disk, kDecryptedCopy}, [&]() -> Status {
    MNEME_RETURN_IF_ERROR(disk.remove(home.key()));
    return disk.sync_directory(home.root);
  });
}

Status settle_conversion(FileEnv& env, const Home& home, bool encrypted) {
  MNEME_ASSIGN_OR_RETURN(const Copies copies, find_copies(env, home, encrypted));
  if (!copies.count && !copies.left) return {};
  // What counts is in its place, and what is left over cannot be taken away.
  if (!copies.count && !env.check_writable(home.root).ok()) return {};
  // Whoever converts the home at this moment holds it, and ends the work.
  const Result<std::unique_ptr<FileLock>> lock = env.try_lock(home.indexing_lock());
  if (lock.ok()) return finish(env, home, encrypted);
  if (lock.status().code() != StatusCode::kBusy) return lock.status();
  if (!copies.count) return {};
  return Status(StatusCode::kBusy,
                "the home " + home.root + " is being encrypted or decrypted; try again when that has ended");
}

}  // namespace mneme::storage
