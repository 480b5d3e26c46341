// The chain of reads: what is asked for, when, and that nothing is asked for twice.
#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/read_chain.h"

namespace mneme::engine::cpu {
namespace {

using Memory = ReadChain::Memory;

// Tasks of `per_task` reads each; where n_runs is 2, reads alternate between two runs of memory.
class TestLoop final : public ReadChain::Loop {
 public:
  TestLoop(const std::vector<uint8_t>& memory, size_t n_tasks, size_t n_runs, size_t per_task, size_t read_bytes)
      : Loop(&memory, n_tasks, n_runs), memory_(memory), per_task_(per_task), read_bytes_(read_bytes) {}
  // One run, of a loop that is called `name` wherever it reads.
  TestLoop(const std::vector<uint8_t>& memory, const void* name, size_t n_tasks, size_t read_bytes)
      : Loop(name, n_tasks, 1), memory_(memory), per_task_(1), read_bytes_(read_bytes) {}
  size_t first_read(size_t task) const override { return task * per_task_; }
  Memory read_at(size_t read) const override {
    const size_t run_begin = read % n_runs * (memory_.size() / n_runs);
    return Memory(memory_).subspan(run_begin + read / n_runs * read_bytes_, read_bytes_);
  }
  size_t n_reads() const { return n_tasks * per_task_; }

 private:
  const std::vector<uint8_t>& memory_;
  size_t per_task_;
  size_t read_bytes_;
};

// Counts how often each line was asked for.
class Lines {
 public:
  void add(Memory memory) {
    for (size_t i = 0; i < memory.size(); i += 64) ++count_[memory.data() + i];
  }
  // Returns how many lines the share has.
  size_t add(FetchAhead share) {
    size_t n_lines = 0;
    share.take(INT64_MAX, [&](const char* line) {
      ++count_[reinterpret_cast<const uint8_t*>(line)];
      ++n_lines;
    });
    return n_lines;
  }
  int least(Memory memory) const {
    int least = 1 << 30;
    for (size_t i = 0; i < memory.size(); i += 64) {
      const auto found = count_.find(memory.data() + i);
      least = std::min(least, found == count_.end() ? 0 : found->second);
    }
    return least;
  }
  int most() const {
    int most = 0;
    for (const auto& [line, count] : count_) most = std::max(most, count);
    return most;
  }

