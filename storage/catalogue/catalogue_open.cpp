// Opening: making, migrating, or only reading what another program, or this one elsewhere, has made.
#include <sqlite3.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "storage/catalogue/catalogue.h"
#include "storage/catalogue/catalogue_state.h"
#include "storage/catalogue/fts_extension.h"
#include "storage/catalogue/migrations.h"
#include "storage/catalogue/vacuum_file.h"
#include "storage/env/read_only_layer.h"

namespace mneme::storage {
namespace {

constexpr const char* kLexicalVersionKey = "lexical.version";

// Settings of every connection. secure_delete: what is removed is overwritten, so that a forgotten text is gone.
constexpr const char* kConnectionPragmas =
    "PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON;"
    "PRAGMA trusted_schema=OFF; PRAGMA cache_size=-16000";

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max<size_t>(slash, 1));
}

// SQLite copies the modes of its log from the database file: making that one private makes all private.
Status create_private_file(FileEnv& env, const std::string& path) {
  const Result<FileStat> existing = env.stat(path);
  if (existing.ok()) return {};
  if (existing.status().code() != StatusCode::kNotFound) return existing.status();
  // Another program may make it at this moment: it must not be truncated.
  MNEME_RETURN_IF_ERROR(env.create_if_missing(path));
  return env.sync_directory(folder_of(path));
}

// An empty file, and one of a single byte, is to SQLite one that nothing was written to yet, as a home begins with: it
// would be filled anew, and the log beside it thrown away. But a log stands only beside a whole page.
Status check_is_not_cut_off(FileEnv& env, const std::string& path) {
  const Result<FileStat> log = env.stat(path + "-wal");  // first: another program may be making both
  const Result<FileStat> file = env.stat(path);
  if (!file.ok() || file->kind != FileKind::kFile || file->size_bytes > 1) return {};
  const bool is_new = file->size_bytes == 0 && (!log.ok() || log->size_bytes == 0);
  return is_new ? Status()
                : corruption(path +
                             " was cut off: nothing is left of it; `mneme verify --repair` keeps what its log "
                             "holds, or restore a copy of both");
}

Result<bool> has_current_terms(Database& database) {
  MNEME_ASSIGN_OR_RETURN(Statement read, database.prepare("SELECT json FROM settings WHERE key=?1"));
  MNEME_ASSIGN_OR_RETURN(const bool found, read.bind(kLexicalVersionKey).step());
  return found && read.text(0) == std::to_string(kLexicalVersion);
}

// Terms of an older program do not match ours: index the texts again.
Status refresh_lexical_index(Database& database) {
  const std::string current = std::to_string(kLexicalVersion);
  MNEME_ASSIGN_OR_RETURN(const bool is_current, has_current_terms(database));
  if (is_current) return {};
  MNEME_ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database, Transaction::Kind::kWrite));
  MNEME_RETURN_IF_ERROR(database.execute("INSERT INTO lexical(lexical) VALUES('rebuild')"));
  {
    MNEME_ASSIGN_OR_RETURN(Statement write, database.prepare("INSERT INTO settings(key, json) VALUES(?1, ?2) "
                                                             "ON CONFLICT(key) DO UPDATE SET json=excluded.json"));
    MNEME_RETURN_IF_ERROR(write.bind(kLexicalVersionKey, current).run());
  }
  return transaction.commit();
}

}  // namespace

Result<std::unique_ptr<Database>> Catalogue::State::connect(bool create) {
  const bool read_only = !writable.ok();
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Database> database,
                         Database::open(options.path, {.create = create && !read_only,
                                                       .read_only = read_only,
                                                       .vfs = vfs,
                                                       .busy_timeout_ms = options.busy_timeout_ms}));
  sqlite3_db_config(database->handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  MNEME_RETURN_IF_ERROR(database->execute(kConnectionPragmas));
  MNEME_RETURN_IF_ERROR(register_fts_extension(*database));
  return database;
}

namespace {

// A connection to a catalogue of this version, made or migrated where needed.
template <typename State>
Result<std::unique_ptr<Database>> prepare_writer(State& state) {
  MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Database> database, state.connect(true));
  // Looked at before anything is changed: a newer catalogue, or somebody else's file, stays as it is.
  MNEME_RETURN_IF_ERROR(check_schema(*database));
  MNEME_RETURN_IF_ERROR(database->execute("PRAGMA page_size=8192"));
  MNEME_RETURN_IF_ERROR(reserve_page_checksums(*database));
  MNEME_RETURN_IF_ERROR(
      database->execute("PRAGMA auto_vacuum=NONE; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=2000;"
                        "PRAGMA synchronous=FULL"));
  MNEME_RETURN_IF_ERROR(migrate(*database, {state.vfs, state.env(), state.options.busy_timeout_ms}));
  MNEME_RETURN_IF_ERROR(refresh_lexical_index(*database));
  return database;
}

