#include "storage/catalogue/sqlite_database.h"

#include <cassert>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sqlite3.h>

namespace mneme::storage {
namespace {

constexpr const char* kFreeSpace = "; free some space and try again";
constexpr const char* kMoreMemory = "; close other programs, or allow more memory where --memory limits it";

// What SQLite alone asks of a file system, beyond what any file needs.
bool is_of_shared_memory_or_locks(int code) {
  switch (code) {
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMSIZE:
    case SQLITE_IOERR_SHMMAP:
    case SQLITE_IOERR_SHMLOCK:
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_RDLOCK: return true;
    default: return false;
  }
}

// What the system said of a call that failed: SQLite notes it, but not of a COMMIT, where errno still has it as a rule.
// What some other call has left there since is none of these.
int system_error_of(sqlite3* handle, int last_errno) {
  const auto says_why = [](int error) {
    switch (error) {
      case EACCES:
      case EDQUOT:
      case EFBIG:
      case EINVAL:
      case EIO:
      case EMFILE:
      case ENFILE:
      case ENODEV:
      case ENOLCK:
      case ENOMEM:
      case ENOSPC:
      case ENOSYS:
      case EOPNOTSUPP:
      case EPERM:
      case EROFS: return true;
      default: return false;
    }
  };
  if (says_why(last_errno)) return last_errno;
  const int noted = sqlite3_system_errno(handle);
  return says_why(noted) ? noted : 0;
}

// A file that could not be opened, read or written.
//   error: of system_error_of().
Status status_from_system(int code, const std::string& text, int error) {
  const std::string because = text + " (" + std::generic_category().message(error) + ")";
  switch (error) {
    case EDQUOT:
    case ENOSPC: return {StatusCode::kNoSpace, because + kFreeSpace};
    case ENOMEM: return resource_error(because + kMoreMemory);
    case EMFILE:
    case ENFILE: return io_error(because + "; close other programs, or allow more open files");
    case EFBIG: return io_error(because + "; allow larger files, or keep the home on a disk that holds them");
    case EINVAL:
    case ENODEV:
    case ENOLCK:
    case ENOSYS:
    case EOPNOTSUPP:
    case EPERM:
      if (!is_of_shared_memory_or_locks(code)) break;
      return io_error(because +
                      ", as its file system has no locks, or no memory that programs share; keep the home on another "
                      "one, with --home DIR");
    case 0: return io_error(text + "; check the permissions and the disk");
    default: break;
  }
  return io_error(because + "; check the permissions and the disk");
}

Status status_from_sqlite(int code, const std::string& path, sqlite3* handle) {
  const int last_errno = errno;
  const std::string text = path + ": " + (handle != nullptr ? sqlite3_errmsg(handle) : "out of memory");
  if (code == SQLITE_IOERR_DATA || code == SQLITE_IOERR_CORRUPTFS) {
    return corruption(path +
                      ": a page does not match its checksum, so the disk returned other bytes than it was given, or "
                      "another program changed the file; `mneme verify` says what is lost, and `mneme verify --repair` "
                      "keeps the rest");
  }
  if (code == SQLITE_READONLY_DBMOVED) {
    return Status(StatusCode::kBusy, path + " has just been put in the place of another; try again");
  }
  switch (code & 0xff) {
    case SQLITE_FULL: return Status(StatusCode::kNoSpace, text + kFreeSpace);
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Status(StatusCode::kBusy, text + "; another mneme is writing, try again");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return corruption(text + "; `mneme verify --repair` keeps what can be read of it");
    case SQLITE_NOMEM: return resource_error(text + kMoreMemory);
    case SQLITE_INTERRUPT: return cancelled();
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR: return status_from_system(code, text, system_error_of(handle, last_errno));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: return io_error(text + "; check the permissions and the disk");
    case SQLITE_TOOBIG: return resource_error(text);
    default: return Status(StatusCode::kInternal, text);
  }
}

}  // namespace

// ---- Statement

Statement::Statement(Database* database, sqlite3_stmt* handle, bool* in_use)
    : database_(database), handle_(handle), in_use_(in_use) {}

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      handle_(std::exchange(other.handle_, nullptr)),
      in_use_(other.in_use_),
      bind_status_(std::move(other.bind_status_)) {}

Statement::~Statement() {
  if (handle_ == nullptr) return;
  if (in_use_ == nullptr) {
    sqlite3_finalize(handle_);
    return;
  }
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
  *in_use_ = false;
}

Statement& Statement::bind_one(int index, int64_t value) {
  const int code = sqlite3_bind_int64(handle_, index, value);
  if (code != SQLITE_OK) bind_status_ = database_->error(code);
  return *this;
}
Statement& Statement::bind_one(int index, double value) {
  const int code = sqlite3_bind_double(handle_, index, value);
  if (code != SQLITE_OK) bind_status_ = database_->error(code);
  return *this;
}
Statement& Statement::bind_one(int index, std::string_view text) {
  // A null pointer would bind NULL; an empty text is not that.
  const char* data = text.data() != nullptr ? text.data() : "";
  const int code = sqlite3_bind_text64(handle_, index, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) bind_status_ = database_->error(code);
  return *this;
}
Statement& Statement::bind_one(int index, ByteSpan blob) {
  const void* data = blob.data() != nullptr ? static_cast<const void*>(blob.data()) : "";
  const int code = sqlite3_bind_blob64(handle_, index, data, blob.size(), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) bind_status_ = database_->error(code);
  return *this;
}
Statement& Statement::bind_null(int index) {
  const int code = sqlite3_bind_null(handle_, index);
  if (code != SQLITE_OK) bind_status_ = database_->error(code);
  return *this;
}

Status Statement::bind_pointer(int index, void* object, const char* type) {
  const int code = sqlite3_bind_pointer(handle_, index, object, type, nullptr);
  return code == SQLITE_OK ? Status() : database_->error(code);
}

Result<bool> Statement::step() {
  if (!bind_status_.ok()) return bind_status_;
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Status status = database_->error(code);
  sqlite3_reset(handle_);
  return status;
}

Status Statement::run() {
  while (true) {
    MNEME_ASSIGN_OR_RETURN(const bool row, step());
    if (!row) break;
  }
  reset();
  return {};
}

void Statement::reset() {
  sqlite3_reset(handle_);
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}
double Statement::real(int column) const {
  return sqlite3_column_double(handle_, column);
}
std::string_view Statement::text(int column) const {
  const unsigned char* data = sqlite3_column_text(handle_, column);
  if (data == nullptr) return {};
  return {reinterpret_cast<const char*>(data), static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
}
ByteSpan Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  if (data == nullptr) return {};
  return {static_cast<const std::byte*>(data), static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
}
bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

// ---- Database

Result<std::unique_ptr<Database>> Database::open(const std::string& path, const Options& options) {
  sqlite3* handle = nullptr;
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (options.create && !options.read_only) flags |= SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, options.vfs);
  if (code != SQLITE_OK) {
    Status status = status_from_sqlite(code, path, handle);
    sqlite3_close_v2(handle);
    return status;
  }
  std::unique_ptr<Database> database(new Database(path, handle));
  sqlite3_busy_timeout(handle, options.busy_timeout_ms);
  return database;
}

Database::~Database() {
  for (auto& [sql, cached] : cache_) {
    assert(!cached.in_use);
    sqlite3_finalize(cached.handle);
  }
  sqlite3_close_v2(handle_);
}

Result<Statement> Database::prepare(const char* sql) {
  Cached& cached = cache_[sql];
  if (cached.in_use) return prepare_once(sql);  // nested use of the same statement
  if (cached.handle == nullptr) {
    const int code = sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &cached.handle, nullptr);
    if (code != SQLITE_OK) return error(code);
  }
  cached.in_use = true;
  return Statement(this, cached.handle, &cached.in_use);
}

