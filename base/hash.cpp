#include "base/hash.h"

#include <new>

#include <xxhash.h>

namespace mneme {

uint64_t xxh64(ByteSpan bytes, uint64_t seed) {
  return XXH64(bytes.data(), bytes.size(), seed);
}
uint64_t xxh3_64(ByteSpan bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Hash128 xxh3_128(ByteSpan bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string Hash128::hex() const {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[static_cast<size_t>(15 - i)] = kDigits[(high >> (4 * i)) & 15];
    text[static_cast<size_t>(31 - i)] = kDigits[(low >> (4 * i)) & 15];
  }
  return text;
}

Hasher128::Hasher128() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(static_cast<XXH3_state_t*>(state_));
}
Hasher128::~Hasher128() {
  XXH3_freeState(static_cast<XXH3_state_t*>(state_));
}

void Hasher128::add_raw(ByteSpan bytes) {
  XXH3_128bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
}
void Hasher128::add(uint64_t value) {
  add_raw(std::as_bytes(std::span(&value, 1)));
}
void Hasher128::add(ByteSpan bytes) {
  add(static_cast<uint64_t>(bytes.size()));
  add_raw(bytes);
}
Hash128 Hasher128::finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(static_cast<const XXH3_state_t*>(state_));
  return {hash.high64, hash.low64};
}

}  // namespace mneme
