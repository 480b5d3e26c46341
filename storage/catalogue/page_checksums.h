// Every page of the catalogue carries a checksum, so that a disk that returns other bytes than it was given is found
// out before anything is made of them. A layer (env/sqlite_layer.h) over another VFS: the last 8 bytes of each page
// (reserved from SQLite's use) hold the XXH3-64 of the rest, seeded with the page's number. Idea: SQLite's own cksumvfs
// extension. Only the database file is guarded this way; the write-ahead log has checksums of SQLite's, looked at when
// it is recovered. A database without the reserved bytes (schema 1) passes unchecked until it is migrated.
//
// Another SQLite (its shell, a browser of databases) that closes a catalogue last moves the log into the file, and does
// not know the checksum: such pages have zeros in its place, since that is what the log holds. They are read,
// unchecked, and met_unsealed() says so; whatever rewrites them seals them again.
//
// What pages hold beside their cells is overwritten on its way to the disk (unused_bytes.h), so that what was deleted
// stands in the file nowhere.
//
// Ownership: an object must outlive the connections opened through it. Threads: any number of connections at a time.
#pragma once

#include <atomic>
#include <memory>

#include "base/bytes.h"
#include "base/status.h"

namespace mneme::storage {

class Database;
class SqliteLayer;

inline constexpr int kPageChecksumBytes = 8;
// From this schema on a database without checksums is a damaged one.
inline constexpr int kFirstSchemaWithChecksums = 2;
// Of every catalogue so far.
inline constexpr int kCataloguePageBytes = 8192;

// What stands in a page's last bytes. None: zeros. A whole page of zeros is one that was freed (secure_delete); where a
// disk gives it for what it has lost, SQLite misses the page's kind.
enum class PageSeal { kRight, kWrong, kNone };
PageSeal page_seal(ByteSpan page, uint64_t offset);  // offset: of the page in its file

class PageChecksums {
 public:
  // under: name of a registered VFS; null: SQLite's own. kInternal when SQLite refuses.
  static Result<std::unique_ptr<PageChecksums>> over(const char* under);
  ~PageChecksums();
  PageChecksums(const PageChecksums&) = delete;
  PageChecksums& operator=(const PageChecksums&) = delete;

  const char* vfs() const;  // the name to open databases with
  // Whether a page without a checksum was read through this object so far.
  bool met_unsealed() const { return met_unsealed_; }
  void forget_unsealed() { met_unsealed_ = false; }  // every page was written anew

 private:
  PageChecksums();
  std::atomic<bool> met_unsealed_{false};
  std::unique_ptr<SqliteLayer> layer_;  // borrows met_unsealed_
};

// Reserves room for the checksums: in a new database at once, in an existing one with its next VACUUM. To be called
// after the page size was chosen.
Status reserve_page_checksums(Database& database);

}  // namespace mneme::storage
