#include "storage/encryption/encrypted_sqlite.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/encryption/encrypted_header.h"
#include "storage/encryption/file_cipher.h"
#include "storage/encryption/wal_places.h"

namespace mneme::storage {
namespace {

constexpr auto kHead = static_cast<sqlite3_int64>(kEncryptedHeaderBytes);
constexpr sqlite3_int64 kLogHead = 32;
constexpr auto kBlock = static_cast<sqlite3_int64>(FileCipher::kBlockBytes);

sqlite3_int64 block_below(sqlite3_int64 offset) {
  return offset - offset % kBlock;
}
sqlite3_int64 block_above(sqlite3_int64 offset) {
  return block_below(offset + kBlock - 1);
}

int io_code(const Status& status, int otherwise) {
  if (status.ok()) return SQLITE_OK;
  if (status.code() != StatusCode::kResource) sqlite3_log(otherwise, "%s", status.message().c_str());
  return status.code() == StatusCode::kResource ? SQLITE_IOERR_NOMEM : otherwise;
}

enum class Role { kDatabase, kLog, kOther };  // kOther: journals and temporary files

Role role_of(int open_flags) {
  if ((open_flags & SQLITE_OPEN_MAIN_DB) != 0) return Role::kDatabase;
  return (open_flags & SQLITE_OPEN_WAL) != 0 ? Role::kLog : Role::kOther;
}

class EncryptedSqliteFile final : public ForwardingSqliteFile {
 public:
  EncryptedSqliteFile(sqlite3_file* below, std::shared_ptr<const Secret> home_key, std::string name, Role role)
      : ForwardingSqliteFile(below), home_key_(std::move(home_key)), name_(std::move(name)), role_(role) {}

  int read(void* out, int size, sqlite3_int64 offset) override {
    return guarded([&] { return read_contents(static_cast<std::byte*>(out), size, offset); });
  }
  int write(const void* data, int size, sqlite3_int64 offset) override {
    return guarded([&] { return write_contents(static_cast<const std::byte*>(data), size, offset); });
  }
  int truncate(sqlite3_int64 size) override {
    return guarded([&] { return truncate_contents(size); });
  }
  int file_size(sqlite3_int64* size) override {
    return guarded([&] { return contents_size(size); });
  }

 private:
  template <typename Call>
  static int guarded(const Call& call) {
    try {
      return call();
    } catch (const std::bad_alloc&) {
      return SQLITE_IOERR_NOMEM;
    }
  }

  // Another process may have begun the file since we last looked. OK without a cipher: nothing is written yet.
  int find_header() {
    if (cipher_ == nullptr) {
      if (const int code = read_header(); code != SQLITE_OK || cipher_ == nullptr) return code;
    }
    if (role_ != Role::kLog || places_) return SQLITE_OK;
    const int code = read_blocks(0, kLogHead);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
    places_ = WalPlaces::from_head(work_);
    return SQLITE_OK;
  }

  int read_header() {
    sqlite3_int64 size = 0;
    if (const int code = ForwardingSqliteFile::file_size(&size); code != SQLITE_OK) return code;
    if (size == 0) return SQLITE_OK;
    std::vector<std::byte> head(kEncryptedHeaderBytes);
    const int code = ForwardingSqliteFile::read(head.data(), static_cast<int>(head.size()), 0);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
    const Result<EncryptedHeader> header = parse_header(head, *home_key_, name_);
    if (header.ok()) return take(*header);
    // The power went while the file was begun: nothing was promised yet. A log or journal that does not begin soundly
    // holds nothing for SQLite either.
    const bool may_be_torn = header.status().code() == StatusCode::kCorruption;
    if (may_be_torn && (role_ != Role::kDatabase || size <= kHead)) return SQLITE_OK;
    return io_code(header.status(), SQLITE_NOTADB);
  }

  int take(const EncryptedHeader& header) {
    Result<std::unique_ptr<FileCipher>> cipher = FileCipher::make(*home_key_, header.mode, header.number);
    if (!cipher.ok()) return io_code(cipher.status(), SQLITE_IOERR);
    cipher_ = std::move(cipher).value();
    return SQLITE_OK;
  }

  int begin_file() {
    const Result<EncryptedHeader> header = new_encrypted_header(FileMode::kBlocks);
    if (!header.ok()) return io_code(header.status(), SQLITE_IOERR_WRITE);
    const Result<std::vector<std::byte>> head = header_bytes(*header, *home_key_);
    if (!head.ok()) return io_code(head.status(), SQLITE_IOERR_WRITE);
    if (const int code = ForwardingSqliteFile::write(head->data(), static_cast<int>(head->size()), 0);
        code != SQLITE_OK) {
      return code;
    }
    // A database that has pages has its header.
    if (role_ == Role::kDatabase) {
      if (const int code = ForwardingSqliteFile::sync(SQLITE_SYNC_NORMAL); code != SQLITE_OK) return code;
    }
    return take(*header);
  }

  // Whole blocks in work_; past the end zeros, and SQLITE_IOERR_SHORT_READ.
  int read_blocks(sqlite3_int64 begin, sqlite3_int64 end) {
    work_.assign(static_cast<size_t>(end - begin), std::byte{0});
    const int code = ForwardingSqliteFile::read(work_.data(), static_cast<int>(work_.size()), kHead + begin);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
    const Status status = cipher_->decrypt(static_cast<uint64_t>(begin), work_);
    return status.ok() ? code : io_code(status, SQLITE_IOERR_READ);
  }

