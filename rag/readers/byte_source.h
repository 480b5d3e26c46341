// Bytes that are read a piece at a time: a file on disk, what another process hands over, or a text in memory. What is
// read by pieces may be larger than memory.
// Ownership: as each class says. Threads: one thread each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"

namespace mneme::readers {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  virtual uint64_t size() const = 0;

  // Bytes from `offset` on into `out`: as many as it holds, fewer only at the end of the source; gives how many.
  // Errors: those of where the bytes come from; nothing more can be read then.
  virtual Result<size_t> read(uint64_t offset, std::span<char> out) = 0;
};

// Borrows the bytes.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

  uint64_t size() const override { return bytes_.size(); }
  Result<size_t> read(uint64_t offset, std::span<char> out) override {
    if (offset >= bytes_.size()) return size_t{0};
    return bytes_.copy(out.data(), out.size(), static_cast<size_t>(offset));
  }

 private:
  const std::string_view bytes_;
};

}  // namespace mneme::readers
