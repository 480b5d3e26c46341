#include "engine/fusion/layer_loader.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "tests/unit/fusion/numbered_source.h"

namespace mneme::engine {
namespace {

class LayerLoaderTest : public testing::TestWithParam<LayerLoaderOptions> {
 protected:
  std::unique_ptr<KvCodec> codec_ = make_raw_codec(kNumberedShape);
  std::vector<const KvCodec*> codecs_{codec_.get(), codec_.get(), codec_.get()};
  NumberedSource source_;
};

TEST_P(LayerLoaderTest, GivesEveryLayerOfEveryChunkInOrder) {
  LayerLoader loader(source_, codecs_, kNumberedShape.n_layers, GetParam());
  for (int layer = GetParam().first_layer; layer < kNumberedShape.n_layers; ++layer) {
    const std::span<const ChunkLayer> chunks = loader.acquire(layer, never_cancelled());
    ASSERT_EQ(chunks.size(), 3u);
    for (size_t c = 0; c < 3; ++c) {
      ASSERT_TRUE(chunks[c].status.ok());
      ASSERT_EQ(chunks[c].keys.size(), static_cast<size_t>(source_.chunk(static_cast<int>(c)).n_tokens) * 8);
      ASSERT_EQ(chunks[c].keys.back().bits, c * 100 + static_cast<size_t>(layer));
      ASSERT_EQ(chunks[c].values.front().bits, c * 100 + static_cast<size_t>(layer));
    }
    loader.release(layer);
  }
  EXPECT_EQ(loader.stats().bytes_read, int64_t{9} * 8 * 2 * 2 * (kNumberedShape.n_layers - GetParam().first_layer));
}

TEST_P(LayerLoaderTest, ReadsNoFurtherAheadThanItsDepth) {
  LayerLoader loader(source_, codecs_, kNumberedShape.n_layers, GetParam());
  loader.acquire(GetParam().first_layer, never_cancelled());
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_LT(source_.highest_layer.load(), GetParam().first_layer + GetParam().depth);
}

TEST_P(LayerLoaderTest, AFailedChunkIsNamedAndTheOthersArrive) {
  source_.fail_chunk = 1;
  source_.fail_layer = 2;
  LayerLoader loader(source_, codecs_, kNumberedShape.n_layers, GetParam());
  for (int layer = GetParam().first_layer; layer <= 2; ++layer) {
    const std::span<const ChunkLayer> chunks = loader.acquire(layer, never_cancelled());
    EXPECT_TRUE(chunks[0].status.ok());
    EXPECT_EQ(chunks[1].status.ok(), layer != 2);
    loader.release(layer);
  }
}

TEST_P(LayerLoaderTest, LeavesEncodedWhatADeviceDecodes) {
  LayerLoaderOptions options = GetParam();
  options.leaves_encoded = [this](int layer, const KvCodec& codec) { return layer % 2 == 1 && &codec == codec_.get(); };
  LayerLoader loader(source_, codecs_, kNumberedShape.n_layers, options);
  for (int layer = options.first_layer; layer < kNumberedShape.n_layers; ++layer) {
    const std::span<const ChunkLayer> chunks = loader.acquire(layer, never_cancelled());
    ASSERT_EQ(chunks.size(), 3u);
    for (size_t c = 0; c < 3; ++c) {
      ASSERT_TRUE(chunks[c].status.ok());
      ASSERT_EQ(chunks[c].is_encoded(), layer % 2 == 1);
      const size_t n_elements = static_cast<size_t>(source_.chunk(static_cast<int>(c)).n_tokens) * 8;
      const auto expected = static_cast<uint16_t>(c * 100 + static_cast<size_t>(layer));
      if (!chunks[c].is_encoded()) {
        ASSERT_EQ(chunks[c].keys.front().bits, expected);
        continue;
      }
      ASSERT_EQ(chunks[c].coded.codec, codec_.get());
      ASSERT_EQ(chunks[c].coded.payload.size(), 2 * n_elements * sizeof(f16));
      uint16_t first = 0;
      std::memcpy(&first, chunks[c].coded.payload.data(), sizeof first);
      ASSERT_EQ(first, expected);
    }
    loader.release(layer);
  }
}

TEST_P(LayerLoaderTest, StopsCleanlyWhenAbandonedOrCancelled) {
  LayerLoader abandoned(source_, codecs_, kNumberedShape.n_layers, GetParam());
  CancelToken cancel;
  cancel.cancel();
  LayerLoader loader(source_, codecs_, kNumberedShape.n_layers, GetParam());
  // Either the layer was there already or the wait ended at once.
  const size_t n = loader.acquire(GetParam().first_layer, cancel).size();
  EXPECT_TRUE(n == 3 || n == 0) << n;
}

// Whoever is cancelled waits for nothing: what he is given was there.
TEST(LayerLoaderPipeline, TheNextLayerComesWhileThisOneIsUsedAndAReadyOneIsNeverWaitedFor) {
  constexpr int64_t kLayerBytes = int64_t{9} * 8 * 2 * 2;
  NumberedSource source;
  const std::unique_ptr<KvCodec> codec = make_raw_codec(kNumberedShape);
  const std::vector<const KvCodec*> codecs(3, codec.get());
  LayerLoader loader(source, codecs, kNumberedShape.n_layers, {.n_threads = 1, .depth = 2, .first_layer = 0});
  CancelToken cancelled;
  cancelled.cancel();
  for (int layer = 0; layer < kNumberedShape.n_layers; ++layer) {
    ASSERT_EQ(loader.acquire(layer, layer == 0 ? never_cancelled() : cancelled).size(), 3u) << layer;
    const int64_t expected = kLayerBytes * std::min(layer + 2, kNumberedShape.n_layers);
    for (int i = 0; i < 60'000 && loader.stats().bytes_read < expected; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(loader.stats().bytes_read, expected) << "the next layer, while " << layer << " is held";
    loader.release(layer);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, LayerLoaderTest,
                         testing::Values(LayerLoaderOptions{1, 1, 0}, LayerLoaderOptions{1, 2, 0},
                                         LayerLoaderOptions{3, 2, 1}, LayerLoaderOptions{4, 7, 0}));

}  // namespace
}  // namespace mneme::engine
