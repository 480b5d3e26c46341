#include "storage/catalogue/page_checksums.h"

#include <sqlite3.h>
#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "storage/catalogue/migrations.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/catalogue/unused_bytes.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {
namespace {

// Where the database's header says what we need (https://www.sqlite.org/fileformat2.html, section 1.3).
constexpr int kHeaderBytes = 100;
constexpr int kPageSizeAt = 16;
constexpr int kReservedAt = 20;
constexpr int kPagesAt = 28;
constexpr int kUserVersionAt = 60;
constexpr char kHeaderMagic[] = "SQLite format 3";  // with its zero byte

using Page = const unsigned char*;

uint32_t big_endian(Page bytes, int n_bytes) {
  uint32_t value = 0;
  for (int i = 0; i < n_bytes; ++i) value = value << 8 | bytes[i];
  return value;
}

uint64_t checksum_of(Page page, int size, sqlite3_int64 offset) {
  const auto number = static_cast<uint64_t>(offset / size) + 1;
  return XXH3_64bits_withSeed(page, static_cast<size_t>(size - kPageChecksumBytes), number);
}

// Whether pages have checksums, as a database's header says. What a newer version makes of its pages is its own
// business: the catalogue refuses it by its schema.
struct Paging {
  int page_size = 0;
  bool checked = false;
  uint32_t n_pages = 0;  // as the header said last; 0: not known

  void read_header(Page header) {
    if (std::memcmp(header, kHeaderMagic, sizeof kHeaderMagic) != 0) return;
    const auto size = static_cast<int>(big_endian(header + kPageSizeAt, 2));
    const bool newer = big_endian(header + kUserVersionAt, 4) > kSchemaVersion;
    page_size = size == 1 ? 65536 : size;
    checked = header[kReservedAt] == kPageChecksumBytes && page_size >= 512 && !newer;
    n_pages = big_endian(header + kPagesAt, 4);
  }
  bool is_page(int size, sqlite3_int64 offset) const { return checked && size == page_size && offset % size == 0; }
  // Whether a page of a tree is told from all others by its first byte (unused_bytes.h).
  bool kinds_differ(sqlite3_int64 offset) const {
    constexpr uint32_t kMostPages = 1U << 24;
    return n_pages != 0 && n_pages < kMostPages && offset / page_size < kMostPages;
  }
};

bool holds_header(int size, sqlite3_int64 offset) {
  return offset == 0 && size >= kHeaderBytes;
}

// A first page that says it is of a schema with checksums, but has none.
bool lost_its_checksums(const Paging& paging, Page page, int size, sqlite3_int64 offset) {
  if (!holds_header(size, offset) || paging.checked) return false;
  if (std::memcmp(page, kHeaderMagic, sizeof kHeaderMagic) != 0) return false;
  const uint32_t version = big_endian(page + kUserVersionAt, 4);
  return version >= kFirstSchemaWithChecksums && version <= kSchemaVersion;
}

// The database file; all but its pages is the file's underneath.
class GuardedFile final : public ForwardingSqliteFile {
 public:
  // met_unsealed: set when a page without a checksum is read; must outlive the file.
  GuardedFile(sqlite3_file* below, std::atomic<bool>& met_unsealed)
      : ForwardingSqliteFile(below), met_unsealed_(met_unsealed) {}

  int read(void* out, int size, sqlite3_int64 offset) override {
    const int code = ForwardingSqliteFile::read(out, size, offset);
    if (code == SQLITE_IOERR_SHORT_READ && ends_within(size, offset)) return damaged(size, offset);
    if (code != SQLITE_OK) return code;
    const auto* page = static_cast<Page>(out);
    if (holds_header(size, offset)) paging_.read_header(page);
    if (lost_its_checksums(paging_, page, size, offset)) return damaged(size, offset);
    if (!paging_.is_page(size, offset)) return SQLITE_OK;
    const PageSeal seal =
        page_seal({static_cast<const std::byte*>(out), static_cast<size_t>(size)}, static_cast<uint64_t>(offset));
    if (seal == PageSeal::kWrong) return damaged(size, offset);
    if (seal == PageSeal::kNone) met_unsealed_ = true;
    // The log must hold zeros there, or another program would bring the checksum of an older page into the file.
    std::memset(static_cast<unsigned char*>(out) + size - kPageChecksumBytes, 0, kPageChecksumBytes);
    return SQLITE_OK;
  }

