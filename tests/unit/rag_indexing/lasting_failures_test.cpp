// What a watch does not read again, and when it does.
#include "rag/indexing/lasting_failures.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class LastingFailuresTest : public ::testing::Test {
 protected:
  bool is_read(LastingFailures::Clock::time_point when) {
    IndexPlan plan;
    plan.work.push_back({file_, {}});
    plan.work_bytes = file_.state.size_bytes;
    failures_.take_out_of(plan, when);
    return !plan.work.empty();
  }

  LastingFailures failures_;
  const LastingFailures::Clock::time_point begin_ = LastingFailures::Clock::now();
  FoundFile file_{.path = "/docs/a.pdf", .state = {.size_bytes = 10, .mtime_ns = 1'000'000'000}};
};

TEST_F(LastingFailuresTest, ADamagedFileIsReadAgainWhenItIsWrittenTo) {
  failures_.note(file_, corruption("damaged"), begin_);
  EXPECT_FALSE(is_read(begin_ + hours(1000)));
  file_.state.mtime_ns += 1;
  EXPECT_TRUE(is_read(begin_));
}

TEST_F(LastingFailuresTest, WhatCameOfAMomentIsReadAgainAtOnce) {
  failures_.note(file_, corruption("damaged"), begin_);
  failures_.note(file_, io_error("the disk does not answer"), begin_);
  EXPECT_TRUE(is_read(begin_));
}

// Memory or time ran out: perhaps of this machine at that moment, perhaps of every machine.
TEST_F(LastingFailuresTest, WantOfMemoryIsTriedAgainAfterLongerAndLongerTimes) {
  failures_.note(file_, resource_error("no memory"), begin_);
  EXPECT_FALSE(is_read(begin_ + minutes(9)));
  EXPECT_TRUE(is_read(begin_ + minutes(10)));
  failures_.note(file_, resource_error("no memory"), begin_ + minutes(10));
  EXPECT_FALSE(is_read(begin_ + minutes(29)));
  EXPECT_TRUE(is_read(begin_ + minutes(30)));
  for (int i = 0; i < 40; ++i) failures_.note(file_, resource_error("no memory"), begin_);
  EXPECT_FALSE(is_read(begin_ + hours(23)));
  EXPECT_TRUE(is_read(begin_ + hours(24)));
}

TEST_F(LastingFailuresTest, AFolderThatCouldNotBeReadIsLookedAtAgainUntilItCan) {
  WalkResult walk;
  walk.looked_at = {"/docs"};
  walk.problems = {{"/docs/locked", "permission denied", true}, {"/docs/pipe", "no file", false}};
  failures_.begin(walk);
  EXPECT_EQ(failures_.to_look_at_again(begin_), std::vector<std::string>{"/docs/locked"});
  WalkResult elsewhere;
  elsewhere.looked_at = {"/other"};
  failures_.begin(elsewhere);
  EXPECT_EQ(failures_.to_look_at_again(begin_), std::vector<std::string>{"/docs/locked"});
  walk.problems.clear();
  failures_.begin(walk);
  EXPECT_TRUE(failures_.to_look_at_again(begin_).empty());
}

TEST_F(LastingFailuresTest, AFileThatWasGoneIsReadWhenItComesBack) {
  failures_.note(file_, corruption("damaged"), begin_);
  WalkResult walk;
  walk.looked_at = {"/docs"};
  walk.files = {{"/docs/A.pdf", {}}, file_, {"/docs/b.pdf", {}}};
  failures_.begin(walk);
  EXPECT_FALSE(is_read(begin_)) << "it is there";
  walk.files = {{"/docs/b.pdf", {}}};
  failures_.begin(walk);
  EXPECT_TRUE(is_read(begin_));
}

}  // namespace
}  // namespace mneme::rag
