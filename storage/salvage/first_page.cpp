#include "storage/salvage/first_page.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "storage/catalogue/migrations.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/salvage/btree_page.h"

namespace mneme::storage {
namespace {

using FirstPage = std::array<std::byte, kCataloguePageBytes>;

constexpr std::string_view kMagic{"SQLite format 3\0", 16};

// Fields of the header (https://www.sqlite.org/fileformat2.html, section 1.3).
constexpr size_t kPageSizeAt = 16;
constexpr size_t kReservedAt = 20;
constexpr size_t kUserVersionAt = 60;

void put(FirstPage& page, size_t at, uint32_t value, int n_bytes) {
  for (int i = n_bytes - 1; i >= 0; --i, value >>= 8) page[at + static_cast<size_t>(i)] = std::byte(value & 0xff);
}

// Without a checksum: pages are read unchecked where they have none.
FirstPage empty_first_page() {
  FirstPage page{};
  std::memcpy(page.data(), kMagic.data(), kMagic.size());
  put(page, kPageSizeAt, kCataloguePageBytes, 2);
  put(page, 18, 2, 1);  // written and read with a log
  put(page, 19, 2, 1);
  put(page, kReservedAt, kPageChecksumBytes, 1);
  put(page, 21, 64, 1);  // as every database has them
  put(page, 22, 32, 1);
  put(page, 23, 32, 1);
  put(page, 44, 4, 4);  // the format of schemas
  put(page, 56, 1, 4);  // UTF-8
  put(page, kUserVersionAt, kSchemaVersion, 4);
  put(page, 68, kApplicationId, 4);
  put(page, 100, static_cast<uint32_t>(PageKind::kTableLeaf), 1);
  put(page, 105, kCataloguePageBytes - kPageChecksumBytes, 2);  // where cells would begin
  return page;
}

class FirstPageFile final : public ForwardingSqliteFile {
 public:
  explicit FirstPageFile(sqlite3_file* below) : ForwardingSqliteFile(below) {}

  int read(void* out, int size, sqlite3_int64 offset) override {
    if (offset + size > kCataloguePageBytes) return ForwardingSqliteFile::read(out, size, offset);
    FirstPage page{};
    const int code = ForwardingSqliteFile::read(page.data(), kCataloguePageBytes, 0);
    if (code == SQLITE_IOERR_NOMEM) return code;
    if (code != SQLITE_OK || !is_sound_first_page(page)) page = empty_first_page();
    std::copy_n(page.begin() + offset, size, static_cast<std::byte*>(out));
    return SQLITE_OK;
  }

  int file_control(int operation, void* argument) override {
    if (operation != kReadFirstPageUnchecked) return ForwardingSqliteFile::file_control(operation, argument);
    return ForwardingSqliteFile::read(argument, kCataloguePageBytes, 0);
  }

  // SQLite throws the log of an empty file away.
  int file_size(sqlite3_int64* size) override {
    const int code = ForwardingSqliteFile::file_size(size);
    if (code == SQLITE_OK) *size = std::max<sqlite3_int64>(*size, kCataloguePageBytes);
    return code;
  }
};

class FirstPageLayer final : public SqliteLayer {
 public:
  explicit FirstPageLayer(sqlite3_vfs* below) : SqliteLayer("mneme-first-page", below) {}

  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SqliteLayer::open(name, room, flags, out_flags);
    std::unique_ptr<SqliteFile> file(new (std::nothrow) FirstPageFile(room_below(room)));
    return open_over(std::move(file), name, room, flags, out_flags);
  }
};

}  // namespace

bool is_sound_first_page(ByteSpan page) {
  if (page.size() != kCataloguePageBytes || !as_text(page).starts_with(kMagic)) return false;
  if ((read_u32(page, kPageSizeAt) >> 16) != kCataloguePageBytes) return false;
  const uint32_t version = read_u32(page, kUserVersionAt);
  if (version > kSchemaVersion) return true;  // a newer program's business
  const bool has_checksum = page[kReservedAt] == std::byte(kPageChecksumBytes);
  if (!has_checksum) return version < kFirstSchemaWithChecksums;
  return page_seal(page, 0) != PageSeal::kWrong;
}

Result<std::unique_ptr<SqliteLayer>> first_page_layer(const char* under) {
  return offer_layer(under, [](sqlite3_vfs* below) { return std::make_unique<FirstPageLayer>(below); });
}

}  // namespace mneme::storage
