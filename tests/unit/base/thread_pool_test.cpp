#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <new>
#include <span>
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

TEST(ThreadPool, PartsCoverEveryIndexOnce) {
  for (int n_threads : {1, 2, 5}) {
    ThreadPool pool(n_threads);
    for (size_t count : {0u, 1u, 2u, 63u, 1000u}) {
      EXPECT_EQ(pool.part_begin(count, 0), 0u);
      EXPECT_EQ(pool.part_begin(count, n_threads), count);
      for (size_t grain : {1u, 7u, 5000u}) {
        std::vector<std::atomic<int>> seen(count);
        pool.parallel_for_parts(count, grain, [&](int worker, size_t begin, size_t end) {
          ASSERT_LT(worker, n_threads);
          for (size_t i = begin; i < end; ++i) seen[i].fetch_add(1);
        });
        for (const auto& n : seen) ASSERT_EQ(n.load(), 1);
      }
    }
  }
}

TEST(ThreadPool, OfTheirOwnPartsWorkersTakeManyAtOnceButLeaveHalf) {
  ThreadPool pool(2);
  std::vector<std::atomic<int>> seen(200);
  std::atomic<int> begun{0};
  std::vector<size_t> lengths[2];
  const auto body = [&](int worker, size_t begin, size_t end) {
    // Both have begun before either gets far: nobody needs help.
    if (lengths[worker].empty()) ++begun;
    while (begun.load() < 2) std::this_thread::yield();
    lengths[worker].push_back(end - begin);
    for (size_t i = begin; i < end; ++i) seen[i].fetch_add(1);
  };
  pool.parallel_for_parts(200, 1, body, 8);
  for (const auto& n : seen) ASSERT_EQ(n.load(), 1);
  for (int worker : {0, 1}) {
    ASSERT_FALSE(lengths[worker].empty());
    EXPECT_EQ(lengths[worker].front(), 8u);
    for (const size_t length : lengths[worker]) EXPECT_LE(length, 8u);
  }
}

TEST(ThreadPool, WorkersTakeTheirOwnPartsInOrder) {
  ThreadPool pool(2);
  std::atomic<int> begun{0};
  std::vector<size_t> order[2];
  pool.parallel_for_parts(100, 1, [&](int worker, size_t begin, size_t) {
    // Both have begun before either gets far: nobody needs help.
    if (order[worker].empty()) ++begun;
    while (begun.load() < 2) std::this_thread::yield();
    order[worker].push_back(begin);
  });
  for (int worker : {0, 1}) {
    ASSERT_FALSE(order[worker].empty());
    EXPECT_EQ(order[worker].front(), pool.part_begin(100, worker));
    const size_t own_end = pool.part_begin(100, worker + 1);
    for (size_t i = 1; i < order[worker].size() && order[worker][i] < own_end && order[worker][i] >= order[worker][0];
         ++i)
      EXPECT_EQ(order[worker][i], order[worker][i - 1] + 1);
  }
}

TEST(ThreadPool, ABusyWorkersPartIsDoneByTheOthers) {
  ThreadPool pool(2);
  std::atomic<int> done{0};
  pool.parallel_for_parts(40, 1, [&](int, size_t begin, size_t) {
    // Whoever has index 0 finishes it only when all the rest is done.
    while (begin == 0 && done.load() < 39) std::this_thread::yield();
    ++done;
  });
  EXPECT_EQ(done.load(), 40);
}

TEST(ThreadPool, ALoopWithinALoopIsRunByItsThread) {
  for (int n_threads : {1, 2, 5}) {
    ThreadPool pool(n_threads);
    std::vector<std::atomic<int>> seen(20 * 30);
    std::atomic<int> strangers{0};
    pool.parallel_for(20, 1, [&](int worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        pool.parallel_for(30, 1, [&](int inner_worker, size_t inner_begin, size_t inner_end) {
          strangers += inner_worker == worker ? 0 : 1;
          for (size_t j = inner_begin; j < inner_end; ++j) seen[i * 30 + j].fetch_add(1);
        });
      }
    });
    for (const auto& n : seen) ASSERT_EQ(n.load(), 1);
    EXPECT_EQ(strangers.load(), 0);
  }
}

