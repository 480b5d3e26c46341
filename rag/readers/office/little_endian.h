// Numbers in bytes that may end anywhere: what is beyond the end reads as zero. Internal to rag/readers. Threads: pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mneme::readers {

inline uint8_t u8_at(std::string_view bytes, size_t at) {
  return at < bytes.size() ? static_cast<uint8_t>(bytes[at]) : uint8_t{0};
}
inline uint16_t u16_at(std::string_view bytes, size_t at) {
  return static_cast<uint16_t>(u8_at(bytes, at) | u8_at(bytes, at + 1) << 8);
}
inline uint32_t u32_at(std::string_view bytes, size_t at) {
  return u16_at(bytes, at) | static_cast<uint32_t>(u16_at(bytes, at + 2)) << 16;
}
inline uint64_t u64_at(std::string_view bytes, size_t at) {
  return u32_at(bytes, at) | static_cast<uint64_t>(u32_at(bytes, at + 4)) << 32;
}
// As much of it as is there.
inline std::string_view bytes_at(std::string_view bytes, size_t at, size_t size) {
  return at < bytes.size() ? bytes.substr(at, size) : std::string_view();
}

}  // namespace mneme::readers
