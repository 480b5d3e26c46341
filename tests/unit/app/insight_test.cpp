// Insight statistics on a small trained model: what must hold whatever the model has learnt.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>

#include "app/insight/attention_curve.h"
#include "app/insight/attention_rows.h"
#include "app/insight/fusion_insight.h"
#include "app/insight/layer_sensitivity.h"
#include "app/insight/text_trace.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::app {
namespace {

constexpr TextShape kShape{.n_passages = 3, .passage_tokens = 32, .n_queries = 8};

class InsightTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto model = engine::LanguageModel::open(checkout::test_data("tiny.gguf"),
                                             {.device = {.device = "cpu", .n_threads = 2}, .context_tokens = 0});
    ASSERT_TRUE(model.ok()) << model.status().message();
    model_ = std::move(model).value();
    std::ifstream file(checkout::test_data("reference.txt"));
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    ids_ = model_->tokenizer().encode(text);
    ASSERT_GE(ids_.size(), static_cast<size_t>(kShape.n_tokens()));
  }

  TextTrace trace() {
    Result<TextTrace> made = TextTrace::make(*model_, ids_, kShape, never_cancelled());
    EXPECT_TRUE(made.ok()) << made.status().message();
    return std::move(made).value();
  }

  std::unique_ptr<engine::LanguageModel> model_;
  std::vector<engine::TokenId> ids_;
};

TEST_F(InsightTest, FirstPassageStandsWhereItWasComputed) {
  const TextTrace traced = trace();
  const auto layers = kv_deviations(traced);
  ASSERT_TRUE(layers.ok()) << layers.status().message();
  ASSERT_EQ(layers->size(), static_cast<size_t>(model_->config().n_layers));
  const auto passage = static_cast<size_t>(kShape.passage_tokens);
  double later = 0;
  for (const std::vector<float>& layer : *layers) {
    ASSERT_EQ(layer.size(), 3 * passage);
    // Rows are multiplied in other groups, so the last bits may differ.
    EXPECT_LT(*std::max_element(layer.begin(), layer.begin() + kShape.passage_tokens), 0.02f);
    later = std::max(later, std::accumulate(layer.begin() + kShape.passage_tokens, layer.end(), 0.0));
  }
  EXPECT_GT(later, 0.5);  // passages that saw nothing before them do deviate
  // Before attention has looked anywhere, keys and values are those of the token alone.
  EXPECT_LT(*std::max_element(layers->front().begin(), layers->front().end()), 0.02f);
}

TEST_F(InsightTest, RepairingEverythingMendsEverything) {
  const TextTrace traced = trace();
  const auto points = repair_curves(traced, std::array{0.0, 0.25, 1.0});
  ASSERT_TRUE(points.ok()) << points.status().message();
  ASSERT_EQ(points->size(), 9u);
  for (size_t selection = 0; selection < 3; ++selection) {
    const RepairPoint* own = points->data() + 3 * selection;
    EXPECT_GT(own[0].attention, 1e-3);
    // But for the last bits of BOS, which was computed alone.
    EXPECT_LT(own[2].attention, 0.05 * own[0].attention);
    EXPECT_LT(own[2].output_error, 0.05 * own[0].output_error);
    EXPECT_DOUBLE_EQ(own[0].attention, points->front().attention);  // nothing repaired: the same for all
  }
  EXPECT_EQ(points->front().selection, "deviation");
  EXPECT_LE((*points)[1].output_error, points->front().output_error);
}

TEST_F(InsightTest, AttentionOfARowIsADistribution) {
  const TextTrace traced = trace();
  for (int layer = 0; layer < model_->config().n_layers; ++layer) {
    const auto curve = attention_curve(traced, layer);
    ASSERT_TRUE(curve.ok()) << curve.status().message();
    ASSERT_GE(curve->ranks.size(), 6u);
    EXPECT_TRUE(std::is_sorted(curve->weights.rbegin(), curve->weights.rend()));
    EXPECT_TRUE(std::is_sorted(curve->mass.begin(), curve->mass.end()));
    EXPECT_NEAR(curve->mass.front(), curve->weights.front(), 1e-9);
    EXPECT_LE(curve->mass.back(), 1.0 + 1e-5);
    EXPECT_GE(curve->top_fifth, curve->top_tenth);
    EXPECT_GE(curve->top_fifth, 0.2);  // even attention would hold just that
  }
}

