// What a step with retrieval costs and promises on the pretended device: launches, memory, the same bits in any order
// of threads, every kernel waiting for those ahead.
#include <gtest/gtest.h>

#include "engine/backend/cuda/device_memory.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/retrieval_bed.h"

namespace mneme::testing {
namespace {

class RetrievalStepsTest : public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
};

const Shape kShape{8, 2, 64, 700};

std::vector<float> steps(bool overlap) {
  auto backend = engine::cuda::make_cuda_backend({.overlap = overlap});
  Bed bed(kShape, std::move(*backend), 800);
  bed.place(0, 760, 7);
  EXPECT_TRUE(bed.cache->set_retrieval(options_of(kShape), bed.config).ok());
  const auto q = gaussian(size_t{8} * 64, 3);
  bed.set_query(q);
  std::vector<float> all;
  for (const int n_tokens : {700, 701, 740}) {
    EXPECT_TRUE(bed.cache->prepare_retrieval(n_tokens - 1, nullptr, never_cancelled()).ok());
    std::vector<float> got;
    bed.attend(1, n_tokens, got);
    all.insert(all.end(), got.begin(), got.end());
  }
  EXPECT_TRUE(bed.cache->retrieval_report().used);
  return all;
}

TEST_F(RetrievalStepsTest, ThreadsMayRunInAnyOrderAndKernelsWait) {
  const auto expected = steps(false);
  simt::machine().order = simt::ThreadOrder::kDescending;
  EXPECT_EQ(steps(false), expected);
  simt::machine() = {};
  simt::machine().major = 9;
  const int64_t before = simt::counters().overlapped;
  EXPECT_EQ(steps(true), expected);
  EXPECT_GT(simt::counters().overlapped, before);
}

// Weights, choice, two that list, attention, merging; the positions of a step are copied up, nothing else.
TEST_F(RetrievalStepsTest, AStepLaunchesSixKernelsALayerAndAllocatesNothing) {
  Bed bed(kShape, open_cuda(), 800);
  bed.place(0, 760, 7);
  ASSERT_TRUE(bed.cache->set_retrieval(options_of(kShape), bed.config).ok());
  const auto q = gaussian(size_t{8} * 64, 3);
  bed.set_query(q);
  std::vector<float> got;
  ASSERT_TRUE(bed.cache->prepare_retrieval(699, nullptr, never_cancelled()).ok());
  bed.attend(0, 700, got);
  ASSERT_TRUE(bed.cache->prepare_retrieval(716, nullptr, never_cancelled()).ok());
  bed.attend(0, 717, got);
  const auto memory = engine::cuda::DeviceMemory::of(0);
  const int64_t used = memory->used_bytes();
  const int64_t allocations = simt::counters().allocations;
  for (int n_tokens = 718; n_tokens < 760; ++n_tokens) {
    ASSERT_TRUE(bed.cache->prepare_retrieval(n_tokens - 1, nullptr, never_cancelled()).ok());
    const int64_t launches = simt::counters().launches;
    bed.attend(0, n_tokens, got);
    EXPECT_EQ(simt::counters().launches - launches, 6);
  }
  EXPECT_EQ(simt::counters().allocations, allocations);
  EXPECT_LE(memory->used_bytes() - used, int64_t{64} << 10) << "only partial results of attention grow";
}

TEST_F(RetrievalStepsTest, ALostDeviceIsReported) {
  Bed bed(kShape, open_cuda(), 800);
  bed.place(0, 700, 7);
  ASSERT_TRUE(bed.cache->set_retrieval(options_of(kShape), bed.config).ok());
  simt::machine().launches_before_failure = 5;
  EXPECT_EQ(bed.cache->prepare_retrieval(699, nullptr, never_cancelled()).code(), StatusCode::kIo);
  simt::machine() = {};
  ASSERT_TRUE(bed.cache->prepare_retrieval(699, nullptr, never_cancelled()).ok());
  std::vector<float> got;
  const auto q = gaussian(size_t{8} * 64, 3);
  bed.set_query(q);
  bed.attend(0, 700, got);
  EXPECT_TRUE(bed.cache->retrieval_report().used);
}

}  // namespace
}  // namespace mneme::testing
