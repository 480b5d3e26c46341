// The queue between workers and the writer: order, waiting, and an end that nobody waits for.
#include "rag/indexing/work_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace mneme::rag {
namespace {

constexpr std::chrono::hours kForEver{1};

TEST(WorkQueueTest, GivesWhatWasPushedInOrder) {
  WorkQueue<int> queue(8, 1);
  EXPECT_TRUE(queue.push(1));
  EXPECT_TRUE(queue.push(2));
  EXPECT_EQ(queue.pop(kForEver), 1);
  EXPECT_EQ(queue.pop(kForEver), 2);
  EXPECT_EQ(queue.pop(std::chrono::milliseconds(1)), std::nullopt);
  EXPECT_FALSE(queue.drained()) << "its pusher may still push";
}

// A run over files ends when the last worker does, not when the patience of the one who waits for more is over.
TEST(WorkQueueTest, NobodyWaitsForPushersThatHaveGone) {
  WorkQueue<int> queue(1, 3);
  std::vector<std::jthread> pushers;
  for (int pusher = 0; pusher < 3; ++pusher) {
    pushers.emplace_back([&queue] {
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(queue.push(i));
      queue.leave();
    });
  }
  int n_items = 0;
  while (!queue.drained()) {
    if (queue.pop(kForEver).has_value()) ++n_items;
  }
  EXPECT_EQ(n_items, 150);
}

// A row of large documents must not pile up before the writer.
TEST(WorkQueueTest, WhatItHoldsIsBoundedByWeightToo) {
  WorkQueue<int> queue(8, 1, 10);
  EXPECT_TRUE(queue.push(1, 6));
  EXPECT_TRUE(queue.push(2, 4));
  std::atomic<int> n_pushed{0};
  std::jthread pusher([&] {
    for (const uint64_t weight : {1u, 100u, 2u}) {
      EXPECT_TRUE(queue.push(3, weight));
      ++n_pushed;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(n_pushed, 0);
  for (const int expected : {1, 2, 3, 3, 3}) EXPECT_EQ(queue.pop(kForEver), expected);
}

TEST(WorkQueueTest, AClosedQueueLetsPushersGo) {
  WorkQueue<int> queue(1, 1);
  EXPECT_TRUE(queue.push(1));
  std::jthread pusher([&queue] { EXPECT_FALSE(queue.push(2)); });
  queue.close();
}

}  // namespace
}  // namespace mneme::rag