TEST(ThreadPool, WhatABodyThrowsReachesTheCallerAndThePoolGoesOn) {
  for (const int n_threads : {1, 2, 5}) {
    ThreadPool pool(n_threads);
    for (const bool in_parts : {false, true}) {
      const auto run = [&](const std::function<void(int, size_t, size_t)>& body) {
        in_parts ? pool.parallel_for_parts(100, 1, body) : pool.parallel_for(100, 1, body);
      };
      for (int round = 0; round < 20; ++round) {
        EXPECT_THROW(run([](int, size_t begin, size_t end) {
                       if (begin <= 57 && 57 < end) throw std::bad_alloc();
                     }),
                     std::bad_alloc);
        std::atomic<size_t> n = 0;
        run([&](int, size_t begin, size_t end) { n += end - begin; });
        ASSERT_EQ(n.load(), 100u) << n_threads << " threads, " << in_parts;
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

// Whether the process takes next to no processor time during a tenth of a second, within a minute: a worker that was
// pushed aside while it span goes on spinning when it is let run.
bool falls_asleep() {
  for (int look = 0; look < 600; ++look) {
    const std::clock_t before = std::clock();  // of all threads of the process
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 0.02) return true;
  }
  return false;
}

TEST(ThreadPool, IdleWorkersSleep) {
  ThreadPool pool(4);
  pool.parallel_for(64, 1, [](int, size_t, size_t) {});
  EXPECT_TRUE(falls_asleep());
}

TEST(ThreadPool, WhatThreadsFetchWhileTheyWaitNeedNotBeThere) {
  ThreadPool pool(3);
  const auto nowhere = reinterpret_cast<const uint8_t*>(uintptr_t{1} << 46);
  std::vector<std::span<const uint8_t>> pieces(ThreadPool::kMostWaitingReads + 3, {nowhere, 100'000});
  std::atomic<size_t> total{0};
  for (int i = 0; i < 200; ++i) {
    pool.parallel_for_parts(30, 1, [&](int, size_t begin, size_t end) {
      ThreadPool::read_while_waiting(std::span(pieces).first((static_cast<size_t>(i) + begin) % pieces.size()));
      total.fetch_add(end - begin);
    });
  }
  EXPECT_EQ(total.load(), 6000u);
}

TEST(ThreadPool, IdleWorkersSleepHoweverMuchTheyMayFetch) {
  ThreadPool pool(2);
  static uint8_t memory[1 << 20];
  const std::vector<std::span<const uint8_t>> pieces(ThreadPool::kMostWaitingReads, memory);
  pool.parallel_for(64, 1, [&](int, size_t, size_t) { ThreadPool::read_while_waiting(pieces); });
  EXPECT_TRUE(falls_asleep());
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

// Each worker of a loop says how the scheduler ranks it; loops until all have said so.
std::vector<int> policies_of(ThreadPool& pool) {
  std::vector<std::atomic<int>> said(static_cast<size_t>(pool.n_threads()));
  for (std::atomic<int>& policy : said) policy = -1;
  const auto complete = [&] { return std::all_of(said.begin(), said.end(), [](const auto& p) { return p >= 0; }); };
  for (int loop = 0; loop < 100'000 && !complete(); ++loop) {
    pool.parallel_for(said.size(), 1, [&](int worker, size_t, size_t) {
      said[static_cast<size_t>(worker)] = ::sched_getscheduler(0);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // leaves something for the others
    });
  }
  return {said.begin(), said.end()};
}

TEST(ThreadPool, WorkersRankAsTheirCallers) {
  ThreadPool pool(3);
  EXPECT_EQ(policies_of(pool), (std::vector<int>(3, SCHED_OTHER)));
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<int> behind;
    std::thread background([&] {
      const sched_param none{};
      ASSERT_EQ(::sched_setscheduler(0, SCHED_IDLE, &none), 0);
      behind = policies_of(pool);
    });
    background.join();
    EXPECT_EQ(behind, (std::vector<int>(3, SCHED_IDLE)));
    EXPECT_EQ(policies_of(pool), (std::vector<int>(3, SCHED_OTHER)));
  }
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
