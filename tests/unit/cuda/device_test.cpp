// What can go wrong with a GPU, in words, and its memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/device_memory.h"
#include "engine/devices/open_backend.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/simt/simt.h"

namespace mneme::engine::cuda {
namespace {

class GpuTrouble : public ::testing::Test {
 protected:
  void TearDown() override { simt::machine() = {}; }
  static Status open(int index) { return make_cuda_backend({.index = index}).status(); }
};

void expect_message(const Status& status, StatusCode code, const std::string& words) {
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(status.message().find(words), std::string::npos) << status.message();
}

TEST_F(GpuTrouble, WhatIsMissingIsSaid) {
  expect_message(open(7), StatusCode::kNotFound, "there is no device cuda:7: this machine has one GPU");
  simt::machine().n_devices = 3;
  expect_message(open(3), StatusCode::kNotFound, "3 GPUs, cuda:0 to cuda:2");
  simt::machine().n_devices = 0;
  expect_message(open(0), StatusCode::kNotFound, "this machine has none that works");
  simt::machine().n_devices = 1;
  simt::machine().major = 6;
  expect_message(open(0), StatusCode::kUnsupported, "its compute capability is 6.0 where 7.5 (Turing) is the least");
  simt::machine().major = 7;
  simt::machine().n_devices = 0;
  simt::machine().driver_version = 12040;
  expect_message(open(0), StatusCode::kUnsupported, "its driver supports CUDA 12.4 where 13.0 is needed");
  simt::machine().driver_version = 0;
  expect_message(open(0), StatusCode::kUnsupported, "no NVIDIA driver is installed");
}

// What the environment says of it stays.
TEST_F(GpuTrouble, QueuesAreAskedForUnlessTheEnvironmentSaysOtherwise) {
#if MNEME_HAVE_CUDA
  constexpr const char* kQueues = "CUDA_DEVICE_MAX_CONNECTIONS";
  unsetenv(kQueues);
  setenv("MNEME_CUDA_QUEUES", "0", 1);
  ask_for_device_queues();
  EXPECT_EQ(std::getenv(kQueues), nullptr);
  unsetenv("MNEME_CUDA_QUEUES");
  ask_for_device_queues();
  EXPECT_STREQ(std::getenv(kQueues), "24");
  setenv(kQueues, "5", 1);
  ask_for_device_queues();
  EXPECT_STREQ(std::getenv(kQueues), "5");
  unsetenv(kQueues);
#endif
}

TEST_F(GpuTrouble, DevicesAreChosenByName) {
  EXPECT_EQ(open_backend({.device = "cuda:x"}).status().code(), StatusCode::kUsage);
  EXPECT_EQ(open_backend({.device = "cuda:"}).status().code(), StatusCode::kUsage);
  EXPECT_EQ(open_backend({.device = "cuda:-1"}).status().code(), StatusCode::kUsage);
  EXPECT_EQ(open_backend({.device = "gpu"}).status().code(), StatusCode::kUsage);
  EXPECT_EQ((*open_backend({.device = "cpu", .n_threads = 1}))->name(), "cpu");
#if MNEME_HAVE_CUDA
  EXPECT_EQ((*open_backend({.device = "cuda"}))->name(), "cuda:0");
  EXPECT_EQ((*open_backend({.device = "auto"}))->name(), "cuda:0");
  EXPECT_EQ(open_backend({.device = "cuda:1"}).status().code(), StatusCode::kNotFound);
  simt::machine().n_devices = 0;
  EXPECT_EQ((*open_backend({.device = "auto", .n_threads = 1}))->name(), "cpu") << "without a GPU the CPU";
#endif
}

TEST_F(GpuTrouble, MemoryThatIsNotThereIsRefusedAndNothingChanges) {
  simt::machine().memory_bytes = static_cast<size_t>(simt::counters().bytes_in_use) + (size_t{96} << 20);
  auto backend = *make_cuda_backend({});
  const int64_t before = backend->free_memory_bytes();
  auto cache = *backend->make_kv_cache({.n_layers = 8, .n_kv_heads = 8, .head_dim = 128, .max_tokens = 1 << 20});
  ASSERT_TRUE(cache->reserve(256).ok());
  const int64_t held = cache->memory_bytes();
  const Status refused = cache->reserve(1 << 20);
  expect_message(refused, StatusCode::kResource, "the GPU has no memory for keys and values");
  EXPECT_EQ(cache->memory_bytes(), held);
  EXPECT_TRUE(cache->reserve(512).ok()) << "what fits is still given";
  EXPECT_TRUE(backend->synchronize().ok());
  cache.reset();
  EXPECT_EQ(backend->free_memory_bytes(), before) << "all of it comes back";
}

// Two programs on one GPU: what the other one has is missing here, with a word on whose it may be.
TEST_F(GpuTrouble, OtherProgramsOnTheSameGpuAreNamedAsTheReason) {
  simt::machine().is_used_alone = true;
  expect_message(open(0), StatusCode::kResource,
                 "another program uses the GPU (pretended GPU) and shares it with nobody");
  simt::machine().is_used_alone = false;
  auto backend = *make_cuda_backend({});
  const KvCacheOptions options{
      .n_layers = 8, .n_kv_heads = 8, .head_dim = 128, .max_tokens = 4096, .stays_on_device = true};
  auto cache = *backend->make_kv_cache(options);
  simt::machine().memory_of_others = simt::machine().memory_bytes - (size_t{80} << 20);
  const Status seen = cache->reserve(4096);
  expect_message(seen, StatusCode::kResource, "the GPU has no memory for keys and values");
  expect_message(seen, StatusCode::kResource, "close other programs on the GPU");
  simt::machine().memory_of_others = 0;
  simt::machine().memory_taken_unseen = simt::machine().memory_bytes;
  const Status unseen = cache->reserve(4096);
  expect_message(unseen, StatusCode::kResource, "the GPU gave no memory for keys and values");
  expect_message(unseen, StatusCode::kResource, "close other programs on the GPU or use --device cpu");
  simt::machine().memory_taken_unseen = 0;
  EXPECT_TRUE(cache->reserve(4096).ok()) << "once the other one has ended";
}

// Memory goes while an answer is written: the token that needs more is refused, those before it stay, and the next try
// goes on where it was.
TEST_F(GpuTrouble, MemoryThatRunsOutInTheMiddleIsSaidAndNothingIsLost) {
  auto model = mneme::testing::load_model(mneme::testing::random_gguf({.seed = 5}));
  ASSERT_NE(model, nullptr);
  auto cache = *model->backend->make_kv_cache({.n_layers = model->config.n_layers,
                                               .n_kv_heads = model->config.n_kv_heads,
                                               .head_dim = model->config.head_dim,
                                               .max_tokens = 1 << 20});
  ASSERT_TRUE(cache->reserve(3).ok());
  const auto step = [&](TokenPos position) {
    const RowGroup group{cache.get(), 0, 1};
    const TokenId id = 7;
    EXPECT_TRUE(model->pass->begin(RowSet{{&position, 1}, {&group, 1}}, {&id, 1}).ok());
    for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
    std::vector<float> logits;
    const int row = 0;
    EXPECT_TRUE(model->pass->logits({&row, 1}, logits).ok());
    return logits;
  };
  for (TokenPos position = 0; position < 3; ++position) step(position);
  const std::vector<float> expected = step(3);
  simt::machine().memory_of_others = simt::machine().memory_bytes;
  expect_message(cache->reserve(1 << 20), StatusCode::kResource, "the GPU has no memory for keys and values");
  EXPECT_EQ(step(3), expected) << "what is there still answers";
  simt::machine().memory_of_others = 0;
  EXPECT_TRUE(cache->reserve(300).ok());
  EXPECT_EQ(step(3), expected);
}

// A container may forbid to pin memory: ordinary memory takes its place.
TEST_F(GpuTrouble, MemoryThatCannotBePinnedIsDoneWithout) {
  simt::machine().pins_memory = false;
  auto backend = make_cuda_backend({});
  ASSERT_TRUE(backend.ok()) << backend.status().message();
  const std::vector<float> values = {1.0f, 2.0f, 3.0f, 4.0f};
  const TensorView view{.name = "x", .n_out = 2, .n_in = 2, .bytes = std::as_bytes(std::span(values))};
  auto table = *(*backend)->load_matrix(view);
  auto x = *(*backend)->make_activations(1, 2);
  (*backend)->embed(*table, std::vector<TokenId>{1}, 1.0f, *x);
  std::vector<float> read(2);
  ASSERT_TRUE((*backend)->read(*x, 1, read).ok());
  EXPECT_EQ(read, (std::vector<float>{3.0f, 4.0f}));
}

TEST_F(GpuTrouble, ALostDeviceIsReportedAndStopsTheStep) {
  auto model = mneme::testing::load_model(mneme::testing::random_gguf({.seed = 5}));
  ASSERT_NE(model, nullptr);
  const auto cache = model->new_cache(16);
  const std::vector<TokenPos> positions = {0, 1, 2};
  const std::vector<TokenId> ids = {1, 2, 3};
  const RowGroup group{cache.get(), 0, 3};
  const auto run = [&] {
    EXPECT_TRUE(model->pass->begin(RowSet{positions, {&group, 1}}, ids).ok());
    for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
    std::vector<float> logits;
    const int row = 2;
    return model->pass->logits({&row, 1}, logits);
  };
  ASSERT_TRUE(run().ok());
  simt::machine().launches_before_failure = 7;
  const Status lost = run();
  expect_message(lost, StatusCode::kIo, "failed while");
  expect_message(lost, StatusCode::kIo, "--device cpu");
  EXPECT_FALSE(run().ok()) << "it stays lost";
}

TEST(DeviceMemoryPieces, AreAlignedApartAndJoinedAgain) {
  auto memory = DeviceMemory::of(0);
  const int64_t before = memory->used_bytes();
  const int64_t allocations = simt::counters().allocations;
  std::vector<DeviceBuffer> buffers;
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 1; i <= 200; ++i) {
      auto buffer = memory->allocate(i * 1001, "a test");
      ASSERT_TRUE(buffer.ok());
      ASSERT_EQ(reinterpret_cast<uintptr_t>(buffer->as()) % 256, 0u);
      std::fill_n(buffer->as(), i * 1001, static_cast<std::byte>(i));
      buffers.push_back(std::move(*buffer));
    }
    for (size_t i = 0; i < buffers.size(); ++i)
      for (size_t j = 0; j < (i + 1) * 1001; j += 97)
        ASSERT_EQ(buffers[i].as()[j], static_cast<std::byte>(i + 1)) << "pieces overlap";
    // Given back in another order; the last round finds everything joined.
    for (size_t i = 0; i < buffers.size(); i += 2) buffers[i] = DeviceBuffer();
    buffers.clear();
  }
  EXPECT_EQ(memory->used_bytes(), before);
  EXPECT_LE(simt::counters().allocations - allocations, 1) << "one block serves all rounds";
}

}  // namespace
}  // namespace mneme::engine::cuda
