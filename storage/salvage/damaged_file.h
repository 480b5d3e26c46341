// A catalogue whose pages cannot all be read, held so that no other program has it open, and given page by page. What a
// killed program left in its log has been moved into it, as any program that opens it does; nothing else is written.
// Ownership: holds the file until it ends. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "storage/catalogue/page_checksums.h"
#include "storage/catalogue/sqlite_database.h"
#include "storage/env/file_env.h"
#include "storage/env/sqlite_layer.h"

namespace mneme::storage {

class DamagedFile {
 public:
  // kBusy while another program has it open, kUnsupported for one of a newer mneme or of another program.
  static Result<std::unique_ptr<DamagedFile>> open(const std::string& path, FileEnv& env, int busy_timeout_ms);
  DamagedFile(const DamagedFile&) = delete;
  DamagedFile& operator=(const DamagedFile&) = delete;

  uint32_t n_pages() const { return n_pages_; }
  size_t usable_bytes() const { return usable_bytes_; }  // of a page
  // Where the list of pages in no use begins; 0: there is none, or nobody knows.
  uint32_t first_free_page() const { return first_free_page_; }
  // The first page, where the list of tables begins, is damaged: read() gives one that names none.
  bool first_page_is_lost() const { return first_page_is_lost_; }
  // Pages that the file should have behind its end.
  uint32_t n_missing_pages() const { return n_missing_pages_; }
  // False where what the log holds cannot come into the file: it goes with it then.
  bool has_its_log() const { return has_its_log_; }

  // A page, from 1; false where it is damaged. Errors: what has nothing to do with the page (memory).
  Result<bool> read(uint32_t page, std::vector<std::byte>& out);
  // The first page whatever its checksum says; empty where the disk does not give it.
  std::vector<std::byte> first_page_unchecked();
  // Reads all of them.
  Result<std::vector<uint32_t>> damaged_pages();

 private:
  DamagedFile() = default;
  Status take_alone();
  Status move_log_in();
  Status read_header();

  std::unique_ptr<SqliteLayer> first_page_;
  std::unique_ptr<PageChecksums> checksums_;
  std::unique_ptr<Database> database_;
  sqlite3_file* file_ = nullptr;  // the connection's
  uint32_t n_pages_ = 0;
  size_t usable_bytes_ = 0;
  uint32_t first_free_page_ = 0;
  uint32_t n_missing_pages_ = 0;
  bool first_page_is_lost_ = false;
  bool has_its_log_ = true;
};

}  // namespace mneme::storage