  int read_contents(std::byte* out, int size, sqlite3_int64 offset) {
    if (const int code = find_header(); code != SQLITE_OK) return code;
    if (cipher_ == nullptr) {
      std::memset(out, 0, static_cast<size_t>(size));
      return SQLITE_IOERR_SHORT_READ;
    }
    int worst = SQLITE_OK;
    for (const WalPlaces::Piece& piece : places_of(offset, size)) {
      const sqlite3_int64 begin = block_below(piece.at);
      const int code = read_blocks(begin, block_above(piece.at + piece.size));
      if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
      if (code != SQLITE_OK) worst = code;
      out = std::copy_n(work_.data() + (piece.at - begin), piece.size, out);
    }
    return worst;
  }

  // The contents of the block that holds `offset`; zeros where the file ends before.
  int block_at(sqlite3_int64 offset, std::byte* out) {
    const sqlite3_int64 begin = block_below(offset);
    const int code = read_blocks(begin, begin + kBlock);
    if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
    std::copy(work_.begin(), work_.end(), out);
    return SQLITE_OK;
  }

  int write_contents(const std::byte* data, int size, sqlite3_int64 offset) {
    if (const int code = find_header(); code != SQLITE_OK) return code;
    if (cipher_ == nullptr) {
      if (const int code = begin_file(); code != SQLITE_OK) return code;
    }
    if (role_ == Role::kLog && offset == 0) places_ = WalPlaces::from_head(ByteSpan(data, static_cast<size_t>(size)));
    for (const WalPlaces::Piece& piece : places_of(offset, size)) {
      if (const int code = write_piece(data, piece); code != SQLITE_OK) return code;
      data += piece.size;
    }
    return SQLITE_OK;
  }

  int write_piece(const std::byte* data, const WalPlaces::Piece& piece) {
    const sqlite3_int64 begin = block_below(piece.at);
    const sqlite3_int64 data_end = piece.at + piece.size;
    const sqlite3_int64 end = block_above(data_end + piece.padding);
    std::byte first[kBlock] = {};
    std::byte last[kBlock] = {};
    if (begin < piece.at) {
      if (const int code = block_at(begin, first); code != SQLITE_OK) return code;
    }
    if (end > data_end + piece.padding) {
      if (const int code = block_at(end - kBlock, last); code != SQLITE_OK) return code;
    }
    work_.assign(static_cast<size_t>(end - begin), std::byte{0});
    // Where all lies in one block, what is before the write is in both.
    std::copy_n(last, kBlock, work_.end() - kBlock);
    std::copy_n(first, piece.at - begin, work_.begin());
    std::copy_n(data, piece.size, work_.begin() + (piece.at - begin));
    if (const Status status = cipher_->encrypt(static_cast<uint64_t>(begin), work_); !status.ok()) {
      return io_code(status, SQLITE_IOERR_WRITE);
    }
    return ForwardingSqliteFile::write(work_.data(), static_cast<int>(work_.size()), kHead + begin);
  }

  int truncate_contents(sqlite3_int64 size) {
    sqlite3_int64 present = 0;
    if (const int code = ForwardingSqliteFile::file_size(&present); code != SQLITE_OK) return code;
    if (const int code = find_header(); code != SQLITE_OK) return code;
    const sqlite3_int64 contents = places_ ? places_->encrypted_size(size) : size;
    return ForwardingSqliteFile::truncate(std::min(present, kHead) + block_above(contents));
  }

  int contents_size(sqlite3_int64* size) {
    if (const int code = ForwardingSqliteFile::file_size(size); code != SQLITE_OK) return code;
    *size = std::max<sqlite3_int64>(*size - kHead, 0);
    if (*size == 0) return SQLITE_OK;
    if (const int code = find_header(); code != SQLITE_OK) return code;
    if (cipher_ == nullptr) *size = 0;
    if (places_) *size = places_->log_size(*size);
    return SQLITE_OK;
  }

  // The log's parts, or the range as it is; and where the log lies may only be known since another process began it.
  std::vector<WalPlaces::Piece> places_of(sqlite3_int64 offset, int size) const {
    if (places_) return places_->pieces(offset, size);
    return {{.at = offset, .size = size, .padding = 0}};
  }

  std::shared_ptr<const Secret> home_key_;
  std::string name_;
  Role role_;
  std::unique_ptr<FileCipher> cipher_;
  std::optional<WalPlaces> places_;  // of a log that has a head
  std::vector<std::byte> work_;
};

class EncryptedLayer final : public SqliteLayer {
 public:
  EncryptedLayer(sqlite3_vfs* below, std::shared_ptr<const Secret> home_key)
      : SqliteLayer("mneme-encrypted", below), home_key_(std::move(home_key)) {}

  int open(const char* name, sqlite3_file* room, int flags, int* out_flags) override {
    std::unique_ptr<SqliteFile> file;
    try {
      file = std::make_unique<EncryptedSqliteFile>(room_below(room), home_key_,
                                                   name != nullptr ? name : "a temporary file", role_of(flags));
    } catch (const std::bad_alloc&) {
      file = nullptr;  // open_over() says so
    }
    return open_over(std::move(file), name, room, flags, out_flags);
  }

 private:
  std::shared_ptr<const Secret> home_key_;
};

}  // namespace

Result<std::unique_ptr<SqliteLayer>> make_encrypted_layer(const char* under, std::shared_ptr<const Secret> home_key) {
  return offer_layer(under,
                     [&](sqlite3_vfs* below) { return std::make_unique<EncryptedLayer>(below, std::move(home_key)); });
}

}  // namespace mneme::storage
