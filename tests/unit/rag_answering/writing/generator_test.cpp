// What is told of a model's writing: its answer, apart from what it thought before. The model is a script.
#include "rag/answering/writing/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/language_model.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::rag {
namespace {

using engine::TokenId;
using ::testing::ElementsAre;

// Wants to say the script's next token, whatever it is given.
class ScriptedSequence final : public engine::Sequence {
 public:
  ScriptedSequence(std::vector<TokenId> script, int vocab_size, TokenId end)
      : script_(std::move(script)), logits_(static_cast<size_t>(vocab_size)) {
    script_.push_back(end);
    want(0);
  }

  void set_priority(engine::Priority) override {}
  int n_tokens() const override { return static_cast<int>(tokens_.size()); }
  std::span<const TokenId> tokens() const override { return tokens_; }
  Status append(std::span<const TokenId> ids, const CancelToken&) override {
    tokens_.insert(tokens_.end(), ids.begin(), ids.end());
    want(tokens_.size());
    return {};
  }
  Status append_with_logits(std::span<const TokenId>, std::vector<float>&, const CancelToken&) override {
    return unsupported("not in the script");
  }
  std::span<const float> logits() const override { return logits_; }
  void truncate(int n_tokens) override { tokens_.resize(static_cast<size_t>(n_tokens)); }
  engine::KvCache& kv() override { std::abort(); }
  Status set_retrieval(const engine::RetrievalOptions&) override { return {}; }
  engine::RetrievalReport retrieval_report() const override { return {}; }
  bool attends_to_all(int) const override { return true; }
  void adopt(std::span<const TokenId>, std::span<const float>) override {}

  void break_down() { std::fill(logits_.begin(), logits_.end(), std::numeric_limits<float>::quiet_NaN()); }

 private:
  void want(size_t next) {
    std::fill(logits_.begin(), logits_.end(), 0.0f);
    logits_[static_cast<size_t>(script_[std::min(next, script_.size() - 1)])] = 50.0f;
  }

  std::vector<TokenId> script_;
  std::vector<TokenId> tokens_;
  std::vector<float> logits_;
};

class GeneratorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto model =
        engine::LanguageModel::open(checkout::test_data("tiny.gguf"), {.device = {.device = "cpu", .n_threads = 1}});
    ASSERT_TRUE(model.ok()) << model.status().message();
    model_ = *std::move(model);
    options_.max_drafted = 0;
    options_.on_thinking = [this](bool thinking) { told_.push_back(thinking); };
  }

  Generation write(const std::string& text) {
    const engine::Tokenizer& tokenizer = model_->tokenizer();
    n_ids_ = static_cast<int>(tokenizer.encode(text).size());
    ScriptedSequence sequence(tokenizer.encode(text), model_->config().vocab_size, tokenizer.eos());
    streamed_.clear();
    const auto stream = [this](std::string_view piece) { streamed_ += piece; };
    const auto generation = generate_answer(*model_, sequence, options_, stream, never_cancelled());
    EXPECT_TRUE(generation.ok()) << generation.status().message();
    return generation.ok() ? *generation : Generation();
  }

  std::unique_ptr<engine::LanguageModel> model_;
  GenerateOptions options_;
  std::vector<bool> told_;
  std::string streamed_;
  int n_ids_ = 0;
};

TEST_F(GeneratorTest, AnAnswerIsStreamedAsItIs) {
  const Generation generation = write("At six. [1]");
  EXPECT_EQ(generation.text, "At six. [1]");
  EXPECT_EQ(streamed_, "At six. [1]");
  EXPECT_EQ(generation.finish, Finish::kStop);
  EXPECT_EQ(generation.n_tokens, n_ids_);
  EXPECT_EQ(generation.n_thought_tokens, 0);
  EXPECT_TRUE(told_.empty());
}

TEST_F(GeneratorTest, HalfACharacterAtTheEndOfATurnIsNothing) {
  EXPECT_EQ(write("At six.\xC3").text, "At six.");
  options_.max_tokens = n_ids_;  // cut off there
  EXPECT_EQ(write("At six.\xC3\xC3").text, "At six.\uFFFD");
}

TEST_F(GeneratorTest, AThoughtIsKeptApart) {
  const Generation generation = write("<think>\nSix or seven?\n</think>\n\nAt six. [1]");
  EXPECT_EQ(generation.text, "At six. [1]");
  EXPECT_EQ(streamed_, "At six. [1]");
  EXPECT_EQ(generation.thought, "Six or seven?");
  EXPECT_EQ(generation.n_tokens, n_ids_);
  EXPECT_GT(generation.n_thought_tokens, 10);
  EXPECT_LT(generation.n_thought_tokens, n_ids_ - 8);
  EXPECT_THAT(told_, ElementsAre(true, false));
}

TEST_F(GeneratorTest, AThoughtThatThePromptBeganNeedsNoMarker) {
  options_.thinking = engine::Thinking::kBegun;
  EXPECT_EQ(write("Six?</think>At six.").text, "At six.");
  EXPECT_EQ(write("At six.").text, "At six.") << "never closed: it was the answer";
  EXPECT_EQ(streamed_, "At six.");
}

TEST_F(GeneratorTest, ThoughtAndAnswerHaveLimitsOfTheirOwn) {
  options_.max_tokens = 8;
  const Generation answered = write("<think>a long, long thought</think>abcdefghijklmnopqrstuvwxyz");
  EXPECT_EQ(answered.n_tokens - answered.n_thought_tokens, 8);
  EXPECT_FALSE(answered.text.empty());
  EXPECT_EQ(answered.finish, Finish::kLength);
  options_.max_thought_tokens = 12;
  const Generation cut = write("<think>a long, long thought</think>abcdefghijklmnopqrstuvwxyz");
  EXPECT_EQ(cut.text, "");
  EXPECT_FALSE(cut.thought.empty());
  EXPECT_EQ(cut.n_thought_tokens, 12);
  EXPECT_EQ(cut.finish, Finish::kLength);
  options_.max_thought_tokens = 0;
  EXPECT_LT(write("<think>a thought</think>b").n_tokens, 8);
}

TEST_F(GeneratorTest, WithoutANumberToChooseByThereIsAReason) {
  ScriptedSequence sequence({}, model_->config().vocab_size, model_->tokenizer().eos());
  sequence.break_down();
  const auto generation = generate_answer(*model_, sequence, options_, {}, never_cancelled());
  EXPECT_EQ(generation.status().code(), StatusCode::kCorruption);
  EXPECT_THAT(generation.status().message(), ::testing::HasSubstr("tiny.gguf"));
}

TEST_F(GeneratorTest, StopTextsEndAnswersOnly) {
  options_.stop_text = "\nQuestion:";
  const Generation generation = write("<think>\nQuestion: when?</think>At six.\nQuestion: why?");
  EXPECT_EQ(generation.text, "At six.");
  EXPECT_EQ(streamed_, "At six.");
  EXPECT_EQ(generation.finish, Finish::kStop);
}

}  // namespace
}  // namespace mneme::rag
