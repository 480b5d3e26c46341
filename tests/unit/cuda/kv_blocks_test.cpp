// The block cache's kernels against engine/pq/block_cache.h: the same blocks come in, in the same order, the same
// tokens are served, and what lies in a slot is what lies in the block's page.
#include "engine/backend/cuda/kv_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/device_memory.h"
#include "engine/pq/block_cache.h"

namespace mneme::engine::cuda {
namespace {

template <typename T>
struct OnDevice {
  explicit OnDevice(int64_t n) : size(static_cast<size_t>(n)) {
    auto piece = DeviceMemory::of(0)->allocate(size * sizeof(T), "a test");
    EXPECT_TRUE(piece.ok());
    buffer = std::move(*piece);
  }
  T* data() const { return buffer.as<T>(); }
  void set(const std::vector<T>& values) const {
    EXPECT_EQ(cudaMemcpyAsync(data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, nullptr),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  }
  std::vector<T> get() const {
    std::vector<T> out(size);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(out.data(), data(), size * sizeof(T), cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    return out;
  }
  size_t size;
  DeviceBuffer buffer;
};

constexpr int kHeads = 3;
constexpr int kHeadDim = 4;
constexpr int64_t kHeadBytes = int64_t{2} * kPageTokens * kHeadDim * 2;

// Pages whose bytes tell the block and the head.
struct Pages {
  explicit Pages(int n) : memory(n * kHeads * kHeadBytes), table(n) {
    std::vector<std::byte> bytes(memory.size);
    std::vector<std::byte*> pages;
    for (int page = 0; page < n; ++page) {
      pages.push_back(memory.data() + page * kHeads * kHeadBytes);
      for (int head = 0; head < kHeads; ++head)
        std::memset(bytes.data() + (int64_t{page} * kHeads + head) * kHeadBytes, mark(page, head), kHeadBytes);
    }
    memory.set(bytes);
    table.set(pages);
    view.pages = table.data();
    view.head_bytes = kHeadBytes;
    view.n_kv_heads = kHeads;
    view.head_dim = kHeadDim;
  }
  static int mark(int page, int head) { return (page * kHeads + head) % 251; }
  OnDevice<std::byte> memory;
  OnDevice<std::byte*> table;
  KvView view;
};

struct Cache {
  Cache(int n_slots, int n_blocks, bool by_uses)
      : memory(kHeads * n_slots * kHeadBytes),
        slots(kHeads * n_slots),
        places(kHeads * n_blocks),
        fills(kHeads * kOfferedBlocks),
        n_fills(kHeads),
        counts(2 * kHeads),
        told(2 * kHeads),
        view{.n_kv_heads = kHeads,
             .n_slots = n_slots,
             .most_blocks = n_blocks,
             .head_bytes = kHeadBytes,
             .by_uses = by_uses,
             .memory = memory.data(),
             .slots = slots.data(),
             .places = places.data(),
             .fills = fills.data(),
             .n_fills = n_fills.data(),
             .counts = counts.data(),
             .told = told.data()} {
    EXPECT_EQ(clear_blocks(nullptr, view), cudaSuccess);
  }
  OnDevice<std::byte> memory;
  OnDevice<BlockSlot> slots;
  OnDevice<const std::byte*> places;
  OnDevice<BlockFill> fills;
  OnDevice<int> n_fills;
  OnDevice<int64_t> counts, told;
  CachedBlocks view;
};

// Some blocks are asked for often, and for many tokens.
std::vector<TokenPos> choose_tokens(Random& random, int n_blocks, int n) {
  std::set<TokenPos> chosen;
  for (int i = 0; i < n; ++i) {
    const auto block = static_cast<int>(random.below(2) == 0 ? random.below(static_cast<uint32_t>(n_blocks))
                                                             : random.below(static_cast<uint32_t>(n_blocks)) / 4);
    chosen.insert(block * kPageTokens + static_cast<int>(random.below(random.below(3) == 0 ? kPageTokens : 9)));
  }
  return {chosen.begin(), chosen.end()};
}

void check_contents(const Cache& cache, int n_slots, int n_blocks) {
  const auto places = cache.places.get();
  const auto memory = cache.memory.get();
  const auto slots = cache.slots.get();
  const auto n_fills = cache.n_fills.get();
  int n_there = 0;
  for (int head = 0; head < kHeads; ++head)
    for (int block = 0; block < n_blocks; ++block) {
      const std::byte* place = places[static_cast<size_t>(head * n_blocks + block)];
      if (place == nullptr) continue;
      ++n_there;
      const auto at = static_cast<size_t>(place - cache.memory.data());
      ASSERT_EQ(at / kHeadBytes / static_cast<size_t>(n_slots), static_cast<size_t>(head));
      ASSERT_EQ(slots[at / kHeadBytes].block, block);
      const auto mark = static_cast<std::byte>(Pages::mark(block, head));
      ASSERT_TRUE(std::all_of(memory.begin() + static_cast<std::ptrdiff_t>(at),
                              memory.begin() + static_cast<std::ptrdiff_t>(at + kHeadBytes),
                              [&](std::byte b) { return b == mark; }))
          << head << " " << block;
    }
  int n_held = 0;
  for (const BlockSlot& slot : slots) n_held += slot.block >= 0 ? 1 : 0;
  int on_their_way = 0;
  for (const int n : n_fills) on_their_way += n;
  EXPECT_EQ(n_there + on_their_way, n_held);
}

class KvBlocks : public ::testing::TestWithParam<std::tuple<int, bool>> {};
INSTANTIATE_TEST_SUITE_P(SlotsAndRules, KvBlocks,
                         ::testing::Combine(::testing::Values(1, 2, 7, 40, 300), ::testing::Bool()));

TEST_P(KvBlocks, AreThoseOfTheHostsBlockCache) {
  const auto [n_slots, by_uses] = GetParam();
  const int n_blocks = 130;
  constexpr int kMostTokens = 3000;
  const Pages pages(n_blocks);
  const Cache cache(n_slots, n_blocks, by_uses);
  const OnDevice<HeadChoice> heads(kHeads);
  const OnDevice<int> positions(kHeads * kMostTokens);
  std::vector<BlockCache> expected(
      kHeads, BlockCache(n_slots * kPageTokens, by_uses ? BlockEviction::kLfu : BlockEviction::kLru, kOfferedBlocks));
  Random random(static_cast<uint64_t>(7 + n_slots));
  for (int step = 1; step <= 12; ++step) {
    // Blocks that are not whole yet take no part.
    const int n_whole = step < 6 ? 20 + 10 * step : n_blocks;
    std::vector<HeadChoice> choice(kHeads);
    std::vector<int> all(kHeads * kMostTokens, -1);
    std::vector<std::vector<int>> filled(kHeads);
    for (int head = 0; head < kHeads; ++head) {
      const auto tokens = choose_tokens(random, n_blocks, head == 2 && step == 4 ? 0 : 20 + 200 * head + 30 * step);
      choice[static_cast<size_t>(head)].k = static_cast<int>(tokens.size());
      std::copy(tokens.begin(), tokens.end(), all.begin() + head * kMostTokens);
      const auto end = std::lower_bound(tokens.begin(), tokens.end(), n_whole * kPageTokens);
      const auto fills = expected[static_cast<size_t>(head)].step(std::span(tokens.begin(), end));
      filled[static_cast<size_t>(head)].assign(fills.begin(), fills.end());
    }
    heads.set(choice);
    positions.set(all);
    ASSERT_EQ(serve_blocks(nullptr, cache.view, heads.data(), positions.data(), kMostTokens, n_whole, step),
              cudaSuccess);
    const auto fills = cache.fills.get();
    const auto n_fills = cache.n_fills.get();
    const auto told = cache.told.get();
    for (int head = 0; head < kHeads; ++head) {
      std::vector<int> got;
      for (int i = 0; i < n_fills[static_cast<size_t>(head)]; ++i)
        got.push_back(fills[static_cast<size_t>(head * kOfferedBlocks + i)].block);
      ASSERT_EQ(got, filled[static_cast<size_t>(head)]) << "head " << head << ", step " << step;
      EXPECT_EQ(told[static_cast<size_t>(2 * head)], expected[static_cast<size_t>(head)].hits());
      EXPECT_EQ(told[static_cast<size_t>(2 * head + 1)], expected[static_cast<size_t>(head)].requests());
    }
    EXPECT_EQ(told, cache.counts.get());
    ASSERT_EQ(fill_blocks(nullptr, cache.view, pages.view, 0), cudaSuccess);
    check_contents(cache, n_slots, n_blocks);
    if (step != 8) continue;
    const int kept = 90;
    ASSERT_EQ(forget_blocks(nullptr, cache.view, kept), cudaSuccess);
    for (BlockCache& one : expected) one.forget(kept * kPageTokens);
    check_contents(cache, n_slots, n_blocks);
  }
}

}  // namespace
}  // namespace mneme::engine::cuda
