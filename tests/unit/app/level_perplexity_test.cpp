// Perplexity behind coded KV: lossless codecs change nothing, lossy ones little, and all see the same windows.
#include "app/eval/level_perplexity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "engine/codec/codec_list.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::app {
namespace {

class LevelPerplexityTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto model = engine::LanguageModel::open(checkout::test_data("tiny.gguf"),
                                             {.device = {.device = "cpu", .n_threads = 2}, .context_tokens = 0});
    ASSERT_TRUE(model.ok()) << model.status().message();
    model_ = std::move(model).value();
    std::ifstream file(checkout::test_data("reference.txt"));
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    ids_ = model_->tokenizer().encode(text);
    ASSERT_GE(ids_.size(), 128u);
  }

  std::unique_ptr<engine::LanguageModel> model_;
  std::vector<engine::TokenId> ids_;
};

TEST_F(LevelPerplexityTest, LosslessIsTheSameAndLossyIsNear) {
  const engine::ModelConfig& config = model_->config();
  const engine::KvShape shape{config.n_layers, config.n_kv_heads, config.head_dim};
  std::vector<std::unique_ptr<engine::KvCodec>> codecs;
  codecs.push_back(engine::make_exact_codec(shape));
  codecs.push_back(engine::make_uniform_codec(shape, 8));
  codecs.push_back(engine::make_uniform_codec(shape, 4));
  LevelPerplexity measured(*model_, std::move(codecs));
  for (size_t begin = 0; begin + 64 <= 128; begin += 64) {
    ASSERT_TRUE(measured.add_window(std::span(ids_).subspan(begin, 64), never_cancelled()).ok());
  }
  EXPECT_EQ(measured.tokens(), 2 * 31);
  const double exact = measured.perplexity(measured.exact());
  ASSERT_EQ(measured.scores().size(), 3u);
  // The same bits, but keys are rotated anew from half precision; where rows are multiplied in 8 bits, a key that
  // differs in its last bit can move what follows by a step of theirs.
  EXPECT_NEAR(measured.perplexity(measured.scores()[0]) / exact, 1.0, 5e-3);
  EXPECT_NEAR(measured.perplexity(measured.scores()[1]) / exact, 1.0, 0.05);
  EXPECT_NEAR(measured.perplexity(measured.scores()[2]) / exact, 1.0, 0.5);
  for (const LevelScore& score : measured.scores()) {
    ASSERT_EQ(score.windows.size(), 2u);
    EXPECT_NEAR(score.windows[0] + score.windows[1], score.nll, 1e-9);
    // Two windows: drawn with replacement, the extremes are either one twice.
    const Interval interval = measured.increase_95(score);
    const double increase = measured.perplexity(score) / exact - 1;
    EXPECT_LE(interval.low, increase + 1e-12);
    EXPECT_GE(interval.high, increase - 1e-12);
  }
  const auto bits = [&](size_t i) {
    return 8.0 * static_cast<double>(measured.scores()[i].encoded_bytes) /
           static_cast<double>(measured.scores()[i].elements);
  };
  EXPECT_GT(bits(1), 8.0);
  EXPECT_LT(bits(1), 10.5);
  EXPECT_LT(bits(2), 6.5);
}

TEST_F(LevelPerplexityTest, RefusesAWindowWithoutHalves) {
  LevelPerplexity measured(*model_, {});
  EXPECT_EQ(measured.increase_95(measured.exact()).high, 0.0);
  EXPECT_EQ(measured.add_window(std::span(ids_).first(3), never_cancelled()).code(), StatusCode::kUsage);
}

TEST(KvCodecChoices, NamesAndLevels) {
  const auto all = parse_kv_codecs({"all"});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(*all, all_kv_codecs());
  const auto some = parse_kv_codecs({"transform:low", "cachegen", "uniform8"});
  ASSERT_TRUE(some.ok());
  EXPECT_EQ((*some)[0], (KvCodecChoice{"transform", engine::KvLevel::kLow}));
  EXPECT_EQ((*some)[1], (KvCodecChoice{"cachegen", engine::KvLevel::kMedium}));
  EXPECT_EQ(kv_codec_label((*some)[0]), "transform:low");
  EXPECT_EQ(parse_kv_codecs({"zip"}).status().code(), StatusCode::kUsage);
}

}  // namespace
}  // namespace mneme::app
