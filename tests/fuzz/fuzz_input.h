// Takes an input apart: small numbers and texts from its beginning, the rest as it is. Reading past the end gives
// zeros. Threads: a value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace mneme::fuzz {

class Input {
 public:
  Input(const uint8_t* data, size_t size) : text_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return text_.empty(); }
  uint8_t byte() {
    if (text_.empty()) return 0;
    const auto value = static_cast<uint8_t>(text_.front());
    text_.remove_prefix(1);
    return value;
  }
  // Up to `most` bytes, as many as the next byte says.
  std::string short_text(size_t most) {
    const size_t n = std::min({static_cast<size_t>(byte()), most, text_.size()});
    std::string taken(text_.substr(0, n));
    text_.remove_prefix(n);
    return taken;
  }
  std::string_view rest() const { return text_; }
  ByteSpan rest_bytes() const { return as_bytes(text_); }

 private:
  std::string_view text_;
};

// What a target promises about every input; a broken promise is a finding.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace mneme::fuzz
