#include "base/thread_pool.h"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

namespace mneme {
namespace {

TEST(ThreadPool, CoversEveryIndexOnce) {
  for (int n_threads : {1, 2, 5}) {
    ThreadPool pool(n_threads);
    for (size_t count : {0u, 1u, 2u, 63u, 1000u}) {
      for (size_t grain : {1u, 7u, 5000u}) {
        std::vector<std::atomic<int>> seen(count);
        pool.parallel_for(count, grain, [&](int worker, size_t begin, size_t end) {
          ASSERT_LT(worker, n_threads);
          for (size_t i = begin; i < end; ++i) seen[i].fetch_add(1);
        });
        for (const auto& n : seen) ASSERT_EQ(n.load(), 1);
      }
    }
  }
}

TEST(ThreadPool, ManyShortLoopsFollowEachOther) {
  ThreadPool pool(3);
  std::atomic<size_t> total{0};
  for (int i = 0; i < 2000; ++i) {
    pool.parallel_for(8, 1, [&](int, size_t begin, size_t end) { total.fetch_add(end - begin); });
  }
  EXPECT_EQ(total.load(), 16000u);
}

}  // namespace
}  // namespace mneme
