// Asking for memory ahead: all of it in the steps there are, and an end to it. Whether it helps is a question of speed.
#include "base/fetch_ahead.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace mneme {
namespace {

constexpr int64_t kRuns[] = {1, 8};  // what some processors like best, and others

TEST(FetchAhead, EnoughLinesInEveryStep) {
  for (const int64_t most_runs : kRuns)
    for (const int64_t n_bytes : {0, 1, 64, 4096, 8192, 9000, 16384, 20000, 32768, 1 << 20}) {
      const FetchAhead ahead(nullptr, n_bytes, INT64_MAX, most_runs);
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
    EXPECT_TRUE(ahead.done()) << n_bytes;
  }
}

// How often each line was asked for.
void ask(FetchAhead ahead, std::map<int64_t, int>& times) {
  ahead.take(INT64_MAX, [&](const char* line) { ++times[reinterpret_cast<intptr_t>(line) / 64]; });
}

TEST(FetchAhead, SharesAskForEveryLineOnceBlockByBlock) {
  alignas(64) static char memory[1 << 20];
  const int64_t first_line = reinterpret_cast<intptr_t>(memory) / 64;
  for (const int64_t most_runs : kRuns)
    for (const int64_t block : {4096, 18432, 73728})
      for (const int64_t n_blocks : {1, 3, 7}) {
        FetchAhead ahead(memory, n_blocks * block, block, most_runs);
        std::map<int64_t, int> times;
        for (int64_t n = 1; !ahead.done(); n = n * 7 % 401) {
          const auto n_before = static_cast<int64_t>(times.size());
          ask(ahead.share(n), times);
          EXPECT_LE(static_cast<int64_t>(times.size()), n_before + n + most_runs);
        }
        ASSERT_EQ(static_cast<int64_t>(times.size()), n_blocks * block / 64);
        for (const auto& [line, n_times] : times) ASSERT_EQ(n_times, 1) << line - first_line;
      }
}

TEST(FetchAhead, SharesOfOneRunAreToldAsAddresses) {
  alignas(64) static char memory[1 << 20];
  EXPECT_FALSE(FetchAhead(memory, 1 << 16, INT64_MAX, 8).is_one_run());
  for (const int64_t n_bytes : {0, 1, 4096, 3 * 18432, 100000}) {
    FetchAhead ahead(memory, n_bytes, 18432, 1);
    ASSERT_TRUE(ahead.is_one_run());
    for (int64_t n = 1; !ahead.done(); n = n * 7 % 401) {
      const FetchAhead share = ahead.share(n);
      std::map<int64_t, int> times;
      ask(share, times);
      ASSERT_EQ(static_cast<int64_t>(times.size()), share.n_lines_allowed());
      if (times.empty()) continue;
      EXPECT_EQ(times.begin()->first, reinterpret_cast<intptr_t>(share.next_line()) / 64);
      EXPECT_EQ(times.rbegin()->first - times.begin()->first, share.n_lines_allowed() - 1);
    }
  }
}

TEST(FetchAhead, LinesUntilAnAddressCoverWhatLiesBefore) {
  alignas(64) static char memory[1 << 20];
  const int64_t first_line = reinterpret_cast<intptr_t>(memory) / 64;
  constexpr int64_t kBlock = 18432;
  constexpr int64_t kBytes = 5 * kBlock + 4096;
  for (const int64_t n_asked : {0, 5, 100, 288, 289, 900})
    for (int64_t end = 64; end <= kBytes; end += 64 * 13)
      for (const int64_t most_runs : kRuns) {
        FetchAhead ahead(memory, kBytes, kBlock, most_runs);
        std::map<int64_t, int> times;
        ask(ahead.share(n_asked), times);
        ask(ahead.share(ahead.n_lines_until(memory + end)), times);
        for (int64_t line = 0; line < end / 64; ++line) ASSERT_EQ(times.count(first_line + line), 1u) << end;
      }
}

}  // namespace
}  // namespace mneme
