// xxHash in two sizes. Checksums and identities here guard against accidents, not against attackers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace mneme {

uint64_t xxh64(ByteSpan bytes, uint64_t seed = 0);  // the classic XXH64, as the test splits use
uint64_t xxh3_64(ByteSpan bytes);                   // checksums

// 128-bit identity of content (XXH3), printed as 32 lower-case hex digits.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
  std::string hex() const;
};
Hash128 xxh3_128(ByteSpan bytes);

// Feeds several pieces into one 128-bit hash, lengths included so that pieces cannot run together.
class Hasher128 {
 public:
  Hasher128();
  ~Hasher128();
  Hasher128(const Hasher128&) = delete;
  Hasher128& operator=(const Hasher128&) = delete;
  void add(ByteSpan bytes);
  void add(std::string_view text) { add(as_bytes(text)); }
  void add(uint64_t value);
  // Raw bytes without a length: for content that arrives in arbitrary slices.
  void add_raw(ByteSpan bytes);
  Hash128 finish() const;

 private:
  void* state_;
};

}  // namespace mneme
