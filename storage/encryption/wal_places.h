// Where the parts of SQLite's write-ahead log lie in an encrypted file, so that no two of them share a block of the
// cipher: then a write never touches what is beside it, and a power cut in the middle of one costs only what was being
// written. A frame's head (24 bytes) takes 32; all else keeps its size. Offsets count bytes of contents.
// Format of the log: https://www.sqlite.org/fileformat2.html#walformat. Threads: a value.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace mneme::storage {

class WalPlaces {
 public:
  // From the log's head (its first 32 bytes); nothing where they are none, as in an empty log.
  static std::optional<WalPlaces> from_head(ByteSpan head);

  struct Piece {
    int64_t at = 0;       // in the encrypted file's contents
    int64_t size = 0;     // of the log
    int64_t padding = 0;  // bytes behind it that are nobody's, where the piece reaches the end of its part
  };
  // The log's bytes [offset, offset + size), in order.
  std::vector<Piece> pieces(int64_t offset, int64_t size) const;

  int64_t encrypted_size(int64_t log_size) const;
  int64_t log_size(int64_t encrypted_size) const;

 private:
  explicit WalPlaces(int64_t page_bytes) : page_bytes_(page_bytes) {}
  int64_t page_bytes_;
};

}  // namespace mneme::storage
