// Numbers at places that a file names, by base/bytes.h: what is not all there reads as zero. Internal to rag/readers.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace mneme::readers {

// As much of it as is there.
inline std::string_view bytes_at(std::string_view bytes, size_t at, size_t size) {
  return at < bytes.size() ? bytes.substr(at, size) : std::string_view();
}

template <typename Number>
Number number_at(std::string_view bytes, size_t at) {
  return ByteReader(as_bytes(bytes_at(bytes, at, sizeof(Number)))).read<Number>();
}
inline uint8_t u8_at(std::string_view bytes, size_t at) {
  return number_at<uint8_t>(bytes, at);
}
inline uint16_t u16_at(std::string_view bytes, size_t at) {
  return number_at<uint16_t>(bytes, at);
}
inline uint32_t u32_at(std::string_view bytes, size_t at) {
  return number_at<uint32_t>(bytes, at);
}
inline uint64_t u64_at(std::string_view bytes, size_t at) {
  return number_at<uint64_t>(bytes, at);
}

}  // namespace mneme::readers
