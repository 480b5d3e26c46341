// Answers through coded KV: a lossless codec changes nothing, lossy ones change little for fewer bits, and asking twice
// gives the same.
#include "app/eval/codec_answerer.h"

#include <gtest/gtest.h>

#include "engine/transformer/distribution.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::app {
namespace {

using engine::KvLevel;

class CodecAnswererTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string path = checkout::test_data("tiny.gguf");
    auto model = engine::LanguageModel::open(path, {.device = {.device = "cpu", .n_threads = 2}, .context_tokens = 0});
    ASSERT_TRUE(model.ok()) << model.status().message();
    model_ = std::move(model).value();
    options_.passages = {{"box", "The code of box Brail is 44. The code of box Orven is 17.", ""},
                         {"bell", "The bell of the tower rings at noon.", ""},
                         {"box", "The code of box Brail is 44. The code of box Orven is 17.", ""}};
    options_.short_answer = true;
    options_.max_tokens = 6;
    options_.score_text = " 44";
  }

  std::unique_ptr<CodecAnswerer> make(const std::vector<KvCodecChoice>& choices) {
    auto made = CodecAnswerer::make(*model_, choices, never_cancelled());
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made.ok() ? std::move(made).value() : nullptr;
  }

  rag::Answer ask(CodecAnswerer& answerer, size_t codec) {
    auto answer = answerer.ask(codec, "What is the code of box Brail?", options_, never_cancelled());
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    return answer.ok() ? std::move(answer).value() : rag::Answer{};
  }

  static double bits(const rag::Answer& answer) {
    return 16.0 * static_cast<double>(answer.cache.bytes_read) / static_cast<double>(answer.cache.bytes_fp16);
  }

  std::unique_ptr<engine::LanguageModel> model_;
  rag::AskOptions options_;
};

TEST_F(CodecAnswererTest, LosslessIsTheSameAndLossyIsNearForFewerBits) {
  const auto answerer = make({{"raw", KvLevel::kExact},
                              {"exact", KvLevel::kExact},
                              {"uniform8", KvLevel::kHigh},
                              {"transform", KvLevel::kLow}});
  ASSERT_NE(answerer, nullptr);
  const rag::Answer raw = ask(*answerer, 0);
  const rag::Answer exact = ask(*answerer, 1);
  EXPECT_EQ(exact.text, raw.text);
  EXPECT_EQ(exact.first_logits, raw.first_logits);
  EXPECT_EQ(exact.score_nll, raw.score_nll);
  EXPECT_NEAR(bits(raw), 16.0, 1e-9);
  EXPECT_EQ(exact.cache.hits, 3);
  EXPECT_EQ(exact.usage.answer_tokens > 0, true);
  const rag::Answer uniform = ask(*answerer, 2);
  EXPECT_LT(engine::compare_distributions(raw.first_logits, uniform.first_logits).kl, 0.05);
  EXPECT_LT(bits(ask(*answerer, 3)), bits(uniform));
}

TEST_F(CodecAnswererTest, AskingAgainGivesTheSameAndPromptsMayGrow) {
  const auto answerer = make({{"uniform4", KvLevel::kHigh}});
  ASSERT_NE(answerer, nullptr);
  const rag::Answer first = ask(*answerer, 0);
  options_.passages.push_back(
      {"more", "A longer passage tells of ships, of tea and of the long way to the harbour.", ""});
  EXPECT_EQ(ask(*answerer, 0).cache.hits, 4);
  options_.passages.pop_back();
  const rag::Answer again = ask(*answerer, 0);
  EXPECT_EQ(again.first_logits, first.first_logits);
  EXPECT_EQ(again.score_nll, first.score_nll);
}

TEST_F(CodecAnswererTest, StopsWhenCancelledAndGoesOn) {
  const auto answerer = make({{"uniform8", KvLevel::kHigh}});
  ASSERT_NE(answerer, nullptr);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(answerer->ask(0, "What is the code?", options_, cancel).status().code(), StatusCode::kCancelled);
  EXPECT_EQ(ask(*answerer, 0).cache.hits, 3);
}

TEST_F(CodecAnswererTest, WithoutPassagesItAnswersAll) {
  const auto answerer = make({{"uniform8", KvLevel::kHigh}});
  ASSERT_NE(answerer, nullptr);
  options_.passages.clear();
  const rag::Answer answer = ask(*answerer, 0);
  EXPECT_EQ(answer.cache.bytes_read, 0);
  EXPECT_FALSE(answer.first_logits.empty());
}

}  // namespace
}  // namespace mneme::app
