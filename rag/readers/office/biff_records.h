// The records that Excel's files before 2007 are made of (MS-XLS, "BIFF"): numbered pieces of a stream, of which long
// ones go on in further records. Internal to rag/readers. Ownership: borrow the stream. Threads: one thread each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::readers {

struct BiffRecord {
  uint16_t type = 0;
  size_t place = 0;                      // in the stream
  std::vector<std::string_view> pieces;  // its own bytes, and those of the records that continue it

  std::string_view data() const { return pieces.front(); }
};

class BiffRecords {
 public:
  explicit BiffRecords(std::string_view stream, size_t place = 0) : stream_(stream), at_(place) {}

  // False at the end, also of a stream that ends within a record.
  bool next(BiffRecord& record);
  size_t place() const { return at_; }

 private:
  bool take_piece(BiffRecord& record);

  std::string_view stream_;
  size_t at_;
};

// Reads on over the borders of a record's pieces. What is not there reads as zero, and ok() is false from then on.
class BiffBytes {
 public:
  explicit BiffBytes(const BiffRecord& record, size_t at = 0) : pieces_(record.pieces), at_(at) {}

  bool ok() const { return ok_; }
  bool is_at_end() const { return left() == 0 && piece_ + 1 >= pieces_.size(); }
  uint8_t u8();
  uint16_t u16();
  uint32_t u32();
  void skip(size_t count);
  void begin_piece(size_t number);
  std::string bytes(size_t count);
  // So many characters of two bytes or one; each piece begins with a byte that says anew which.
  std::u16string characters(size_t count, bool is_wide);

 private:
  bool find_bytes();  // in this piece or the next that has some
  size_t left() const {
    return piece_ < pieces_.size() && at_ < pieces_[piece_].size() ? pieces_[piece_].size() - at_ : 0;
  }

  const std::vector<std::string_view>& pieces_;
  size_t piece_ = 0;
  size_t at_;
  bool ok_ = true;
};

}  // namespace mneme::readers
