// Memory for KV while memory is short: whatever allocation fails, no page is lost, and the cache goes on where it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cpu/page_pool.h"
#include "tests/faults/interpose.h"

namespace mneme::faults {
namespace {

// Runs `work` with its n-th allocation (from 0) failing; false when it makes fewer.
template <typename Work>
bool meets_failure(int64_t n, Work work) {
  arm(Fault::kAllocation, n);
  try {
    work();
  } catch (const std::bad_alloc&) {
  }
  disarm();
  return fired();
}

TEST(KvPagesTest, APoolKeepsThePagesThatItCouldNotGive) {
  constexpr size_t kBytes = size_t{2} << 20;
  const auto pool = std::make_shared<engine::cpu::PagePool>(size_t{8} << 20);
  auto run = *pool->acquire(kBytes);
  const std::byte* const kept = run->data();
  run.reset();
  int n = 0;
  for (; meets_failure(n,
                       [&] {
                         auto got = pool->acquire(kBytes);
                         if (got.ok()) run = std::move(*got);
                       });
       ++n) {
    EXPECT_EQ(run, nullptr);
    run = *pool->acquire(kBytes);
    EXPECT_EQ(run->data(), kept) << "the pages were lost when allocation " << n << " failed";
    run.reset();
  }
  EXPECT_GT(n, 0);
}

TEST(KvPagesTest, AFailureLeavesNoHoleInARegion) {
  constexpr size_t kBytes = size_t{2} << 20;
  for (int n = 0;; ++n) {
    const auto pool = std::make_shared<engine::cpu::PagePool>(0);
    const auto first = *pool->acquire(kBytes);
    std::unique_ptr<engine::cpu::PagePool::Run> second;
    const bool failed = meets_failure(n, [&] { second = *pool->acquire(kBytes); });
    if (failed) second = *pool->acquire(kBytes);
    EXPECT_EQ(second->data(), first->data() + kBytes) << n;
    if (!failed) break;
  }
}

// Keys and values that are all different, as small whole numbers.
std::vector<f16> numbers(size_t n, float first) {
  std::vector<f16> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = to_f16(first + static_cast<float>(i % 1000));
  return values;
}

bool same(const std::vector<f16>& a, const std::vector<f16>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](f16 x, f16 y) { return x.bits == y.bits; });
}

TEST(KvPagesTest, ACacheGoesOnAfterAReservationThatFailed) {
  constexpr int kFirst = 100;
  constexpr int kMost = 2000;
  const engine::KvCacheOptions options{.n_layers = 2, .n_kv_heads = 2, .head_dim = 16, .max_tokens = kMost};
  const auto width = static_cast<size_t>(options.n_kv_heads * options.head_dim);
  const std::vector<f16> keys = numbers(width * kMost, 1);
  const std::vector<f16> values = numbers(width * kMost, 7);
  const auto backend = engine::make_cpu_backend(1);
  int n = 0;
  for (bool failed = true; failed; ++n) {
    const auto cache = *backend->make_kv_cache(options);
    ASSERT_TRUE(cache->reserve(kFirst).ok());
    const std::span<const f16> some_keys(keys.data(), width * kFirst);
    const std::span<const f16> some_values(values.data(), width * kFirst);
    cache->place(0, 0, kFirst, some_keys, some_values, nullptr);
    const int64_t before = cache->memory_bytes();
    Status reserved;
    failed = meets_failure(n, [&] { reserved = cache->reserve(kMost); });
    if (failed) {
      EXPECT_EQ(cache->memory_bytes(), before) << "what failed at allocation " << n << " was counted";
    }
    ASSERT_TRUE(cache->reserve(kMost).ok());
    cache->place(1, 0, kMost, keys, values, nullptr);
    std::vector<f16> got_keys(width * kMost), got_values(width * kMost);
    ASSERT_TRUE(cache->read(1, 0, kMost, false, got_keys, got_values).ok());
    EXPECT_TRUE(same(got_keys, keys) && same(got_values, values)) << n;
    got_keys.resize(width * kFirst);
    got_values.resize(width * kFirst);
    ASSERT_TRUE(cache->read(0, 0, kFirst, false, got_keys, got_values).ok());
    EXPECT_TRUE(std::equal(got_keys.begin(), got_keys.end(), keys.begin(), [](f16 x, f16 y) {
      return x.bits == y.bits;
    })) << n;
  }
  EXPECT_GT(n, 2);
}

}  // namespace
}  // namespace mneme::faults
