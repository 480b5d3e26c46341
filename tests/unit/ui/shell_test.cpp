// What the window is built on besides panels: publishing, threads, and what the system says of the process.
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "ui/shell/process_figures.h"
#include "ui/view_model/publisher.h"
#include "ui/view_model/task_queue.h"
#include "ui/view_model/thread_priority.h"

namespace mneme::ui {
namespace {

TEST(PublisherTest, ReadingDoesNotWaitForWhoChanges) {
  Publisher publisher([] {});
  std::promise<void> begun;
  std::promise<void> go_on;
  std::thread slow([&] {
    publisher.update([&](Snapshot& s) {
      s.ready = true;
      begun.set_value();
      go_on.get_future().wait();
    });
  });
  begun.get_future().wait();
  EXPECT_FALSE(publisher.current()->ready) << "what is not finished is not shown";
  go_on.set_value();
  slow.join();
  EXPECT_TRUE(publisher.current()->ready);
}

TEST(PublisherTest, ChangesFromSeveralThreadsAllArrive) {
  std::atomic<int> woken{0};
  Publisher publisher([&] { ++woken; });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 250; ++k) publisher.update([](Snapshot& s) { ++s.library.kv_hits; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(publisher.current()->library.kv_hits, 1000);
  EXPECT_EQ(woken, 1000);
}

TEST(PublisherTest, WhatWasDrawnIsFreedByWhoPublishes) {
  Publisher publisher([] {});
  std::shared_ptr<const Snapshot> drawn = publisher.current();
  const std::weak_ptr<const Snapshot> watched = drawn;
  EXPECT_FALSE(publisher.has_newer(drawn.get()));
  publisher.update([](Snapshot& s) { s.ready = true; });
  EXPECT_TRUE(publisher.has_newer(drawn.get()));
  publisher.take_back(std::move(drawn));
  EXPECT_FALSE(watched.expired()) << "the window does not take it apart";
  publisher.update([](Snapshot& s) { s.ready = false; });
  EXPECT_TRUE(watched.expired());
}

TEST(PublisherTest, WhatIsSaidAgainStandsOnce) {
  Publisher publisher([] {});
  publisher.notice("the disk is full", true);
  publisher.notice("the answer is there", false);
  const uint64_t again = publisher.notice("the disk is full", true);
  ASSERT_EQ(publisher.current()->notices.size(), 2u);
  EXPECT_EQ(publisher.current()->notices.back().id, again) << "as new";
  publisher.notice("the disk is full", false);
  EXPECT_EQ(publisher.current()->notices.size(), 3u) << "not as an error";
}

TEST(TaskQueueTest, BackgroundWorkAndWhatItStartsGivesWay) {
  const auto policy_in = [](TaskQueue& queue) {
    std::promise<std::pair<int, int>> said;
    queue.post([&] {
      const int own = ::sched_getscheduler(0);
      int started = -1;
      std::thread([&] { started = ::sched_getscheduler(0); }).join();
      said.set_value({own, started});
    });
    return said.get_future().get();
  };
  const auto nice_in = [](TaskQueue& queue) {
    std::promise<int> said;
    queue.post([&] {
      std::thread([&] {
        said.set_value(::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid))));
      }).join();
    });
    return said.get_future().get();
  };
  TaskQueue normal("test");
  TaskQueue behind("test", Priority::kBehindWindow);
  TaskQueue background("test", Priority::kBackground);
  EXPECT_EQ(policy_in(normal), std::pair(SCHED_OTHER, SCHED_OTHER));
  EXPECT_EQ(policy_in(background), std::pair(SCHED_IDLE, SCHED_IDLE));
  EXPECT_EQ(policy_in(behind), std::pair(SCHED_OTHER, SCHED_OTHER));
  EXPECT_GE(nice_in(behind), nice_in(normal) + (nice_in(normal) == 0 ? 4 : 0));
}

// The slice that the thread asks for, nanoseconds; 0 where the system knows of none (Linux before 6.12).
uint64_t slice_of_caller() {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } attributes{};
  return ::syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) == 0 ? attributes.runtime : 0;
}

uint64_t slice_in(const std::function<void()>& set_up) {
  uint64_t slice = 0;
  std::thread([&] {
    set_up();
    std::thread([&] { slice = slice_of_caller(); }).join();  // what it starts has its rank
  }).join();
  return slice;
}

TEST(ThreadPriorityTest, ThreadsThatDrawAskForShorterSlicesThanThoseThatCompute) {
  const uint64_t untouched = slice_in([] {});
  if (untouched == 0) GTEST_SKIP() << "this system's scheduler has no slices of a thread's own";
  const uint64_t window = slice_in([] { set_priority(Priority::kWindow); });
  const uint64_t behind = slice_in([] { set_priority(Priority::kBehindWindow); });
  const uint64_t back_to_normal = slice_in([] {
    set_priority(Priority::kWindow);
    set_priority(Priority::kNormal);
  });
  EXPECT_LT(window, untouched);
  EXPECT_GT(behind, untouched);
  EXPECT_EQ(back_to_normal, untouched);
}

TEST(ThreadPriorityTest, WhatSomebodyElseHasRankedStaysSo) {
  int policy = -1;
  std::thread([&] {
    const sched_param none{};
    ASSERT_EQ(::sched_setscheduler(0, SCHED_IDLE, &none), 0);
    set_priority(Priority::kWindow);
    policy = ::sched_getscheduler(0);
  }).join();
  EXPECT_EQ(policy, SCHED_IDLE);
}

