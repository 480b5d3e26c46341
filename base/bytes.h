// Byte spans and a bounded little-endian reader: the only way bytes from a file become numbers.
// Ownership: spans borrow. Threads: values.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace mneme {

static_assert(std::endian::native == std::endian::little, "file formats here are little-endian and read in place");

using ByteSpan = std::span<const std::byte>;
using MutableByteSpan = std::span<std::byte>;

inline ByteSpan as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
inline std::string_view as_text(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// a * b and a + b, or nothing when the result does not fit.
std::optional<uint64_t> checked_multiply(uint64_t a, uint64_t b);
std::optional<uint64_t> checked_add(uint64_t a, uint64_t b);

// Reads forward through a span; every read is bounded by the bytes left and fails softly: after the first failure all
// reads give zero values and ok() is false, so that a parser may check once per record.
class ByteReader {
 public:
  explicit ByteReader(ByteSpan bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  size_t offset() const { return offset_; }
  size_t left() const { return bytes_.size() - offset_; }

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T read() {
    T value{};
    if (take(sizeof(T))) std::memcpy(&value, bytes_.data() + offset_ - sizeof(T), sizeof(T));
    return value;
  }
  ByteSpan read_bytes(size_t count) {
    if (!take(count)) return {};
    return bytes_.subspan(offset_ - count, count);
  }
  void skip(size_t count) { take(count); }

 private:
  bool take(size_t count) {
    if (!ok_ || count > left()) {
      ok_ = false;
      return false;
    }
    offset_ += count;
    return true;
  }

  ByteSpan bytes_;
  size_t offset_ = 0;
  bool ok_ = true;
};

}  // namespace mneme