  int write(const void* data, int size, sqlite3_int64 offset) override {
    const auto* page = static_cast<Page>(data);
    if (holds_header(size, offset)) {
      paging_.read_header(page);
    } else if (!paging_.checked) {
      look_again();
    }
    if (!paging_.is_page(size, offset)) return ForwardingSqliteFile::write(data, size, offset);
    try {
      page_.assign(page, page + size);
    } catch (const std::bad_alloc&) {
      return SQLITE_IOERR_NOMEM;
    }
    if (paging_.kinds_differ(offset)) {
      const MutableByteSpan bytes(reinterpret_cast<std::byte*>(page_.data()), page_.size() - kPageChecksumBytes);
      clear_gap(bytes, offset == 0 ? kHeaderBytes : 0);
    }
    const uint64_t sum = checksum_of(page_.data(), size, offset);
    std::memcpy(page_.data() + size - kPageChecksumBytes, &sum, kPageChecksumBytes);
    return ForwardingSqliteFile::write(page_.data(), size, offset);
  }

  // Who waited for a lock while another file took this one's name (a repair, a conversion) would use that one's log.
  int lock(int level) override {
    const int code = ForwardingSqliteFile::lock(level);
    if (code != SQLITE_OK || level != SQLITE_LOCK_SHARED || !has_moved()) return code;
    ForwardingSqliteFile::unlock(SQLITE_LOCK_NONE);
    return SQLITE_READONLY_DBMOVED;
  }

  int device_characteristics() override {
    int flags = ForwardingSqliteFile::device_characteristics();
#ifdef SQLITE_IOCAP_SUBPAGE_READ
    flags &= ~SQLITE_IOCAP_SUBPAGE_READ;  // pages are read whole, so that they can be checked
#endif
    return flags;
  }

 private:
  bool has_moved() {
    int moved = 0;
    return file_control(SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
  }

  // SQLite fills up with zeros what a read does not give. A page is in the file whole or not at all: whoever was cut
  // off while it was written left it in a log or journal, too, and it is read from there.
  bool ends_within(int size, sqlite3_int64 offset) {
    sqlite3_int64 end = 0;
    return paging_.is_page(size, offset) && file_size(&end) == SQLITE_OK && end > offset;
  }

  static int damaged(int size, sqlite3_int64 offset) {
    sqlite3_log(SQLITE_IOERR_DATA, "page %lld does not match its checksum", offset / size + 1);
    return SQLITE_IOERR_DATA;
  }

  // Another process may have given the file its checksums since we last looked: never write pages without.
  void look_again() {
    unsigned char header[kHeaderBytes];
    if (ForwardingSqliteFile::read(header, kHeaderBytes, 0) == SQLITE_OK) paging_.read_header(header);
  }

  std::atomic<bool>& met_unsealed_;
  Paging paging_;
  std::vector<unsigned char> page_;  // as written: with its checksum
};

class ChecksumLayer final : public SqliteLayer {
 public:
  ChecksumLayer(sqlite3_vfs* below, std::atomic<bool>& met_unsealed)
      : SqliteLayer("mneme-pages", below), met_unsealed_(met_unsealed) {}

  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    // Logs, journals and temporary files are the other layer's own.
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SqliteLayer::open(name, room, flags, out_flags);
    std::unique_ptr<SqliteFile> file(new (std::nothrow) GuardedFile(room_below(room), met_unsealed_));
    return open_over(std::move(file), name, room, flags, out_flags);
  }

 private:
  std::atomic<bool>& met_unsealed_;
};

}  // namespace

PageSeal page_seal(ByteSpan page, uint64_t offset) {
  const auto size = static_cast<int>(page.size());
  const auto bytes = reinterpret_cast<Page>(page.data());
  uint64_t stored = 0;
  std::memcpy(&stored, bytes + size - kPageChecksumBytes, kPageChecksumBytes);
  if (stored == checksum_of(bytes, size, static_cast<sqlite3_int64>(offset))) return PageSeal::kRight;
  return stored == 0 ? PageSeal::kNone : PageSeal::kWrong;
}

PageChecksums::PageChecksums() = default;

PageChecksums::~PageChecksums() = default;

const char* PageChecksums::vfs() const {
  return layer_->name();
}

Result<std::unique_ptr<PageChecksums>> PageChecksums::over(const char* under) {
  std::unique_ptr<PageChecksums> checksums(new PageChecksums());
  MNEME_ASSIGN_OR_RETURN(checksums->layer_, offer_layer(under, [&](sqlite3_vfs* below) {
                           return std::make_unique<ChecksumLayer>(below, checksums->met_unsealed_);
                         }));
  return checksums;
}

Status reserve_page_checksums(Database& database) {
  int bytes = kPageChecksumBytes;
  const int code = sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
  return code == SQLITE_OK ? Status() : database.error(code);
}

}  // namespace mneme::storage