// The same; while another program opens the home, too, it waits.
template <typename State>
Result<std::unique_ptr<Database>> prepare_writer_in_turn(State& state) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(state.options.busy_timeout_ms);
  while (true) {
    Result<std::unique_ptr<Database>> prepared = prepare_writer(state);
    // Changing the journal mode does not wait for others by itself: two programs may be opening a new home at once.
    const bool busy = prepared.status().code() == StatusCode::kBusy;
    if (!busy || std::chrono::steady_clock::now() > give_up) return prepared;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

// Why a catalogue that is there can only be read; ok where it can be written, or where it has to be made first.
Status check_writable(FileEnv& env, const std::string& path) {
  if (!env.stat(path).ok()) return {};
  Status status = env.check_writable(folder_of(path));
  if (status.ok()) status = env.check_writable(path);
  if (status.ok()) return {};
  return Status(status.code(), status.message() +
                                   "; what only reads works all the same, for the rest copy the folder to where you "
                                   "may write and name the copy with --home");
}

// SQLite wants a few pages beside the database even for reading.
constexpr uint64_t kFullDiskBytes = 64 << 10;

bool is_for_want_of_space(const Status& failure, FileEnv& env, const std::string& path) {
  if (failure.code() == StatusCode::kNoSpace) return true;
  const Result<uint64_t> free = env.free_bytes(folder_of(path));
  return failure.code() == StatusCode::kIo && free.ok() && *free < kFullDiskBytes;
}

Status disk_is_full(const std::string& path) {
  return Status(StatusCode::kNoSpace, "cannot write to " + folder_of(path) +
                                          ": its disk, or your quota of it, is full; what only reads works all the "
                                          "same, for the rest free some space");
}

// The same of a catalogue that cannot be read either. Want of space for the memory that its programs share is a failure
// of the disk to SQLite.
Status cannot_open_on_full_disk(const Status& failure, const std::string& path) {
  if (failure.code() == StatusCode::kNoSpace) return failure;
  return Status(StatusCode::kNoSpace, path + ": its disk is full; free some space and try again");
}

// What only reads cannot bring an older catalogue up to date.
template <typename State>
Status check_is_current(State& state) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Database> database, state.connect(false));
  MNEME_RETURN_IF_ERROR(check_schema(*database));
  MNEME_ASSIGN_OR_RETURN(const int64_t version, database->query_integer("PRAGMA user_version"));
  bool current = version == kSchemaVersion;
  if (current) {
    MNEME_ASSIGN_OR_RETURN(current, has_current_terms(*database));
  }
  if (current) return {};
  return unsupported(state.options.path +
                     " was written by an older mneme and has to be brought up to date, but cannot be written to; copy "
                     "the folder to where you may write and name the copy with --home");
}

}  // namespace

Status Catalogue::State::open_for_reading(Status reason) {
  writable = std::move(reason);
  vacuum_file.reset();
  MNEME_ASSIGN_OR_RETURN(read_only, read_only_layer(env().sqlite_vfs()));
  MNEME_ASSIGN_OR_RETURN(checksums, PageChecksums::over(read_only->name()));
  vfs = checksums->vfs();
  return check_is_current(*this);
}

Status Catalogue::State::open_for_writing() {
  MNEME_ASSIGN_OR_RETURN(checksums, PageChecksums::over(env().sqlite_vfs()));
  MNEME_ASSIGN_OR_RETURN(vacuum_file, vacuum_file_layer(checksums->vfs(), env(), options.path));
  vfs = vacuum_file->name();
  if (options.must_exist) {
    MNEME_RETURN_IF_ERROR(env().stat(options.path).status());
  } else {
    MNEME_RETURN_IF_ERROR(create_private_file(env(), options.path));
  }
  MNEME_ASSIGN_OR_RETURN(writer, prepare_writer_in_turn(*this));
  return {};
}

Status Catalogue::State::try_to_write() {
  {
    MutexLock lock(readers.mutex);
    if (writable.code() != StatusCode::kNoSpace) return writable;
  }
  MutexLock writing(write_mutex);
  MutexLock watching(watcher_mutex);
  MutexLock reading(readers.mutex);
  // Whoever reads at this moment does so without the locks that would keep a writer from changing what is read: the
  // next one who asks may find nobody.
  if (writable.code() != StatusCode::kNoSpace || readers.lent > 0) return writable;
  const Result<uint64_t> free = env().free_bytes(folder_of(options.path));
  if (!free.ok() || *free < kFullDiskBytes) return writable;
  readers.idle.clear();
  watcher.reset();
  Status why_not = std::exchange(writable, Status());
  std::unique_ptr<PageChecksums> checksums_for_reading = std::move(checksums);
  const char* const vfs_for_reading = vfs;
  if (open_for_writing().ok()) {
    ++watchers_before;
    checksums_for_reading.reset();
    read_only.reset();
  } else {
    writable = std::move(why_not);
    vacuum_file.reset();
    checksums = std::move(checksums_for_reading);
    vfs = vfs_for_reading;
  }
  return writable;
}

Result<std::unique_ptr<Catalogue>> Catalogue::open(const CatalogueOptions& options) {
  auto state = std::make_unique<State>();
  state->options = options;
  FileEnv& env = state->env();
  MNEME_RETURN_IF_ERROR(check_is_not_cut_off(env, options.path));
  Status why_not = check_writable(env, options.path);
  if (why_not.ok()) {
    const Status opened = [&] {
      MutexLock lock(state->write_mutex);
      return state->open_for_writing();
    }();
    if (!opened.ok() && !is_for_want_of_space(opened, env, options.path)) return opened;
    if (!opened.ok()) {
      // A catalogue that had yet to be made has nothing to read.
      const Status readable = state->open_for_reading(disk_is_full(options.path));
      if (!readable.ok()) return cannot_open_on_full_disk(opened, options.path);
    }
  } else {
    MNEME_RETURN_IF_ERROR(state->open_for_reading(std::move(why_not)));
  }
  return std::unique_ptr<Catalogue>(new Catalogue(std::move(state)));
}

}  // namespace mneme::storage
