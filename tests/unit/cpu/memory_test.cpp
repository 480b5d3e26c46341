// Memory of pages and weights: reuse, alignment, independence; and how keys and values lie in pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "base/memory_limit.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/cpu_kv_cache.h"
#include "engine/backend/cpu/kernels.h"
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

TEST(AlignedBuffer, GrowsNeverShrinksAndIsAligned) {
  AlignedBuffer<float> buffer;
  EXPECT_EQ(buffer.size(), 0u);
  for (const size_t n : {size_t{1}, size_t{1000}, size_t{200'000}, size_t{300'000}, size_t{600'000}, size_t{10}}) {
    const size_t before = buffer.size();
    const float* kept = buffer.data();
    buffer.reserve(n);
    EXPECT_EQ(buffer.size(), std::max(before, n));
    if (n <= before) {
      EXPECT_EQ(buffer.data(), kept);
    }
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    std::fill_n(buffer.data(), buffer.size(), 1.0f);
  }
}

TEST(AlignedBuffer, StaysAsItWasWhereThereIsNoRoom) {
  if (taken_memory_bytes() > (uint64_t{1} << 40)) GTEST_SKIP() << "a sanitizer ends the program instead";
  AlignedBuffer<std::byte> impossible;
  EXPECT_THROW(impossible.reserve(size_t{1} << 60), std::bad_alloc);
  EXPECT_EQ(impossible.size(), 0u);
  impossible.reserve(10);
  impossible.data()[9] = std::byte{1};
}

// Pages that were turned for retrieval take stored KV as well as others: after a long context the next prompt is placed
// into them.
TEST(CpuKvCache, PlacesIntoPagesOfEitherKind) {
  ThreadPool pool(2);
  RopeTables ropes;
  for (const Kernels* kernels : available_kernels()) {
    for (const int head_dim : {64, 40}) {
      const KvCacheOptions options{.n_layers = 2, .n_kv_heads = 2, .head_dim = head_dim, .max_tokens = 400};
      CpuKvCache plain(options, *kernels, pool, ropes, std::make_shared<PagePool>(0));
      CpuKvCache turned(options, *kernels, pool, ropes, std::make_shared<PagePool>(0));
      ASSERT_TRUE(plain.reserve(400).ok());
      ASSERT_TRUE(turned.reserve(400).ok());
      turned.make_by_token(1, 2, pool, 1);
      const auto n = static_cast<size_t>(300 * 2 * head_dim);
      std::vector<f16> keys(n), values(n), got[2], got_values[2];
      Random random(3);
      for (size_t i = 0; i < n; ++i) {
        keys[i] = to_f16(random.gaussian());
        values[i] = to_f16(random.gaussian());
      }
      plain.place(1, 37, 300, keys, values, nullptr);
      turned.place(1, 37, 300, keys, values, nullptr);
      const CpuKvCache* caches[] = {&plain, &turned};
      for (int i = 0; i < 2; ++i) {
        got[i].resize(n);
        got_values[i].resize(n);
        ASSERT_TRUE(caches[i]->read(1, 37, 300, false, got[i], got_values[i]).ok());
        EXPECT_EQ(std::memcmp(got[i].data(), keys.data(), n * sizeof(f16)), 0) << kernels->name << " " << i;
        EXPECT_EQ(std::memcmp(got_values[i].data(), values.data(), n * sizeof(f16)), 0) << kernels->name << " " << i;
        // Keys alone.
        std::vector<f16> alone(n);
        ASSERT_TRUE(caches[i]->read(1, 37, 300, false, alone, {}).ok());
        EXPECT_EQ(std::memcmp(alone.data(), keys.data(), n * sizeof(f16)), 0);
      }
      const RopeConfig rope{RopeLayout::kInterleaved, 16, {1.0f, 0.5f, 0.25f, 0.1f, 0.05f, 0.02f, 0.01f, 0.001f}, 1.0f};
      plain.place(1, 90, 300, keys, values, &rope);
      turned.place(1, 90, 300, keys, values, &rope);
      for (int i = 0; i < 2; ++i) ASSERT_TRUE(caches[i]->read(1, 90, 300, false, got[i], got_values[i]).ok());
      EXPECT_EQ(std::memcmp(got[0].data(), got[1].data(), n * sizeof(f16)), 0) << kernels->name;
      EXPECT_NE(std::memcmp(got[0].data(), keys.data(), n * sizeof(f16)), 0) << kernels->name;
    }
  }
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
