// The stand-in for a GPU itself: barriers, exchanges and what it reports.
#include "tests/support/simt/simt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/tensor_core.cuh"

namespace mneme::engine::cuda {
namespace {

// Thread i's number travels to thread i + 1 of the block through shared memory, and back.
__global__ void rotate_block(int* out) {
  __shared__ int values[96];
  const auto i = static_cast<int>(threadIdx.x);
  const auto n = static_cast<int>(blockDim.x);
  values[i] = i + 100 * static_cast<int>(blockIdx.x);
  __syncthreads();
  const int next = values[(i + 1) % n];
  __syncthreads();
  values[(i + 1) % n] = next;
  __syncthreads();
  out[static_cast<int>(blockIdx.x) * n + i] = values[i];
}

__global__ void reduce(float* sums, unsigned* votes) {
  const float value = static_cast<float>(threadIdx.x);
  const float sum = block_sum(value);
  const float largest = block_max(-value);
  sums[threadIdx.x] = sum + largest;
  votes[threadIdx.x] = __ballot_sync(kAllLanes, static_cast<int>(threadIdx.x) % 3 == 0);
}

__global__ void half_a_barrier() {
  if (threadIdx.x < 40) __syncthreads();
  if (threadIdx.x >= 40) __syncwarp();
}

__global__ void races(int* out) {
  *out = static_cast<int>(threadIdx.x);
}

__global__ void reads_a_vector(const unsigned* from, unsigned* out) {
  const uint4 four = *reinterpret_cast<const uint4*>(from);
  *out = four.x + four.w;
}

// What a thread reads of its copy before and after it has waited; it may end without.
__global__ void copies(const float* from, float* early, float* late, bool waits) {
  auto* shared = dynamic_shared<float>();
  const auto i = static_cast<int>(threadIdx.x);
  copy_vector(shared + 4 * i, from + 4 * i, i != 1);
  early[i] = shared[4 * i];
  if (!waits) return;
  wait_for_copies();
  late[i] = shared[4 * i];
}

// Of three groups of copies, how many have arrived when all but the newest 2, 1 and 0 are waited for.
__global__ void copies_in_groups(const float* from, int* arrived) {
  auto* shared = dynamic_shared<float>();
  for (int group = 0; group < 3; ++group) {
    if (group != 1) copy_vector(shared + 4 * group, from + 4 * group);
    end_of_copies();
  }
  const auto n_arrived = [&] { return (shared[0] == 1.0f ? 1 : 0) + (shared[8] == 3.0f ? 1 : 0); };
  wait_for_copies_but<3>();
  arrived[0] = n_arrived();
  wait_for_copies_but<2>();
  arrived[1] = n_arrived();
  wait_for_copies_but<1>();
  arrived[2] = n_arrived();
  wait_for_copies_but<0>();
  arrived[3] = n_arrived();
}

class Simt : public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
};

TEST_F(Simt, BarriersHoldAWholeBlock) {
  for (const auto order : {simt::ThreadOrder::kAscending, simt::ThreadOrder::kDescending}) {
    simt::machine().order = order;
    std::vector<int> out(2 * 96, -1);
    ASSERT_EQ(launch(nullptr, dim3(2), 96, 0, rotate_block, out.data()), cudaSuccess);
    for (int block = 0; block < 2; ++block)
      for (int i = 0; i < 96; ++i) ASSERT_EQ(out[static_cast<size_t>(block * 96 + i)], i + 100 * block);
  }
}

TEST_F(Simt, WarpsExchange) {
  std::vector<float> sums(64);
  std::vector<unsigned> votes(64);
  ASSERT_EQ(launch(nullptr, dim3(1), 64, 0, reduce, sums.data(), votes.data()), cudaSuccess);
  for (const float sum : sums) EXPECT_EQ(sum, 63.0f * 32.0f);
  EXPECT_EQ(votes[0], 0x49249249u);
  EXPECT_EQ(votes[63], 0x92492492u);
}

TEST_F(Simt, MissedBarriersAndImpossibleLaunchesAreReported) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(static_cast<void>(launch(nullptr, dim3(1), 64, 0, half_a_barrier)), "waits for threads that never come");
  int value = 0;
  EXPECT_EQ(launch(nullptr, dim3(1), 2048, 0, races, &value), cudaErrorInvalidValue);
  EXPECT_EQ(launch(nullptr, dim3(1), 32, size_t{49} << 10, races, &value), cudaErrorInvalidValue);
}