Result<Statement> Database::prepare_once(const std::string& sql) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &handle, nullptr);
  if (code != SQLITE_OK) return error(code);
  return Statement(this, handle, nullptr);
}

Status Database::still_there() const {
  int moved = 0;
  if (sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved == 0) return {};
  return io_error(path_ +
                  " was deleted, or another file was put in its place, while mneme had it open, so nothing more can be "
                  "kept in it; export the chats you need, then start mneme again");
}

Status Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? Status() : error(code);
}

Result<int64_t> Database::query_integer(const char* sql) {
  MNEME_ASSIGN_OR_RETURN(Statement statement, prepare_once(sql));
  MNEME_ASSIGN_OR_RETURN(const bool row, statement.step());
  return row ? statement.integer(0) : 0;
}

int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(handle_);
}
int64_t Database::changes() const {
  return sqlite3_changes64(handle_);
}

Status Database::error(int code) const {
  return status_from_sqlite(code, path_, handle_);
}

// ---- Transaction

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  // IMMEDIATE: waits for the write lock here, so that no statement inside can fail with a lock it cannot upgrade.
  MNEME_ASSIGN_OR_RETURN(Statement statement, database.prepare(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN"));
  MNEME_RETURN_IF_ERROR(statement.run());
  return Transaction(&database);
}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself (disk full, corruption); then there is nothing to undo.
  if (database_ != nullptr && sqlite3_get_autocommit(database_->handle()) == 0) {
    sqlite3_exec(database_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

Status Transaction::commit() {
  MNEME_ASSIGN_OR_RETURN(Statement statement, database_->prepare("COMMIT"));
  MNEME_RETURN_IF_ERROR(statement.run());
  database_ = nullptr;
  return {};
}

}  // namespace mneme::storage
