#include "engine/fusion/layer_loader.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/trace.h"

namespace mneme::engine {
namespace {

constexpr KvShape kShape{.n_layers = 7, .n_kv_heads = 2, .head_dim = 4};

// Chunks of 3, 1 and 5 tokens whose elements name chunk and layer.
class MemorySource final : public KvSource {
 public:
  int n_chunks() const override { return 3; }
  ChunkKvInfo chunk(int chunk) const override { return {kTokens[chunk], kShape.n_layers, 1, 1}; }
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override {
    if (chunk == fail_chunk && layer == fail_layer) return corruption("planted");
    highest_layer.store(std::max(highest_layer.load(), layer));
    const size_t n = static_cast<size_t>(kTokens[chunk]) * 8;
    const std::vector<f16> elements(2 * n, f16{static_cast<uint16_t>(chunk * 100 + layer)});
    out.resize(elements.size() * sizeof(f16));
    std::memcpy(out.data(), elements.data(), out.size());
    return {};
  }
  int fail_chunk = -1;
  int fail_layer = -1;
  std::atomic<int> highest_layer{-1};

 private:
  static constexpr int kTokens[3] = {3, 1, 5};
};

class LayerLoaderTest : public testing::TestWithParam<LayerLoaderOptions> {
 protected:
  std::unique_ptr<KvCodec> codec_ = make_raw_codec(kShape);
  std::vector<const KvCodec*> codecs_{codec_.get(), codec_.get(), codec_.get()};
  MemorySource source_;
};

TEST_P(LayerLoaderTest, GivesEveryLayerOfEveryChunkInOrder) {
  LayerLoader loader(source_, codecs_, kShape.n_layers, GetParam());
  for (int layer = GetParam().first_layer; layer < kShape.n_layers; ++layer) {
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
  EXPECT_EQ(loader.stats().bytes_read, int64_t{9} * 8 * 2 * 2 * (kShape.n_layers - GetParam().first_layer));
}

TEST_P(LayerLoaderTest, ReadsNoFurtherAheadThanItsDepth) {
  LayerLoader loader(source_, codecs_, kShape.n_layers, GetParam());
  loader.acquire(GetParam().first_layer, never_cancelled());
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_LT(source_.highest_layer.load(), GetParam().first_layer + GetParam().depth);
}

TEST(LayerLoaderPipeline, WithoutCoresToSpareNothingIsDecodedBesideTheConsumer) {
  MemorySource source;
  const std::unique_ptr<KvCodec> codec = make_raw_codec(kShape);
  const std::vector<const KvCodec*> codecs(3, codec.get());
  LayerLoader loader(source, codecs, kShape.n_layers, {.n_threads = 2, .depth = 3, .first_layer = 0, .beside = false});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(source.highest_layer.load(), -1);
  for (int layer = 0; layer < kShape.n_layers; ++layer) {
    ASSERT_EQ(loader.acquire(layer, never_cancelled()).size(), 3u);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(source.highest_layer.load(), layer);
    loader.release(layer);
  }
}

TEST(LayerLoaderPipeline, ThreadsOfTheComputationDecodeOnlyInAcquire) {
  MemorySource source;
  const std::unique_ptr<KvCodec> codec = make_raw_codec(kShape);
  const std::vector<const KvCodec*> codecs(3, codec.get());
  ThreadPool pool(2);
  LayerLoader loader(source, codecs, kShape.n_layers, {.depth = 3, .first_layer = 1, .pool = &pool});
  for (int layer = 1; layer < kShape.n_layers; ++layer) {
    const std::span<const ChunkLayer> chunks = loader.acquire(layer, never_cancelled());
    ASSERT_EQ(chunks.size(), 3u);
    EXPECT_EQ(chunks[2].keys.back().bits, 200 + layer);
    EXPECT_EQ(source.highest_layer.load(), layer);
    loader.release(layer);
  }
  EXPECT_GT(loader.stats().wait_ms, 0.0);
}

TEST_P(LayerLoaderTest, AFailedChunkIsNamedAndTheOthersArrive) {
  source_.fail_chunk = 1;
  source_.fail_layer = 2;
  LayerLoader loader(source_, codecs_, kShape.n_layers, GetParam());
  for (int layer = GetParam().first_layer; layer <= 2; ++layer) {
    const std::span<const ChunkLayer> chunks = loader.acquire(layer, never_cancelled());
    EXPECT_TRUE(chunks[0].status.ok());
    EXPECT_EQ(chunks[1].status.ok(), layer != 2);
    loader.release(layer);
  }
}

TEST_P(LayerLoaderTest, StopsCleanlyWhenAbandonedOrCancelled) {
  LayerLoader abandoned(source_, codecs_, kShape.n_layers, GetParam());
  CancelToken cancel;
  cancel.cancel();
  LayerLoader loader(source_, codecs_, kShape.n_layers, GetParam());
  // Either the layer was there already or the wait ended at once; both return.
  loader.acquire(GetParam().first_layer, cancel);
}

// Begin and end (microseconds) of every span of one name in a trace, by layer.
std::map<int, std::pair<double, double>> spans_of(const std::string& trace, const std::string& name) {
  std::map<int, std::pair<double, double>> spans;
  const std::string start = "{\"ph\":\"X\",\"name\":\"" + name + "\"";
  for (size_t at = trace.find(start); at != std::string::npos; at = trace.find(start, at + 1)) {
    const auto number = [&](const std::string& key) {
      return std::stod(trace.substr(trace.find("\"" + key + "\":", at) + key.size() + 3));
    };
    const double begin = number("ts");
    const auto [span, added] = spans.try_emplace(static_cast<int>(number("n")), begin, begin + number("dur"));
    if (added) continue;  // several chunks of a layer: from the first to the last
    span->second.first = std::min(span->second.first, begin);
    span->second.second = std::max(span->second.second, begin + number("dur"));
  }
  return spans;
}

TEST(LayerLoaderPipeline, TheNextLayerComesWhileThisOneIsUsedAndAReadyOneIsNeverWaitedFor) {
  MemorySource source;
  const std::unique_ptr<KvCodec> codec = make_raw_codec(kShape);
  const std::vector<const KvCodec*> codecs(3, codec.get());
  trace::start();
  double waited_before = 0;
  {
    LayerLoader loader(source, codecs, kShape.n_layers, {.n_threads = 1, .depth = 2, .first_layer = 0});
    for (int layer = 0; layer < kShape.n_layers; ++layer) {
      ASSERT_EQ(loader.acquire(layer, never_cancelled()).size(), 3u);
      if (layer == 0) waited_before = loader.stats().wait_ms;
      {
        const trace::Span span("consume", "test", layer);
        std::this_thread::sleep_for(std::chrono::milliseconds(40));  // far longer than loading takes
      }
      loader.release(layer);
    }
    // After the first layer, everything was there when it was asked for.
    EXPECT_LT(loader.stats().wait_ms - waited_before, 20.0 * (kShape.n_layers - 1));
  }
  const std::string json = trace::finish_json();
  const auto fetch = spans_of(json, "fetch");
  const auto decode = spans_of(json, "decode");
  const auto consume = spans_of(json, "consume");
  ASSERT_EQ(fetch.size(), static_cast<size_t>(kShape.n_layers));
  ASSERT_EQ(decode.size(), static_cast<size_t>(kShape.n_layers));
  ASSERT_EQ(consume.size(), static_cast<size_t>(kShape.n_layers));
  for (int layer = 0; layer + 1 < kShape.n_layers; ++layer) {
    // Layer l + 1 is read and decoded before the consumer is done with layer l.
    EXPECT_LT(fetch.at(layer + 1).first, consume.at(layer).second) << layer;
    EXPECT_LT(decode.at(layer + 1).second, consume.at(layer).second) << layer;
  }
}

ThreadPool& shared_pool() {
  static ThreadPool pool(2);
  return pool;
}

INSTANTIATE_TEST_SUITE_P(Shapes, LayerLoaderTest,
                         testing::Values(LayerLoaderOptions{1, 1, 0, true}, LayerLoaderOptions{1, 2, 0, true},
                                         LayerLoaderOptions{3, 2, 1, true}, LayerLoaderOptions{4, 7, 0, true},
                                         LayerLoaderOptions{1, 2, 0, false}, LayerLoaderOptions{2, 1, 1, false},
                                         LayerLoaderOptions{1, 2, 1, false, &shared_pool()},
                                         LayerLoaderOptions{1, 1, 0, true, &shared_pool()}));

}  // namespace
}  // namespace mneme::engine