TEST_F(Simt, CopiesToSharedMemoryArriveWhenTheyAreWaitedFor) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  alignas(16) const float from[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
  float early[3], late[3];
  const auto run = [&](const float* at, bool waits) {
    return launch(nullptr, dim3(1), 3, 48, copies, at, early, late, waits);
  };
  ASSERT_EQ(run(from, true), cudaSuccess);
  for (const float value : early) EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(late[0], 1.0f);
  EXPECT_EQ(late[1], 0.0f) << "what is not there is zero";
  EXPECT_EQ(late[2], 3.0f);
  EXPECT_DEATH(static_cast<void>(run(from, false)), "ended before its copies");
  EXPECT_DEATH(static_cast<void>(run(from + 1, true)), "no multiple of its size");
}

TEST_F(Simt, GroupsOfCopiesArriveOneByOne) {
  alignas(16) const float from[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
  int arrived[4] = {-1, -1, -1, -1};
  ASSERT_EQ(launch(nullptr, dim3(1), 1, 48, copies_in_groups, from, arrived), cudaSuccess);
  EXPECT_THAT(arrived, ::testing::ElementsAre(0, 1, 1, 2)) << "the second group is empty";
}

TEST_F(Simt, MoreSharedMemoryMustBeAskedFor) {
  int value = 0;
  const size_t n_bytes = size_t{96} << 10;
  simt::machine().major = 8;
  EXPECT_EQ(launch(nullptr, dim3(1), 32, n_bytes, races, &value), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(races, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(races, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10), cudaSuccess);
  EXPECT_EQ(launch(nullptr, dim3(1), 32, n_bytes, races, &value), cudaSuccess);
}

TEST_F(Simt, OverlappingKernelsMustWaitAndNeedTheHardware) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  launches_overlap = true;
  simt::machine().major = 7;
  int value = 0;
  EXPECT_EQ(launch(nullptr, dim3(1), 32, 0, races, &value), cudaErrorInvalidValue) << "compute capability 7.5";
  simt::machine().major = 9;
  EXPECT_DEATH(static_cast<void>(launch(nullptr, dim3(1), 32, 0, races, &value)), "without waiting for it");
  launches_overlap = false;
  EXPECT_EQ(launch(nullptr, dim3(1), 32, 0, races, &value), cudaSuccess);
}

TEST_F(Simt, VectorsAreReadFromMultiplesOfTheirSize) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  alignas(16) const unsigned words[5] = {1, 2, 3, 4, 5};
  unsigned sum = 0;
  ASSERT_EQ(launch(nullptr, dim3(1), 1, 0, reads_a_vector, words + 0, &sum), cudaSuccess);
  EXPECT_EQ(sum, 5u);
  EXPECT_DEATH(static_cast<void>(launch(nullptr, dim3(1), 1, 0, reads_a_vector, words + 1, &sum)), "");
}

TEST_F(Simt, TheOrderOfThreadsShowsRaces) {
  int forward = -1;
  int backward = -1;
  ASSERT_EQ(launch(nullptr, dim3(1), 64, 0, races, &forward), cudaSuccess);
  simt::machine().order = simt::ThreadOrder::kDescending;
  ASSERT_EQ(launch(nullptr, dim3(1), 64, 0, races, &backward), cudaSuccess);
  EXPECT_NE(forward, backward);
}

}  // namespace
}  // namespace mneme::engine::cuda
