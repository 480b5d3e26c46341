#include "base/streamed_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace mneme {

#if defined(__SSE2__)

namespace {

constexpr size_t kVector = sizeof(__m128i);
constexpr size_t kLine = 4 * kVector;  // written at once: half of a line would be read first after all

__m128i load(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
void store(std::byte* to, __m128i vector) {
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), vector);
}

}  // namespace

void copy_streamed(std::byte* to, const std::byte* from, size_t n_bytes) {
  const size_t before_line = (kLine - reinterpret_cast<uintptr_t>(to) % kLine) % kLine;
  const size_t first = std::min(before_line, n_bytes);
  std::memcpy(to, from, first);
  size_t at = first;
  for (; at + kLine <= n_bytes; at += kLine) {
    const __m128i line[] = {load(from + at), load(from + at + kVector), load(from + at + 2 * kVector),
                            load(from + at + 3 * kVector)};
    for (size_t i = 0; i < 4; ++i) store(to + at + i * kVector, line[i]);
  }
  std::memcpy(to + at, from + at, n_bytes - at);
  _mm_sfence();
}

#else

void copy_streamed(std::byte* to, const std::byte* from, size_t n_bytes) {
  std::memcpy(to, from, n_bytes);
}

#endif

}  // namespace mneme
