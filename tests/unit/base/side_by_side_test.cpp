#include "base/side_by_side.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace mneme {
namespace {

TEST(SideBySide, CoversEveryIndexOnce) {
  for (const int n_threads : {0, 1, 2, 7}) {
    for (const size_t count : {0u, 1u, 5u, 1000u}) {
      for (const size_t grain : {1u, 3u, 2000u}) {
        std::vector<std::atomic<int>> visits(count);
        side_by_side(n_threads, count, grain, [&](size_t begin, size_t end) {
          EXPECT_LE(end - begin, grain);
          for (size_t i = begin; i < end; ++i) ++visits[i];
        });
        for (const std::atomic<int>& n : visits) EXPECT_EQ(n, 1) << n_threads << " " << count << " " << grain;
      }
    }
  }
}

TEST(SideBySide, WhatABodyThrowsEndsTheLoop) {
  for (const int n_threads : {1, 3}) {
    std::atomic<size_t> done{0};
    const auto body = [&](size_t begin, size_t) {
      if (begin == 5) throw std::runtime_error("five");
      ++done;
    };
    EXPECT_THROW(side_by_side(n_threads, 1'000'000, 1, body), std::runtime_error);
    EXPECT_LT(done, 1'000'000u);
  }
}

}  // namespace
}  // namespace mneme
