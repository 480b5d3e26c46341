#include "engine/fusion/layer_loader.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/trace.h"
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

TEST_P(LayerLoaderTest, StopsCleanlyWhenAbandonedOrCancelled) {
  LayerLoader abandoned(source_, codecs_, kNumberedShape.n_layers, GetParam());
  CancelToken cancel;
  cancel.cancel();
  LayerLoader loader(source_, codecs_, kNumberedShape.n_layers, GetParam());
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
  NumberedSource source;
  const std::unique_ptr<KvCodec> codec = make_raw_codec(kNumberedShape);
  const std::vector<const KvCodec*> codecs(3, codec.get());
  trace::start();
  double waited_before = 0;
  {
    LayerLoader loader(source, codecs, kNumberedShape.n_layers, {.n_threads = 1, .depth = 2, .first_layer = 0});
    for (int layer = 0; layer < kNumberedShape.n_layers; ++layer) {
      ASSERT_EQ(loader.acquire(layer, never_cancelled()).size(), 3u);
      if (layer == 0) waited_before = loader.stats().wait_ms;
      {
        const trace::Span span("consume", "test", layer);
        std::this_thread::sleep_for(std::chrono::milliseconds(40));  // far longer than loading takes
      }
      loader.release(layer);
    }
    // After the first layer, everything was there when it was asked for.
    EXPECT_LT(loader.stats().wait_ms - waited_before, 20.0 * (kNumberedShape.n_layers - 1));
  }
  const std::string json = trace::finish_json();
  const auto fetch = spans_of(json, "fetch");
  const auto decode = spans_of(json, "decode");
  const auto consume = spans_of(json, "consume");
  ASSERT_EQ(fetch.size(), static_cast<size_t>(kNumberedShape.n_layers));
  ASSERT_EQ(decode.size(), static_cast<size_t>(kNumberedShape.n_layers));
  ASSERT_EQ(consume.size(), static_cast<size_t>(kNumberedShape.n_layers));
  for (int layer = 0; layer + 1 < kNumberedShape.n_layers; ++layer) {
    // Layer l + 1 is read and decoded before the consumer is done with layer l.
    EXPECT_LT(fetch.at(layer + 1).first, consume.at(layer).second) << layer;
    EXPECT_LT(decode.at(layer + 1).second, consume.at(layer).second) << layer;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, LayerLoaderTest,
                         testing::Values(LayerLoaderOptions{1, 1, 0}, LayerLoaderOptions{1, 2, 0},
                                         LayerLoaderOptions{3, 2, 1}, LayerLoaderOptions{4, 7, 0}));

}  // namespace
}  // namespace mneme::engine
