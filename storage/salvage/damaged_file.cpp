#include "storage/salvage/damaged_file.h"

#include <sqlite3.h>

#include "storage/catalogue/migrations.h"
#include "storage/salvage/btree_page.h"
#include "storage/salvage/first_page.h"

namespace mneme::storage {
namespace {

constexpr size_t kReservedAt = 20;
constexpr size_t kPagesAt = 28;
constexpr size_t kFreePagesAt = 32;
constexpr size_t kUserVersionAt = 60;
constexpr size_t kApplicationIdAt = 68;

}  // namespace

// In this mode the log's index lies in this process, and the lock, once taken, keeps everybody else out to the end. No
// statement may look into a table: the list of tables may be what is damaged.
Status DamagedFile::take_alone() {
  Status taken = database_->execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK");
  if (taken.code() != StatusCode::kBusy) return taken;
  return Status(StatusCode::kBusy, "another program has " + database_->path() +
                                       " open (the window, or an index run that watches); end it first");
}

Status DamagedFile::move_log_in() {
  const int code =
      sqlite3_wal_checkpoint_v2(database_->handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  if (code == SQLITE_OK) return {};
  const Status failed = database_->error(code);
  has_its_log_ = failed.code() != StatusCode::kCorruption;  // an encrypted file whose beginning is lost takes nothing
  return has_its_log_ ? failed : Status();
}

Status DamagedFile::read_header() {
  sqlite3_int64 size = 0;
  const int code = file_->pMethods->xFileSize(file_, &size);
  if (code != SQLITE_OK) return database_->error(code);
  n_pages_ = static_cast<uint32_t>((size + kCataloguePageBytes - 1) / kCataloguePageBytes);
  std::vector<std::byte> page;
  MNEME_ASSIGN_OR_RETURN(const bool read, this->read(1, page));
  if (!read) return io_error("cannot read " + database_->path() + "; check the permissions and the disk");
  if (read_u32(page, kUserVersionAt) > kSchemaVersion || read_u32(page, kApplicationIdAt) != kApplicationId) {
    return unsupported(database_->path() + " is of a newer mneme or of another program; it was left untouched");
  }
  usable_bytes_ = kCataloguePageBytes - std::to_integer<size_t>(page[kReservedAt]);
  first_free_page_ = read_u32(page, kFreePagesAt);
  const uint32_t n_pages = read_u32(page, kPagesAt);
  first_page_is_lost_ = n_pages == 0;  // as the layer's own has it
  n_missing_pages_ = n_pages > n_pages_ ? n_pages - n_pages_ : 0;
  return {};
}

Result<std::unique_ptr<DamagedFile>> DamagedFile::open(const std::string& path, FileEnv& env, int busy_timeout_ms) {
  std::unique_ptr<DamagedFile> damaged(new DamagedFile());
  MNEME_ASSIGN_OR_RETURN(damaged->first_page_, first_page_layer(env.sqlite_vfs()));
  MNEME_ASSIGN_OR_RETURN(damaged->checksums_, PageChecksums::over(damaged->first_page_->name()));
  MNEME_ASSIGN_OR_RETURN(
      damaged->database_,
      Database::open(path, {.create = false, .vfs = damaged->checksums_->vfs(), .busy_timeout_ms = busy_timeout_ms}));
  sqlite3* const handle = damaged->database_->handle();
  // Closing must not take the log away by its name, which may be another catalogue's by then.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // Or a file that is shorter than it says does not open.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
  MNEME_RETURN_IF_ERROR(damaged->take_alone());
  MNEME_RETURN_IF_ERROR(damaged->move_log_in());
  const int code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&damaged->file_));
  if (code != SQLITE_OK) return damaged->database_->error(code);
  MNEME_RETURN_IF_ERROR(damaged->read_header());
  return damaged;
}

Result<bool> DamagedFile::read(uint32_t page, std::vector<std::byte>& out) {
  out.resize(kCataloguePageBytes);
  if (page == 0 || page > n_pages_) return false;
  const int code = file_->pMethods->xRead(file_, out.data(), kCataloguePageBytes,
                                          static_cast<sqlite3_int64>(page - 1) * kCataloguePageBytes);
  if (code == SQLITE_IOERR_NOMEM || code == SQLITE_NOMEM)
    return resource_error("no memory to read " + database_->path());
  return code == SQLITE_OK;
}

std::vector<std::byte> DamagedFile::first_page_unchecked() {
  std::vector<std::byte> page(kCataloguePageBytes);
  const int code = sqlite3_file_control(database_->handle(), "main", kReadFirstPageUnchecked, page.data());
  return code == SQLITE_OK ? page : std::vector<std::byte>{};
}

Result<std::vector<uint32_t>> DamagedFile::damaged_pages() {
  std::vector<uint32_t> damaged;
  if (first_page_is_lost_) damaged.push_back(1);
  std::vector<std::byte> bytes;
  for (uint32_t page = 2; page <= n_pages_; ++page) {
    MNEME_ASSIGN_OR_RETURN(const bool sound, read(page, bytes));
    if (!sound) damaged.push_back(page);
  }
  return damaged;
}

}  // namespace mneme::storage