// Until a thread of this process has slept through twenty looks: what it does takes less when it is let run.
void wait_until_it_waits(pid_t thread) {
  for (int looks = 0; looks < 20;) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    const std::string stat{std::istreambuf_iterator<char>(file), {}};
    const size_t state = stat.rfind(") ");  // behind its name
    looks = state != std::string::npos && stat[state + 2] == 'S' ? looks + 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(TaskQueueTest, TasksRunInOrderAndThoseNotBegunAreDropped) {
  std::vector<int> done;
  std::promise<void> hold;
  std::thread letting_go;
  {
    TaskQueue queue("test");
    std::promise<void> begun;
    queue.post([&] { done.push_back(1); });
    queue.post([&] {
      done.push_back(2);
      begun.set_value();
      hold.get_future().wait();
    });
    queue.post([&] { done.push_back(3); });
    begun.get_future().wait();
    letting_go = std::thread([&, destroying = static_cast<pid_t>(::syscall(SYS_gettid))] {
      wait_until_it_waits(destroying);
      hold.set_value();
    });
  }
  letting_go.join();
  EXPECT_EQ(done, (std::vector<int>{1, 2}));
}

TEST(ProcessFiguresTest, MemoryIsCountedByWhatItBelongsTo) {
  const std::string smaps =
      "55d0-55d9 r-xp 00000000 08:01 11                         /opt/my programs/mneme\n"
      "Size:              36 kB\nRss:                20 kB\nAnonymous:           4 kB\n"
      "VmFlags: rd ex mr mw me sd\n"
      "55e0-55e9 rw-p 00000000 00:00 0                          [heap]\n"
      "Rss:               100 kB\nAnonymous:         100 kB\n"
      "7f00-7f01 rw-p 00000000 00:00 0 \nRss:                 8 kB\n"
      "7f01-7f02 r-xp 00000000 08:01 12                         /usr/lib/libLLVM-15.so.1\nRss:              1000 kB\n"
      "7f02-7f03 r--p 00000000 08:01 13                         /usr/lib/dri/swrast_dri.so\nRss:                16 kB\n"
      "7f03-7f04 r--p 00000000 08:01 14                         /usr/lib/libc.so.6\nRss:                32 kB\n"
      "7f04-7f05 r--p 00000000 08:01 15                         /usr/share/fonts/a b/Inter.otf\nRss:                 4 "
      "kB\n"
      "7f05-7f06 r--s 00000000 08:01 16                         /models/mini.gguf\nRss:                64 kB\n"
      "7f06-7f07 rw-s 00000000 00:01 17                         /SYSV00000000 (deleted)\nRss:               128 kB\n"
      "7f07-7f08 r--s 00000000 08:01 18                         /home/index/a.hnsw\nRss:                 2 kB\n";
  const MemoryParts parts = parse_smaps(smaps, "/opt/my programs/mneme");
  EXPECT_EQ(parts.program, 16u * 1024) << "less what was written to";
  EXPECT_EQ(parts.own, (4u + 100 + 8) * 1024);
  EXPECT_EQ(parts.driver, 1016u * 1024);
  EXPECT_EQ(parts.libraries, 32u * 1024);
  EXPECT_EQ(parts.fonts, 4u * 1024);
  EXPECT_EQ(parts.models, 64u * 1024);
  EXPECT_EQ(parts.shared, 128u * 1024);
  EXPECT_EQ(parts.other, 2u * 1024);
  EXPECT_EQ(parts.total(), (16u + 112 + 1016 + 32 + 4 + 64 + 128 + 2) * 1024);
  EXPECT_EQ(parse_smaps("", "").total(), 0u);
  EXPECT_EQ(parse_smaps("nonsense\nRss: x\n-\n", "").total(), 0u);
}

TEST(ProcessFiguresTest, TheMachinesTimeIsReadByColumns) {
  const MachineTimes times = parse_stat("cpu  10 20 30 100 5 1 2 32 7 7\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
  EXPECT_EQ(times.all, 200.0);
  EXPECT_EQ(times.idle, 105.0);
  EXPECT_EQ(times.stolen, 32.0);
  EXPECT_EQ(parse_stat("").all, 0.0);
  EXPECT_EQ(parse_stat("cpu nonsense").all, 0.0);
}

TEST(ProcessFiguresTest, AThreadThatSleepsNeitherRunsNorIsReady) {
  const ThreadWaits before = thread_waits();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const ThreadWaits slept = thread_waits();
  EXPECT_LT(slept.ran_ms - before.ran_ms, 25.0);
  volatile uint64_t sum = 0;
  while (thread_waits().ran_ms - slept.ran_ms < 5.0) sum = sum + 1;
  EXPECT_GE(thread_waits().ready_ms, before.ready_ms);
}

TEST(ProcessFiguresTest, ThisProcessHasMemoryAndThreadsThatWork) {
  EXPECT_GT(memory_parts().own, 0u);
  const std::vector<ThreadTime> before = thread_times();
  ASSERT_FALSE(before.empty());
  TaskQueue queue("busy");
  std::promise<void> done;
  queue.post([&] {
    volatile uint64_t sum = 0;
    while (thread_waits().ran_ms < 60.0) sum = sum + 1;  // of this thread alone
    done.set_value();
  });
  done.get_future().wait();
  double busy = 0.0;
  for (const ThreadTime& thread : since(before, thread_times()))
    busy += thread.name == "mneme-busy" ? thread.seconds : 0;
  EXPECT_GT(busy, 0.005);
  EXPECT_LT(busy, 5.0);
}

}  // namespace
}  // namespace mneme::ui
