// The adaptive streamer over a real store and a throttled reader.
#include "rag/kv_reuse/adaptive_streamer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/random.h"
#include "engine/codec/codec_list.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;
namespace fs = std::filesystem;

constexpr engine::KvShape kShape{.n_layers = 3, .n_kv_heads = 2, .head_dim = 32};
constexpr int kTokens = 64;
constexpr size_t kElements = static_cast<size_t>(kTokens) * 64;

class AdaptiveStreamerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "streamer-" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    auto store = storage::ChunkStore::open({.roots = {folder_}, .quota_bytes = 1u << 30});
    ASSERT_TRUE(store.ok());
    store_ = std::move(store).value();
    // 49 KB, 25 KB and 13 KB a chunk.
    codecs_[0] = engine::make_raw_codec(kShape);
    codecs_[1] = engine::make_uniform_codec(kShape, 8);
    codecs_[2] = engine::make_uniform_codec(kShape, 4);
    for (int chunk = 0; chunk < 4; ++chunk) chunks_.push_back(make_chunk(chunk));
  }
  void TearDown() override {
    chunks_.clear();
    fs::remove_all(folder_);
  }

  LevelledChunk make_chunk(int number) {
    LevelledChunk chunk;
    chunk.recompute_seconds = 5.0;
    for (size_t level = 0; level < 3; ++level) {
      Random random(static_cast<uint64_t>(number));
      std::vector<std::vector<std::byte>> layers(kShape.n_layers);
      std::vector<ByteSpan> spans;
      for (int layer = 0; layer < kShape.n_layers; ++layer) {
        std::vector<f16> keys(kElements), values(kElements);
        for (f16& value : keys) value = to_f16(random.gaussian());
        for (f16& value : values) value = to_f16(random.gaussian());
        auto& out = layers[static_cast<size_t>(layer)];
        EXPECT_TRUE(codecs_[level]->encode_layer(layer, kTokens, keys, values, out).ok());
        spans.emplace_back(out);
        if (level == 0) exact_[{number, layer}] = keys;
      }
      storage::ChunkFileInfo info;
      info.key = xxh3_128(as_bytes(std::to_string(number) + "/" + std::to_string(level)));
      info.token_ids.assign(kTokens, number);
      EXPECT_TRUE(store_->put(info, spans).ok());
      auto stored = store_->find(info.key, info.token_ids);
      EXPECT_TRUE(stored.ok());
      chunk.stored[level] = *stored;
    }
    return chunk;
  }

  AdaptiveStreamOptions options(double goal_seconds) const {
    AdaptiveStreamOptions options;
    options.goal.seconds = goal_seconds;
    for (size_t level = 0; level < 3; ++level) options.codecs[level] = codecs_[level].get();
    return options;
  }

  AdaptiveStreamReport stream(const AdaptiveStreamOptions& options) {
    texts_.clear();
    layers_.clear();
    keys_.clear();
    auto report = stream_adaptively(
        chunks_, options,
        [&](int chunk, int layer, std::span<const f16> keys, std::span<const f16> values) {
          EXPECT_EQ(values.size(), kElements);
          layers_.insert({chunk, layer});
          keys_[{chunk, layer}] = {keys.begin(), keys.end()};
        },
        [&](int chunk) -> Status {
          texts_.insert(chunk);
          return {};
        });
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *report : AdaptiveStreamReport{};
  }

  std::string folder_;
  std::unique_ptr<storage::ChunkStore> store_;
  std::array<std::unique_ptr<engine::KvCodec>, 3> codecs_;
  std::vector<LevelledChunk> chunks_;
  std::map<std::pair<int, int>, std::vector<f16>> exact_, keys_;
  std::set<int> texts_;
  std::set<std::pair<int, int>> layers_;
};

TEST_F(AdaptiveStreamerTest, AFastLinkBringsEverythingExactly) {
  storage::ThroughputMeter meter;
  meter.add(1'000'000'000, 1.0);
  AdaptiveStreamOptions wanted = options(10.0);
  wanted.meter = &meter;
  const AdaptiveStreamReport report = stream(wanted);
  EXPECT_TRUE(report.in_time);
  EXPECT_EQ(report.loss, 0);
  EXPECT_EQ(report.forms, std::vector<StreamForm>(4, StreamForm{KvLevel::kExact}));
  EXPECT_EQ(layers_.size(), 12u);
  for (const auto& [place, keys] : exact_) {
    for (size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(keys_[place][i].bits, keys[i].bits);
  }
}

TEST_F(AdaptiveStreamerTest, ASlowLinkIsAnsweredWithCoarserLevelsAndKeepsTheGoal) {
  const auto trace = storage::BandwidthTrace::steady(150e3);  // exact: 1.3 s for all; 4 bits: 0.35 s
  storage::ThroughputMeter meter;
  meter.add(150'000, 1.0);
  AdaptiveStreamOptions wanted = options(1.0);
  wanted.meter = &meter;
  wanted.throttle = &trace;
  const AdaptiveStreamReport report = stream(wanted);
  EXPECT_TRUE(report.in_time) << report.seconds;
  EXPECT_TRUE(texts_.empty());
  EXPECT_GT(report.loss, 0);
  wanted.fixed = StreamForm{KvLevel::kExact};
  const AdaptiveStreamReport fixed = stream(wanted);
  EXPECT_FALSE(fixed.in_time);
  // The throttled reader takes the time the trace says.
  EXPECT_GE(fixed.seconds, 0.95 * trace.finish(0, static_cast<double>(fixed.bytes_read)));
}

TEST_F(AdaptiveStreamerTest, WithoutKnowledgeTheFirstChunkIsMediumAndTheRestFollowsTheMeter) {
  const AdaptiveStreamReport report = stream(options(10.0));
  EXPECT_EQ(report.forms.front(), StreamForm{KvLevel::kMedium});
  EXPECT_EQ(report.forms.back(), StreamForm{KvLevel::kExact});
}

TEST_F(AdaptiveStreamerTest, TextWhereThatIsSooner) {
  for (LevelledChunk& chunk : chunks_) chunk.recompute_seconds = 0.0001;
  const auto trace = storage::BandwidthTrace::steady(10e3);
  storage::ThroughputMeter meter;
  meter.add(10'000, 1.0);
  AdaptiveStreamOptions wanted = options(0.5);
  wanted.meter = &meter;
  wanted.throttle = &trace;
  const AdaptiveStreamReport report = stream(wanted);
  EXPECT_EQ(texts_.size(), 4u);
  EXPECT_EQ(report.bytes_read, 0u);
  EXPECT_TRUE(report.in_time);
}

TEST_F(AdaptiveStreamerTest, DamagedDataComesAsText) {
  const std::string path = chunks_[2].stored[0]->path();
  const uint64_t offset = chunks_[2].stored[0]->header().layers[1].offset;
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put('\x55');
    file.put('\x55');
  }
  AdaptiveStreamOptions wanted = options(10.0);
  wanted.fixed = StreamForm{KvLevel::kExact};
  const AdaptiveStreamReport report = stream(wanted);
  EXPECT_EQ(report.failed, std::vector<int>{2});
  EXPECT_EQ(texts_, std::set<int>{2});
  EXPECT_TRUE(report.forms[2].is_text());
}

}  // namespace
}  // namespace mneme::rag
