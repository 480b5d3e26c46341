// The power fails during all the work of a home, on a disk that loses what was not synced: whole writes, parts of them,
// names. What is left opens, is sound, goes on, and answers as a home that nothing ever happened to.
// MNEME_FAULT_POINTS moments, 0 for every one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/random.h"
#include "tests/faults/child.h"
#include "tests/faults/memory_files.h"
#include "tests/faults/scene.h"
#include "tests/unit/storage/encrypted_disk.h"

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;
using storage::DiskKind;
using storage::FaultKind;
using storage::FaultPlan;
using storage::TestDisk;

constexpr const char* kHome = "/home";
constexpr int64_t kPoints = 16;

class PowerTest : public ::testing::Test {
 protected:
  void SetUp() override { folder_ = scratch_folder("power"); }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void fill(DiskKind kind);
  void lose_power_at_any_moment(DiskKind kind);

  std::string folder_;
  Files files_;
};

void PowerTest::fill(DiskKind kind) {
  TestDisk disk(kind);
  Scene scene(folder_, kHome, &disk.env());
  scene.write_first_documents();
  const Status filled = scene.fill();
  ASSERT_TRUE(filled.ok()) << filled.message();
  collect(disk.below(), kHome, files_);
  scene.write_later_documents();
}

void PowerTest::lose_power_at_any_moment(DiskKind kind) {
  ASSERT_NO_FATAL_FAILURE(fill(kind));
  TestDisk clean(kind);
  FaultPlan& counting = clean.plan();
  lay(clean.below(), files_);
  counting.clear();
  Scene undisturbed(folder_, kHome, &clean.env());
  const Status worked = undisturbed.work();
  ASSERT_TRUE(worked.ok()) << worked.message();
  const int64_t operations = counting.operations();
  const auto expected = undisturbed.answers();
  ASSERT_TRUE(expected.ok()) << expected.status().message();
  ASSERT_GT(operations, 50);
  const int64_t wanted = amount("MNEME_FAULT_POINTS", kPoints);
  const int64_t points = wanted == 0 ? operations : std::min(wanted, operations);
  for (int64_t point = 0; point < points; ++point) {
    const int64_t operation = operations * point / points;
    const std::string when =
        "power lost at change " + std::to_string(operation) + " of " + std::to_string(operations) + ": ";
    TestDisk disk(kind);
    FaultPlan& plan = disk.plan();
    lay(disk.below(), files_);
    Scene scene(folder_, kHome, &disk.env());
    plan.arm(FaultKind::kCrash, operation);
    (void)scene.work();
    plan.clear();
    disk.below().crash(static_cast<uint64_t>(operation) * 7 + 1);
    const Status sound = scene.verify();
    // A KV file whose name came through and whose content did not is damage that verify may find, and repairs.
    ASSERT_TRUE(sound.ok() || sound.message().find(".kv") != std::string::npos) << when << sound.message();
    const auto answers = scene.answers();
    ASSERT_TRUE(answers.ok()) << when << answers.status().message();
    EXPECT_EQ(*answers, *expected) << when;
  }
  std::printf("power lost: %lld moments of %lld\n", static_cast<long long>(points), static_cast<long long>(operations));
}

TEST_F(PowerTest, NothingIsLostAndNoAnswerDiffers) {
  lose_power_at_any_moment(DiskKind::kPlain);
}

TEST_F(PowerTest, NothingIsLostOfAnEncryptedHomeEither) {
  lose_power_at_any_moment(DiskKind::kEncrypted);
}

}  // namespace
}  // namespace mneme::faults
