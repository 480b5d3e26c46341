// Every kind of fault at every (CI: every so many) call that can meet it, while a home is indexed, its KV written and
// evicted, a chat kept, a file forgotten: the work ends well or in one sentence, and what is left opens, is sound, goes
// on where it was, and answers as a home that nothing ever happened to. Homes that are the same to the byte are looked
// at once: many faults come before anything is written, or after everything is.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>

#include "base/random.h"
#include "tests/faults/child.h"
#include "tests/faults/folder_digest.h"
#include "tests/faults/interpose.h"
#include "tests/faults/scene.h"

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;

// Points per kind of fault: MNEME_FAULT_POINTS, 0 for every call there is. Allocations, of which there are tens of
// thousands from thousands of places, have a number of their own: MNEME_ALLOCATION_POINTS.
constexpr int64_t kPoints = 12;
constexpr int kDocuments = 6;  // after write_later_documents()

// One base home and one clean home's answers for all sweeps of the process.
class Stage {
 public:
  Stage() {
    folder_ = scratch_folder("faults");
    Scene base(folder_, folder_ + "/base");
    base.write_first_documents();
    check(base.fill(), "fill");
    messages_ = *base.messages();
    base.write_later_documents();
    time_ =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    reset();
    Scene clean(folder_, home());
    check(clean.work(), "work");
    const Result<Answers> answers = clean.answers();
    check(answers.status(), "answers");
    if (answers.ok()) answers_ = *answers;
  }
  ~Stage() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string home() const { return folder_ + "/home"; }
  Scene scene() const { return Scene(folder_, home()); }
  void reset() const {
    fs::remove_all(home());
    fs::copy(folder_ + "/base", home(), fs::copy_options::recursive);
  }
  // When all the work is done, in seconds since 1970: a clock that went on would write other bytes each time.
  int64_t time() const { return time_; }
  // Homes that were looked at, by their bytes.
  void add_whole(const Hash128& digest) { whole_.insert(digest); }
  bool is_whole(const Hash128& digest) const { return whole_.contains(digest); }
  size_t n_whole() const { return whole_.size(); }
  const Answers& answers() const { return answers_; }
  const std::vector<std::string>& first_messages() const { return messages_; }

 private:
  static void check(const Status& status, const char* what) {
    if (!status.ok()) ADD_FAILURE() << what << ": " << status.message();
  }
  std::string folder_;
  int64_t time_ = 0;
  std::set<Hash128> whole_;
  Answers answers_;
  std::vector<std::string> messages_;
};

Stage& stage() {
  static Stage one;
  return one;
}

void expect_whole_chats(const std::vector<std::string>& messages, const std::string& when) {
  const std::vector<std::string>& first = stage().first_messages();
  EXPECT_NE(std::search(messages.begin(), messages.end(), first.begin(), first.end()), messages.end()) << when;
}

void expect_whole(const std::string& when) {
  Scene scene = stage().scene();
  const Status sound = scene.verify();
  ASSERT_TRUE(sound.ok()) << when << sound.message();
  const auto messages = scene.messages();
  ASSERT_TRUE(messages.ok()) << when << messages.status().message();
  expect_whole_chats(*messages, when);
  const auto done = scene.documents_up_to_date();
  const auto redone = scene.index_again();
  ASSERT_TRUE(done.ok() && redone.ok()) << when << redone.status().message();
  EXPECT_EQ(*redone, kDocuments - *done) << when << "finished documents were read again";
  const auto answers = scene.answers();
  ASSERT_TRUE(answers.ok()) << when << answers.status().message();
  EXPECT_EQ(*answers, stage().answers()) << when;
}

void expect_nothing_lost(const std::string& when) {
  const Hash128 digest = digest_of(stage().home());
  if (stage().is_whole(digest)) return;
  expect_whole(when);
  if (!::testing::Test::HasFailure()) stage().add_whole(digest);
}

// Harmless ones, all in one run: each call is seen to bear them.
bool meets_every_call(Fault fault) {
  return fault == Fault::kInterruptedAll || fault == Fault::kShortAll;
}

void expect_ending(Fault fault, const Ending& ending, const std::string& when) {
  if (fault == Fault::kKill || fault == Fault::kKillAfter) {
    EXPECT_EQ(ending.signal, SIGKILL) << when;
    return;
  }
  EXPECT_EQ(ending.signal, 0) << when << "crashed: " << ending.message;
  const bool harmless = fault == Fault::kInterrupted || fault == Fault::kShort || fault == Fault::kSlow ||
                        fault == Fault::kClockBack || fault == Fault::kClockAhead || meets_every_call(fault);
  EXPECT_TRUE(ending.ok || !harmless) << when << ending.message;
  if (ending.ok) return;
  EXPECT_FALSE(ending.message.empty()) << when;
  EXPECT_EQ(ending.message.find('\n'), std::string::npos) << when << ending.message;
}

int64_t wanted_points(Fault fault, int64_t calls) {
  if (fault == Fault::kSlow || meets_every_call(fault)) return 1;
  const bool allocation =
      fault == Fault::kAllocation || fault == Fault::kAllocationsAll || fault == Fault::kAllocationSite;
  const int64_t wanted = amount(allocation ? "MNEME_ALLOCATION_POINTS" : "MNEME_FAULT_POINTS", kPoints);
  return wanted == 0 ? calls : std::min(wanted, calls);
}