TEST_F(InsightTest, RoundingHurtsMoreTheCoarserItIs) {
  const auto found =
      layer_sensitivity(*model_, std::span(ids_).first(64), 64, 2, std::array{0.01, 4.0}, never_cancelled());
  ASSERT_TRUE(found.ok()) << found.status().message();
  ASSERT_EQ(found->size(), 6u);  // two groups and all layers, at each step
  EXPECT_EQ((*found)[0].first_layer, 0);
  EXPECT_EQ((*found)[2].n_layers, model_->config().n_layers);
  EXPECT_LT(std::abs((*found)[2].increase), 0.02);
  EXPECT_GT(std::abs((*found)[5].increase), std::abs((*found)[2].increase));
}

TEST_F(InsightTest, RoundingLeavesOtherLayersAlone) {
  const engine::KvShape shape{.n_layers = 2, .n_kv_heads = 1, .head_dim = 4};
  const auto codec = make_rounding_codec(shape, 1, 1, 1.0);
  std::vector<f16> keys, values;
  for (const float value : {0.1f, -0.9f, 2.2f, 0.4f}) {
    keys.push_back(to_f16(value));
    values.push_back(to_f16(-value));
  }
  for (const int layer : {0, 1}) {
    std::vector<std::byte> bytes;
    ASSERT_TRUE(codec->encode_layer(layer, 1, keys, values, bytes).ok());
    std::vector<f16> k(4), v(4);
    ASSERT_TRUE(codec->decode_layer(layer, 1, bytes, k, v).ok());
    const bool is_same = std::equal(k.begin(), k.end(), keys.begin(), [](f16 a, f16 b) { return a.bits == b.bits; });
    EXPECT_EQ(is_same, layer == 0);
  }
}

TEST_F(InsightTest, SaysWhatIsTooLongOrTooShort) {
  const TextShape long_one{.n_passages = 1 << 10, .passage_tokens = 1 << 10, .n_queries = 8};
  const Status over = TextTrace::make(*model_, ids_, long_one, never_cancelled()).status();
  EXPECT_EQ(over.code(), StatusCode::kUsage);
  EXPECT_NE(over.message().find("context"), std::string::npos);
  const Status under = TextTrace::make(*model_, std::span(ids_).first(40), kShape, never_cancelled()).status();
  EXPECT_EQ(under.code(), StatusCode::kUsage);
  EXPECT_NE(under.message().find("40 tokens"), std::string::npos);
}

TEST(AttentionRows, SeesTheWindowOnly) {
  engine::ModelConfig config;
  config.layers = {{.sliding_window = 4}, {}};
  EXPECT_EQ(visible_to(config, 0, 10).begin, 7);
  EXPECT_EQ(visible_to(config, 0, 10).size(), 4);
  EXPECT_EQ(visible_to(config, 0, 1).begin, 0);
  EXPECT_EQ(visible_to(config, 1, 10).size(), 11);
}

TEST(AttentionRows, SharedHeadsReadTheSameKeys) {
  engine::ModelConfig config;
  config.n_heads = 4;
  config.n_kv_heads = 2;
  config.head_dim = 1;
  config.attention_scale = 1.0f;
  const std::vector<float> keys{1, 10, 2, 20};  // two positions, two KV heads
  std::vector<float> scores(2);
  const std::vector<float> query{1};
  head_scores(config, query, 1, keys, {0, 2}, scores);
  EXPECT_EQ(scores, (std::vector<float>{1, 2}));
  head_scores(config, query, 2, keys, {1, 2}, std::span(scores).first(1));
  EXPECT_EQ(scores.front(), 20.0f);
  softmax(scores);
  std::vector<float> out(1);
  add_weighted_values(config, std::vector<float>{0.25f, 0.75f}, 0, keys, {0, 2}, out);
  EXPECT_FLOAT_EQ(out.front(), 0.25f + 1.5f);
}

}  // namespace
}  // namespace mneme::app
