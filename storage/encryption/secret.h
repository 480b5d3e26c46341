// Bytes that nobody else is to see: overwritten when their owner ends.
// Ownership: owns its bytes. Threads: a value.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace mneme::storage {

class Secret {
 public:
  explicit Secret(size_t n_bytes);
  explicit Secret(std::string_view text);
  ~Secret();
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&&) = delete;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  MutableByteSpan bytes() { return {bytes_.get(), size_}; }
  ByteSpan bytes() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  size_t size_;
};

// Overwrites what a string holds, so that the compiler cannot leave it out.
void wipe(std::string& text);

}  // namespace mneme::storage
