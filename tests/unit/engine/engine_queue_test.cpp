#include "engine/engine_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mneme::engine {
namespace {

void wait_until_waiting(const EngineQueue& queue, Priority priority, int n) {
  while (queue.n_waiting(priority) < n) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(EngineQueue, InteractiveGoesBeforeBackground) {
  EngineQueue queue;
  std::string order;  // guarded by the queue itself: written with the turn held
  std::vector<std::thread> threads;
  {
    const auto turn = queue.enter(Priority::kInteractive);
    threads.emplace_back([&] {
      const auto mine = queue.enter(Priority::kBackground);
      order += 'b';
    });
    wait_until_waiting(queue, Priority::kBackground, 1);
    threads.emplace_back([&] {
      const auto mine = queue.enter(Priority::kInteractive);
      order += 'i';
    });
    wait_until_waiting(queue, Priority::kInteractive, 1);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, "ib");
}

TEST(EngineQueue, BackgroundGivesWayOnlyWhenSomebodyWaits) {
  EngineQueue queue;
  std::string order;
  auto turn = queue.enter(Priority::kBackground);
  order += '1';
  EXPECT_TRUE(turn.give_way());
  order += '2';
  std::thread interactive([&] {
    const auto mine = queue.enter(Priority::kInteractive);
    order += 'i';
  });
  wait_until_waiting(queue, Priority::kInteractive, 1);
  EXPECT_TRUE(turn.give_way());
  order += '3';
  interactive.join();
  EXPECT_EQ(order, "12i3");
}

// A token of an answer is an interactive turn, and between two of them nobody interactive waits.
TEST(EngineQueue, BackgroundDoesNotComeBetweenTheTokensOfAnAnswer) {
  EngineQueue queue(std::chrono::hours(1));
  std::atomic<bool> gives_up{false};
  std::atomic<bool> entered{false};
  auto turn = queue.enter(Priority::kBackground);  // nobody was there before
  std::thread interactive([&] {
    for (int token = 0; token < 3; ++token) {
      const auto mine = queue.enter(Priority::kInteractive);
      EXPECT_FALSE(entered) << token;
    }
    gives_up = true;
  });
  wait_until_waiting(queue, Priority::kInteractive, 1);
  entered = turn.give_way([&] { return gives_up.load(); });
  interactive.join();
  EXPECT_FALSE(entered) << "while it was not quiet";
  EXPECT_FALSE(queue.enter_unless(Priority::kBackground, [] { return true; }).has_value());
}

TEST(EngineQueue, BackgroundGoesOnWhenItIsQuiet) {
  EngineQueue queue(std::chrono::milliseconds(2));
  for (int round = 0; round < 3; ++round) {
    {
      const auto interactive = queue.enter(Priority::kInteractive);
    }
    const auto ended = std::chrono::steady_clock::now();
    {
      const auto background = queue.enter(Priority::kBackground);
    }
    EXPECT_GE(std::chrono::steady_clock::now() - ended, std::chrono::milliseconds(1));
    {
      const auto next = queue.enter(Priority::kBackground);
    }  // background work does not wait for background work
  }
}

TEST(EngineQueue, WhoeverGivesUpStopsWaiting) {
  EngineQueue queue;
  std::atomic<bool> gives_up{false};
  std::optional<EngineQueue::Turn> turn = queue.enter(Priority::kInteractive);
  std::thread waiter(
      [&] { EXPECT_FALSE(queue.enter_unless(Priority::kInteractive, [&] { return gives_up.load(); }).has_value()); });
  wait_until_waiting(queue, Priority::kInteractive, 1);
  gives_up = true;
  waiter.join();  // with the turn still held
  EXPECT_EQ(queue.n_waiting(Priority::kInteractive), 0);
}

TEST(EngineQueue, BackgroundMayGiveUpWhileOthersRun) {
  EngineQueue queue;
  std::atomic<bool> gives_up{false};
  std::atomic<bool> may_end{false};
  std::thread interactive;
  {
    EngineQueue::Turn turn = queue.enter(Priority::kBackground);
    interactive = std::thread([&] {
      const auto mine = queue.enter(Priority::kInteractive);
      gives_up = true;
      while (!may_end) std::this_thread::yield();
    });
    wait_until_waiting(queue, Priority::kInteractive, 1);
    EXPECT_FALSE(turn.give_way([&] { return gives_up.load(); }));
  }
  may_end = true;
  interactive.join();
  const auto free_again = queue.enter(Priority::kBackground);  // the lost turn did not end somebody else's
}

TEST(EngineQueue, TheHolderMayEnterAgain) {
  EngineQueue queue;
  std::atomic<bool> entered{false};
  std::thread other;
  {
    const auto outer = queue.enter(Priority::kInteractive);
    {
      const auto inner = queue.enter(Priority::kBackground);
    }
    other = std::thread([&] {
      const auto mine = queue.enter(Priority::kInteractive);
      entered = true;
    });
    wait_until_waiting(queue, Priority::kInteractive, 1);
    EXPECT_FALSE(entered) << "the inner turn's end must not end the outer one";
  }
  other.join();
  EXPECT_TRUE(entered);
}

TEST(EngineQueue, EqualsAreServedInOrder) {
  EngineQueue queue;
  std::string order;
  std::vector<std::thread> threads;
  {
    const auto turn = queue.enter(Priority::kInteractive);
    for (int i = 0; i < 5; ++i) {
      threads.emplace_back([&, i] {
        const auto mine = queue.enter(Priority::kInteractive);
        order += static_cast<char>('0' + i);
      });
      wait_until_waiting(queue, Priority::kInteractive, i + 1);
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, "01234");
}

TEST(EngineQueue, WhoIsDoneLeavesTheLine) {
  EngineQueue queue;
  std::atomic<bool> done{false};
  bool got_turn = true;
  std::thread waiter;
  {
    const auto turn = queue.enter(Priority::kInteractive);
    waiter = std::thread(
        [&] { got_turn = queue.enter_unless(Priority::kInteractive, [&] { return done.load(); }).has_value(); });
    wait_until_waiting(queue, Priority::kInteractive, 1);
    done = true;
  }
  waiter.join();
  EXPECT_FALSE(got_turn);
  EXPECT_EQ(queue.n_waiting(Priority::kInteractive), 0);
  EXPECT_TRUE(queue.enter_unless(Priority::kInteractive, [] { return false; }).has_value());
}

TEST(EngineQueue, ManyThreadsTakeTurns) {
  EngineQueue queue;
  int inside = 0;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round) {
        auto turn = queue.enter(i % 2 == 0 ? Priority::kInteractive : Priority::kBackground);
        EXPECT_EQ(inside++, 0);
        ++count;
        --inside;
        EXPECT_TRUE(turn.give_way());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 1600);
}

}  // namespace
}  // namespace mneme::engine
