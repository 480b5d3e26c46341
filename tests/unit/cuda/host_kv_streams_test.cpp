// KV in the host's memory on the pretended device: whatever stream is late, the same comes out; what a step costs; and
// where there is no memory, that is said.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "engine/backend/cuda/device_memory.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/host_kv_bed.h"
#include "tests/unit/cuda/retrieval_bed.h"

namespace mneme::testing {
namespace {

class HostKvStreams : public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
};

// Streams are made in this order.
constexpr unsigned kCompute = 1;
constexpr unsigned kCopies = 2;
constexpr unsigned kHostKv = 4;

TEST_F(HostKvStreams, AnyMayBeLate) {
  for (const bool retrieves : {true, false}) {
    Conversation conversation{.model = {.n_layers = 3, .seed = 11}, .retrieves = retrieves};
    conversation.options.kv_in_host_memory = true;
    const Conversed expected = Converser(conversation).run();
    const std::vector<unsigned> all = {kHostKv, kCompute, kCompute | kCopies | kHostKv};
    for (const unsigned late : std::span(all).first(retrieves ? 3 : 2)) {
      simt::machine() = {};
      simt::make_late(late);
      const Conversed got = Converser(conversation).run();
      EXPECT_TRUE(got.in_host_memory);
      EXPECT_EQ(got.logits, expected.logits) << late;
      EXPECT_TRUE(same_halves(got.keys, expected.keys) && same_halves(got.values, expected.values)) << late;
      EXPECT_EQ(got.report.block_cache_hit_rate, expected.report.block_cache_hit_rate) << late;
    }
  }
}

TEST_F(HostKvStreams, ThreadsMayRunInAnyOrder) {
  Conversation conversation{.model = {.seed = 11}};
  conversation.options.kv_in_host_memory = true;
  const Conversed expected = Converser(conversation).run();
  simt::machine().order = simt::ThreadOrder::kDescending;
  const Conversed got = Converser(conversation).run();
  EXPECT_EQ(got.logits, expected.logits);
  EXPECT_EQ(got.report.block_cache_hit_rate, expected.report.block_cache_hit_rate);
}

// Six for the choice and the attention, one that looks after the block cache, one that fills it.
TEST_F(HostKvStreams, AStepLaunchesEightKernelsALayerAndAllocatesNothing) {
  const Shape shape{8, 2, 64, 700};
  Bed bed(shape, *engine::cuda::make_cuda_backend({.kv_in_host_memory = true}), 800);
  bed.place(0, 760, 7);
  engine::RetrievalOptions options = options_of(shape);
  options.block_cache_tokens = 256;
  ASSERT_TRUE(bed.cache->set_retrieval(options, bed.config).ok());
  bed.set_query(gaussian(size_t{8} * 64, 3));
  std::vector<float> got;
  int64_t allocations = 0;
  for (int n_tokens = 700; n_tokens < 720; ++n_tokens) {
    ASSERT_TRUE(bed.cache->prepare_retrieval(n_tokens - 1, nullptr, never_cancelled()).ok());
    if (n_tokens == 701) allocations = simt::counters().allocations;
    const int64_t launches = simt::counters().launches;
    const engine::TokenPos position = n_tokens - 1;
    bed.cuda().begin_rows(0, std::span(&position, 1));
    bed.attend(0, n_tokens, got);
    if (n_tokens <= 701) continue;
    EXPECT_EQ(simt::counters().launches - launches, 8);
  }
  EXPECT_EQ(simt::counters().allocations, allocations);
}

engine::KvCacheOptions long_kv() {
  // 32 KiB a token: 4,096 tokens are 128 MiB.
  return {.n_layers = 16, .n_kv_heads = 4, .head_dim = 128, .max_tokens = 4096};
}

void leave(int mebibytes) {
  simt::machine().memory_bytes = static_cast<size_t>(simt::counters().bytes_in_use) + (size_t{1} << 20) * mebibytes;
}

TEST_F(HostKvStreams, WhatDoesNotFitTheDeviceLiesInTheHostsMemory) {
  leave(120);
  auto backend = *engine::cuda::make_cuda_backend({});
  auto cache = *backend->make_kv_cache(long_kv());
  EXPECT_TRUE(cache->in_host_memory());
  EXPECT_TRUE(cache->reserve(4096).ok());
  EXPECT_GE(cache->memory_bytes(), int64_t{128} << 20);
  EXPECT_GT(cache->free_bytes(1), 1) << "of the host";
  engine::KvCacheOptions shorter = long_kv();
  shorter.max_tokens = 1024;
  EXPECT_FALSE((*backend->make_kv_cache(shorter))->in_host_memory());
  engine::KvCacheOptions bound = long_kv();
  bound.stays_on_device = true;
  EXPECT_FALSE((*backend->make_kv_cache(bound))->in_host_memory());
}

TEST_F(HostKvStreams, MemoryThatIsNotThereIsSaid) {
  simt::machine().pins_memory = false;
  auto backend = *engine::cuda::make_cuda_backend({.kv_in_host_memory = true});
  auto cache = *backend->make_kv_cache(long_kv());
  const Status unpinned = cache->reserve(200);
  EXPECT_EQ(unpinned.code(), StatusCode::kResource);
  EXPECT_NE(unpinned.message().find("none that the system lets a GPU use (pinned memory)"), std::string::npos)
      << unpinned.message();
  EXPECT_EQ(cache->memory_bytes(), 0);
  simt::machine().pins_memory = true;
  EXPECT_TRUE(cache->reserve(200).ok()) << "nothing has changed";
  // Not even two layers fit.
  leave(1);
  const auto none = backend->make_kv_cache({.n_layers = 2, .n_kv_heads = 64, .head_dim = 256, .max_tokens = 1 << 20});
  EXPECT_EQ(none.status().code(), StatusCode::kResource);
  EXPECT_NE(none.status().message().find("two layers' keys and values"), std::string::npos) << none.status().message();
}

TEST_F(HostKvStreams, ALostDeviceIsReported) {
  const Shape shape{8, 2, 64, 700};
  Bed bed(shape, *engine::cuda::make_cuda_backend({.kv_in_host_memory = true}), 800);
  bed.place(0, 700, 7);
  ASSERT_TRUE(bed.cache->set_retrieval(options_of(shape), bed.config).ok());
  simt::machine().launches_before_failure = 5;
  EXPECT_EQ(bed.cache->prepare_retrieval(699, nullptr, never_cancelled()).code(), StatusCode::kIo);
  simt::machine() = {};
  ASSERT_TRUE(bed.cache->prepare_retrieval(699, nullptr, never_cancelled()).ok());
}

}  // namespace
}  // namespace mneme::testing