// Threads take turns: not every run makes every call.
Ending run_until_reached(Fault fault, int64_t n, const std::function<Status()>& work) {
  constexpr int kMostRuns = 5;
  Ending ending;
  for (int run = 0; run < kMostRuns && !ending.reached; ++run) {
    stage().reset();
    ending = run_in_child(fault, n, stage().home(), work);
  }
  return ending;
}

class SweepTest : public ::testing::TestWithParam<Fault> {};

TEST_P(SweepTest, NothingIsLostAndNoAnswerDiffers) {
  const Fault fault = GetParam();
  const bool moves_clock = fault == Fault::kClockBack || fault == Fault::kClockAhead;
  const int64_t time = moves_clock ? 0 : stage().time();
  const auto work = [time] {
    stop_clock(time);
    return stage().scene().work();
  };
  const size_t n_whole_before = stage().n_whole();
  stage().reset();
  const Ending counted = run_in_child(fault, -1, stage().home(), work);
  ASSERT_TRUE(counted.ok) << counted.message;
  ASSERT_GT(counted.calls, 10);
  const int64_t points = wanted_points(fault, counted.calls);
  Random random(static_cast<uint64_t>(fault) + 1 + 100 * static_cast<uint64_t>(amount("MNEME_SEED", 0)));
  int64_t reached = 0;
  for (int64_t point = 0; point < points; ++point) {
    // One call out of each of as many equal spans.
    const int64_t begin = counted.calls * point / points;
    const int64_t end = std::max(begin + 1, counted.calls * (point + 1) / points);
    const int64_t within = static_cast<int64_t>(random.below(static_cast<uint64_t>(end - begin)));
    const int64_t n = meets_every_call(fault) ? 0 : begin + within;
    const std::string when =
        std::string(name_of(fault)) + " at call " + std::to_string(n) + " of " + std::to_string(counted.calls) + ": ";
    const Ending ending = run_until_reached(fault, n, work);
    if (!ending.reached) continue;
    ++reached;
    expect_ending(fault, ending, when);
    expect_nothing_lost(when);
    if (HasFatalFailure()) return;
  }
  RecordProperty("calls", std::to_string(counted.calls));
  RecordProperty("faults", std::to_string(reached));
  std::printf("%s: %lld faults over %lld calls, %zu different homes\n", name_of(fault), static_cast<long long>(reached),
              static_cast<long long>(counted.calls), stage().n_whole() - n_whole_before);
  std::fflush(stdout);  // what is cut short has said how far it came
  EXPECT_GT(reached, points / 2);
}

std::string test_name(const ::testing::TestParamInfo<Fault>& info) {
  std::string name;
  for (const char c : std::string(name_of(info.param))) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Faults, SweepTest,
                         ::testing::Values(Fault::kKill, Fault::kKillAfter, Fault::kIoError, Fault::kNoSpace,
                                           Fault::kReadOnly, Fault::kDenied, Fault::kInterrupted,
                                           Fault::kInterruptedAll, Fault::kShort, Fault::kShortAll, Fault::kReadError,
                                           Fault::kSlow, Fault::kClockBack, Fault::kClockAhead, Fault::kAllocation,
                                           Fault::kAllocationsAll, Fault::kAllocationSite),
                         test_name);

TEST(ClockTest, JumpsOfTheClockHarmNothing) {
  constexpr int64_t kYear = 365 * 86400;
  for (const int64_t jump : {-20 * kYear, -1 * kYear, -3600L, 3600L, 10 * kYear}) {
    stage().reset();
    const Ending ending = run_in_child(Fault::kSlow, -1, stage().home(), [&]() -> Status {
      disarm();
      shift_clock(jump);
      return stage().scene().work();
    });
    const std::string when = "clock moved by " + std::to_string(jump) + " s: ";
    EXPECT_TRUE(ending.ok) << when << ending.message;
    expect_nothing_lost(when);
  }
}

// Allocations that fail give back what was there before: nothing piles up.
TEST(AllocationTest, FailingLeaksNothing) {
  ASSERT_TRUE(sqlite_is_gated());
  stage().reset();
  Scene scene = stage().scene();
  ASSERT_TRUE(scene.verify().ok());
  arm(Fault::kAllocation, -1);
  ASSERT_TRUE(scene.verify().ok());
  const int64_t allocations = disarm();
  const int64_t points = amount("MNEME_FAULT_POINTS", kPoints) == 0 ? 2000 : 60;
  const auto fail_at = [&](int64_t n) {
    arm(Fault::kAllocation, n);
    try {
      (void)scene.verify();
    } catch (const std::bad_alloc&) {
    }
    disarm();
  };
  for (int64_t point = 0; point < points; ++point) fail_at(allocations * point / points);
  ASSERT_TRUE(scene.verify().ok());
  const int64_t before = live_allocations();
  for (int64_t point = 0; point < points; ++point) fail_at(allocations * point / points);
  ASSERT_TRUE(scene.verify().ok());
  EXPECT_EQ(live_allocations(), before);
}

}  // namespace
}  // namespace mneme::faults
