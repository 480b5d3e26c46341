// Asking for memory ahead: all of it in the steps there are, and an end to it. Whether it helps is a question of speed.
#include "base/fetch_ahead.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace mneme {
namespace {

TEST(FetchAhead, EnoughLinesInEveryStep) {
  for (const int64_t n_bytes : {0, 1, 64, 4096, 8192, 9000, 16384, 20000, 32768, 1 << 20}) {
    const FetchAhead ahead(nullptr, n_bytes);
    for (const int64_t n_steps : {1, 7, 32, 256}) {
      const int64_t lines = ahead.lines_per_step(n_steps);
      EXPECT_GE(lines * n_steps * 64, n_bytes);
      EXPECT_LE((lines - 1) * n_steps * 64, n_bytes + 8 * 64);
    }
  }
}

TEST(FetchAhead, EndsWithWhatThereIs) {
  alignas(64) static char memory[40000];
  for (const int64_t n_bytes : {0, 1, 5000, 10000, 20000, 40000}) {
    FetchAhead ahead(memory, n_bytes);
    for (int i = 0; i < 10000; ++i) ahead.fetch(i % 20);
  }
}

}  // namespace
}  // namespace mneme