 private:
  std::map<const uint8_t*, int> count_;
};

// One worker does all tasks of a loop. Every read must have been asked for when it begins, but for the first of a
// chain.
void run_alone(ReadChain& chain, const TestLoop& loop, bool is_first, Lines& asked, std::vector<size_t>& shares) {
  chain.begin(loop, true);
  for (size_t task = 0; task < loop.n_tasks; ++task)
    for (size_t read = loop.first_read(task); read < loop.first_read(task + 1); ++read) {
      if (!is_first || read > 0) {
        EXPECT_GE(asked.least(loop.read_at(read)), 1) << "read " << read;
      }
      shares.push_back(asked.add(chain.ask(0, task, read)));
    }
}

struct Shape {
  const char* name;
  size_t n_tasks, n_runs, per_task, read_bytes;
};
class ReadChainShapes : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(All, ReadChainShapes,
                         testing::Values(Shape{"OneRun", 24, 1, 1, 34816}, Shape{"TwoRuns", 44, 2, 2, 34816},
                                         Shape{"PagesOfTasks", 4, 1, 8, 32768}, Shape{"OneTask", 1, 1, 1, 4096},
                                         Shape{"OneTaskOfTwoRuns", 1, 2, 2, 4096}, Shape{"SmallReads", 7, 1, 1, 64},
                                         Shape{"ShortReads", 50, 1, 1, 18432}, Shape{"OddReads", 37, 2, 2, 7680},
                                         Shape{"LongReads", 9, 1, 1, 95744}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(ReadChainShapes, EveryReadIsAskedForOnceAndInTime) {
  const Shape shape = GetParam();
  const std::vector<uint8_t> memory(shape.n_tasks * shape.per_task * shape.read_bytes);
  const std::vector<uint8_t> other_memory(16 * 8192);
  const TestLoop loop(memory, shape.n_tasks, shape.n_runs, shape.per_task, shape.read_bytes);
  const TestLoop other(other_memory, 16, 1, 1, 8192);
  ThreadPool pool(1);
  ReadChain chain(pool);
  std::vector<size_t> shares;
  {
    Lines asked;  // the first token: what follows a loop is not known yet, so each begins unasked
    run_alone(chain, loop, true, asked, shares);
    run_alone(chain, other, true, asked, shares);
  }
  Lines asked;
  run_alone(chain, loop, true, asked, shares);
  for (int token = 0; token < 3; ++token) {
    asked = {};
    asked.add(other.read_at(0));  // by the loop before
    run_alone(chain, other, false, asked, shares);
    EXPECT_EQ(asked.most(), 1);
    asked = {};
    asked.add(loop.read_at(0));
    run_alone(chain, loop, false, asked, shares);
    EXPECT_EQ(asked.most(), 1);
  }
}

TEST(ReadChain, WhatWasFetchedWhileWaitingIsNotAskedForAgainAndTheRestIsSpreadEvenly) {
  constexpr size_t kReads = 24;
  constexpr size_t kBytes = 32768;
  const std::vector<uint8_t> first_memory(kReads * kBytes);
  const std::vector<uint8_t> second_memory(kReads * kBytes);
  const TestLoop first(first_memory, kReads, 1, 1, kBytes);
  const TestLoop second(second_memory, kReads, 1, 1, kBytes);
  ThreadPool pool(1);
  ReadChain chain(pool);
  Lines asked;
  std::vector<size_t> shares;
  for (const TestLoop* loop : {&first, &second, &first}) run_alone(chain, *loop, true, asked, shares);
  while (ThreadPool::n_read_while_waiting() < 4) ThreadPool::read_some();
  asked = {};
  for (size_t read = 0; read < 5; ++read) asked.add(second.read_at(read));
  shares.clear();
  run_alone(chain, second, false, asked, shares);
  EXPECT_EQ(asked.most(), 1);
  // But for the last ones, of which whole blocks are due, and the next loop's memory, which lies elsewhere.
  for (size_t i = 0; i + 8 < shares.size(); ++i)
    EXPECT_NEAR(static_cast<double>(shares[i]), kBytes / 64 * 20.0 / kReads, 16) << i;
  const size_t total = std::accumulate(shares.begin(), shares.end(), size_t{0});
  EXPECT_EQ(total, 20 * kBytes / 64);  // 19 of its own, one of the loop that comes next
}

TEST(ReadChain, HelpersAskForWhatTheyTakeNext) {
  const std::vector<uint8_t> memory(16 * 4096);
  const TestLoop loop(memory, 16, 1, 1, 4096);
  ThreadPool pool(2);
  ReadChain chain(pool);
  chain.begin(loop, true);
  (void)chain.ask(0, 0, 0);
  Lines asked;
  EXPECT_EQ(asked.add(chain.ask(0, 15, 15)), 64u);  // the other's part, from its end
  EXPECT_EQ(asked.least(loop.read_at(14)), 1);
  EXPECT_EQ(asked.add(chain.ask(1, 0, 0)), 0u);
}

// For kernels that ask by themselves: the reads of the worker's own part in order, then the next loop's first.
TEST(ReadChain, TellsWhatIsReadAfterARead) {
  const std::vector<uint8_t> memory(8 * 4096), other_memory(4 * 8192);
  const TestLoop loop(memory, 8, 1, 1, 4096);
  const TestLoop other(other_memory, 4, 1, 1, 8192);
  ThreadPool pool(2);
  ReadChain chain(pool);
  const auto begins = [](Memory read, Memory expected) { return read.data() == expected.data(); };
  for (int token = 0; token < 2; ++token) {
    chain.begin(loop, true);
    for (size_t read = 0; read < 3; ++read) EXPECT_TRUE(begins(chain.after(0, read), loop.read_at(read + 1)));
    EXPECT_TRUE(begins(chain.after(1, 6), loop.read_at(7)));
    if (token == 0) {
      EXPECT_TRUE(chain.after(0, 3).empty()) << "what follows is not known yet";
    } else {
      EXPECT_TRUE(begins(chain.after(0, 3), other.read_at(0)));
      EXPECT_TRUE(begins(chain.after(1, 7), other.read_at(2)));
    }
    EXPECT_TRUE(chain.after(0, 6).empty()) << "a read of the other worker's";
    chain.begin(other, true);
  }
}

TEST(ReadChain, ALoopThatWasNotExpectedIsReadFromItsBeginning) {
  const std::vector<uint8_t> memories[3] = {std::vector<uint8_t>(8 * 4096), std::vector<uint8_t>(8 * 4096),
                                            std::vector<uint8_t>(8 * 4096)};
  ThreadPool pool(1);
  ReadChain chain(pool);
  std::vector<size_t> shares;
  Lines asked;
  for (const int i : {0, 1, 0, 2}) {
    asked = {};
    run_alone(chain, TestLoop(memories[i], 8, 1, 1, 4096), true, asked, shares);
    EXPECT_EQ(asked.most(), 1);
  }
}

// The loop after changes its place (a sequence that has moved): what was asked for is not what is read now.
TEST(ReadChain, WhatChangedIsNotTakenForWhatWasAskedFor) {
  const std::vector<uint8_t> memory(8 * 4096);
  const std::vector<uint8_t> places[2] = {std::vector<uint8_t>(8 * 4096), std::vector<uint8_t>(8 * 4096)};
  ThreadPool pool(1);
  ReadChain chain(pool);
  std::vector<size_t> shares;
  Lines asked;
  const TestLoop before(memory, 8, 1, 1, 4096);
  for (const int place : {0, 0, 1, 1}) {
    run_alone(chain, before, true, asked, shares);
    asked = {};
    // Read 0 is not asked for again by the loop that it begins; read 1 is, whatever was asked for elsewhere.
    run_alone(chain, TestLoop(places[place], &places, 8, 4096), true, asked, shares);
    EXPECT_EQ(asked.most(), 1);
  }
}

}  // namespace
}  // namespace mneme::engine::cpu
