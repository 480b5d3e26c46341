// Memory of pages and weights: reuse, alignment, independence.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>

#include "engine/backend/cpu/page_pool.h"
#include "engine/backend/cpu/weight_arena.h"

namespace mneme::engine::cpu {
namespace {

TEST(PagePool, KeepsFinishedRunsUpToItsLimit) {
  auto pool = std::make_shared<PagePool>(size_t{3} << 20);
  auto first = *pool->acquire(size_t{2} << 20);
  auto second = *pool->acquire(size_t{2} << 20);
  std::byte* kept = first->data();
  EXPECT_NE(first->data(), second->data());
  first.reset();
  second.reset();  // beyond the limit: returned to the system
  auto third = *pool->acquire(size_t{2} << 20);
  EXPECT_EQ(third->data(), kept);
  auto other_size = *pool->acquire(5000);
  EXPECT_GE(other_size->size(), 5000u);
  std::memset(other_size->data(), 1, 5000);
}

TEST(PagePool, RunsOutliveThePoolsOwner) {
  auto pool = std::make_shared<PagePool>(size_t{1} << 20);
  auto run = *pool->acquire(100);
  pool.reset();
  std::memset(run->data(), 1, 100);
}

// Neighbours lie side by side, so that they share huge pages; what was given back is used again.
TEST(PagePool, CutsRunsFromOneRegionAndUsesAddressesAgain) {
  auto pool = std::make_shared<PagePool>(0);
  constexpr size_t kBytes = size_t{3} << 20;
  auto first = *pool->acquire(kBytes);
  auto second = *pool->acquire(kBytes - 1);
  EXPECT_EQ(first->data() + kBytes, second->data());
  EXPECT_EQ(second->size(), kBytes);
  std::memset(first->data(), 1, kBytes);
  std::memset(second->data(), 2, kBytes);
  std::byte* address = first->data();
  first.reset();
  first = *pool->acquire(kBytes);
  EXPECT_EQ(first->data(), address);
  EXPECT_EQ(first->data()[kBytes - 1], std::byte{0});  // nothing was kept
  EXPECT_EQ(second->data()[0], std::byte{2});
  auto large = *pool->acquire(size_t{70} << 20);  // more than a region
  large->data()[(size_t{70} << 20) - 1] = std::byte{1};
}

TEST(PagePool, RefusesTheImpossible) {
  auto pool = std::make_shared<PagePool>(0);
  EXPECT_EQ(pool->acquire(size_t{1} << 60).status().code(), StatusCode::kResource);
  EXPECT_EQ(pool->acquire(SIZE_MAX).status().code(), StatusCode::kResource);  // rounded up it would be nothing
  EXPECT_TRUE(pool->acquire(1).ok());
}

TEST(WeightArena, GivesSeparateZeroedAlignedPieces) {
  WeightArena arena;
  uint8_t* previous_end = nullptr;
  for (size_t n : {size_t{1}, size_t{100}, size_t{70} << 20, size_t{64}, size_t{1} << 20}) {
    uint8_t* piece = *arena.allocate(n);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % 64, 0u);
    EXPECT_TRUE(piece >= previous_end || piece + n <= previous_end);
    EXPECT_EQ(piece[0], 0);
    EXPECT_EQ(piece[n - 1], 0);
    std::memset(piece, 0xff, n);
    previous_end = piece + n;
  }
  EXPECT_EQ(arena.allocate(size_t{1} << 60).status().code(), StatusCode::kResource);
}

}  // namespace
}  // namespace mneme::engine::cpu
