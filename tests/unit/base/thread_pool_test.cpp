#include "base/thread_pool.h"

#include <atomic>
#include <chrono>
#include <thread>
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

TEST(ThreadPool, LoopsAfterPausesWakeTheWorkers) {
  ThreadPool pool(3);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // longer than workers spin
    std::atomic<size_t> total{0};
    pool.parallel_for(64, 1, [&](int, size_t begin, size_t end) { total.fetch_add(end - begin); });
    ASSERT_EQ(total.load(), 64u);
  }
}

TEST(ThreadPool, EveryWorkerTakesPartWhenWorkIsLong) {
  ThreadPool pool(2);
  std::atomic<int> workers{0};
  // Each half waits for the other to have begun: ends only when both threads work on the loop.
  pool.parallel_for(2, 1, [&](int, size_t, size_t) {
    ++workers;
    while (workers.load() < 2) std::this_thread::yield();
  });
  EXPECT_EQ(workers.load(), 2);
}

TEST(ThreadPool, CallersOfSeveralThreadsTakeTurns) {
  ThreadPool pool(2);
  std::atomic<size_t> total{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i)
        pool.parallel_for(16, 1, [&](int, size_t begin, size_t end) { total.fetch_add(end - begin); });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total.load(), 4u * 300 * 16);
}

}  // namespace
}  // namespace mneme
