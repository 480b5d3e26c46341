#include "base/streamed_copy.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace mneme {
namespace {

// From and to any address; nothing beside it is touched.
TEST(StreamedCopy, CopiesEveryLengthToEveryPlace) {
  constexpr size_t kRoom = 64;
  constexpr auto kUntouched = std::byte{0xee};
  std::vector<std::byte> from(1024);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + i / 256);
  for (size_t n = 0; n < 400; n += n < 150 ? 1 : 37) {
    for (const size_t to_offset : {0u, 1u, 15u, 16u, 40u, 63u}) {
      for (const size_t from_offset : {0u, 3u, 16u}) {
        std::vector<std::byte> to(n + 2 * kRoom + to_offset, kUntouched);
        copy_streamed(to.data() + kRoom + to_offset, from.data() + from_offset, n);
        for (size_t i = 0; i < to.size(); ++i) {
          const bool is_copied = i >= kRoom + to_offset && i < kRoom + to_offset + n;
          ASSERT_EQ(to[i], is_copied ? from[from_offset + i - kRoom - to_offset] : kUntouched)
              << n << " bytes, byte " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mneme
