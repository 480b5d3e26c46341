#include "storage/catalogue/copy_database.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

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

// Where the first page says how often and in what mode the file was written, and by which version of SQLite: of each
// file its own (https://www.sqlite.org/fileformat2.html, section 1.3).
struct Span {
  size_t begin;
  size_t end;
};
constexpr std::array<Span, 4> kOfTheFile = {{{18, 20}, {24, 28}, {40, 44}, {92, 100}}};

// The file under a connection, and pages of it as they are read through the connection's layers.
class PagesOf {
 public:
  static Result<PagesOf> over(Database& database) {
    PagesOf pages;
    MNEME_ASSIGN_OR_RETURN(pages.n_, database.query_integer("PRAGMA page_count"));  // reads the first one, too
    MNEME_ASSIGN_OR_RETURN(pages.size_, database.query_integer("PRAGMA page_size"));
    const int code =
        sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&pages.file_));
    return code == SQLITE_OK ? Result<PagesOf>(pages) : database.error(code);
  }
  bool same_shape(const PagesOf& other) const { return n_ == other.n_ && size_ == other.size_; }
  int64_t n() const { return n_; }

  // index: from 0. False where it cannot be read.
  bool read(int64_t index, std::vector<std::byte>& out) const {
    out.resize(static_cast<size_t>(size_));
    if (file_->pMethods->xRead(file_, out.data(), static_cast<int>(size_), index * size_) != SQLITE_OK) return false;
    if (index > 0) return true;
    for (const Span& span : kOfTheFile) {
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(span.begin),
                out.begin() + static_cast<std::ptrdiff_t>(span.end), std::byte{0});
    }
    return true;
  }

 private:
  sqlite3_file* file_ = nullptr;
  int64_t n_ = 0;
  int64_t size_ = 0;
};

Status differs(const std::string& path, int64_t page) {
  return corruption(path + " is no true copy: page " + std::to_string(page) +
                    " is another; nothing was changed, try again, and check the disk");
}

}  // namespace

Status check_copy(Database& source, const std::string& path, const char* vfs) {
  MNEME_ASSIGN_OR_RETURN(const std::unique_ptr<Database> copy, Database::open(path, {.create = false, .vfs = vfs}));
  MNEME_ASSIGN_OR_RETURN(const PagesOf theirs, PagesOf::over(source));
  MNEME_ASSIGN_OR_RETURN(const PagesOf ours, PagesOf::over(*copy));
  if (!theirs.same_shape(ours)) return differs(path, ours.n());
  std::vector<std::byte> one;
  std::vector<std::byte> other;
  for (int64_t page = 0; page < ours.n(); ++page) {
    if (!theirs.read(page, one) || !ours.read(page, other) || one != other) return differs(path, page + 1);
  }
  return {};
}

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
