// The language models that come with the program, against what the training scripts computed from the same files in
// float32 (assets/train/make_fixtures.py): token ids, prompts, greedy answers, perplexity; and a floor for the answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "engine/language_model.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/prompt_layout.h"
#include "rag/prompt/turn.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::rag {
namespace {

using engine::TokenId;
using nlohmann::json;

const std::string kData = checkout::path("tests/data");
constexpr int kContextTokens = 4096;
constexpr int kAnswerTokens = 48;
// Of the plain single-fact set: far below what the model scores (assets/models/README.md), far above chance.
constexpr double kFloor = 0.6;
constexpr int kFloorQuestions = 20;

struct Shipped {
  const char* name;
  const char* model;
  const char* reference;
};

void PrintTo(const Shipped& shipped, std::ostream* out) {
  *out << shipped.name;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::unique_ptr<engine::LanguageModel> open(const std::string& path) {
  engine::ModelOptions options;
  options.device = {.device = "cpu", .n_threads = 1};
  auto model = engine::LanguageModel::open(path, options);
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : nullptr;
}

// A row of a fixture or of a question set as the prompt the program makes of it.
std::vector<TokenId> prompt_ids(const engine::LanguageModel& model, const json& row, bool short_answer) {
  const PromptLayout& layout = PromptLayout::embedded();
  const auto frame = prompt_frame(model.tokenizer(), model.chat_template(), layout);
  PromptRequest request;
  for (const json& context : row["contexts"]) {
    request.passages.push_back({context["title"].get_ref<const std::string&>(),  // the row outlives the request
                                context["text"].get_ref<const std::string&>()});
  }
  request.short_answer = short_answer;
  request.question = row["question"];
  request.budget_tokens = kContextTokens;
  const auto prompt = build_prompt(model.tokenizer(), *frame, layout, request);
  EXPECT_TRUE(prompt.ok()) << prompt.status().message();
  return prompt.ok() ? prompt->all_ids() : std::vector<TokenId>{};
}

std::vector<TokenId> greedy(engine::LanguageModel& model, const std::vector<TokenId>& prompt) {
  auto sequence = model.new_sequence(static_cast<int>(prompt.size()) + kAnswerTokens);
  EXPECT_TRUE(sequence.ok() && (*sequence)->append(prompt).ok());
  std::vector<TokenId> answer;
  while (static_cast<int>(answer.size()) < kAnswerTokens) {
    const auto logits = (*sequence)->logits();
    const auto id = static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    if (model.tokenizer().is_end_of_generation(id)) break;
    answer.push_back(id);
    EXPECT_TRUE((*sequence)->append(std::span(&id, 1)).ok());
  }
  return answer;
}

class ShippedModelTest : public ::testing::TestWithParam<Shipped> {
 protected:
  void SetUp() override {
    model_ = open(kData + "/" + GetParam().model);
    ASSERT_TRUE(model_);
    reference_ = json::parse(read(kData + "/" + GetParam().reference));
  }

  std::unique_ptr<engine::LanguageModel> model_;
  json reference_;
};

TEST_P(ShippedModelTest, TokensAreThoseOfTheTrainerAndSpellTheText) {
  ASSERT_TRUE(model_->chat_template()) << model_->chat_template_status().message();
  for (const json& row : reference_["tokenise"]) {
    const std::string text = row["text"];
    const std::vector<TokenId> ids = model_->tokenizer().encode_continuation(text);
    EXPECT_EQ(ids, row["ids"].get<std::vector<TokenId>>()) << text;
    std::string spelled;
    for (const TokenId id : ids) spelled += model_->tokenizer().token_bytes(id);
    EXPECT_EQ(spelled, text);
  }
}

TEST_P(ShippedModelTest, PromptsAreThoseItWasTrainedOn) {
  for (const json& row : reference_["prompts"]) {
    EXPECT_EQ(prompt_ids(*model_, row, row["short"]), row["prompt_ids"].get<std::vector<TokenId>>()) << row["question"];
  }
}

TEST_P(ShippedModelTest, GreedyAnswersAreFixed) {
  ASSERT_FALSE(reference_["prompts"].empty());
  for (const json& row : reference_["prompts"]) {
    const std::vector<TokenId> ids = greedy(*model_, row["prompt_ids"].get<std::vector<TokenId>>());
    EXPECT_EQ(ids, row["answer_ids"].get<std::vector<TokenId>>()) << row["question"];
    EXPECT_EQ(trimmed(model_->tokenizer().decode(ids, false)), trimmed(row["answer"])) << row["question"];
  }
}

TEST_P(ShippedModelTest, PerplexityOfTheReferenceText) {
  const std::vector<TokenId> ids = model_->tokenizer().encode_continuation(read(kData + "/reference.txt"));
  ASSERT_EQ(ids.size(), reference_["perplexity"]["tokens"]);
  const size_t window = reference_["perplexity"]["window"];
  double total = 0;
  for (size_t at = 0; at < ids.size(); at += window) {
    std::vector<TokenId> row{model_->tokenizer().bos()};
    row.insert(row.end(), ids.begin() + static_cast<ptrdiff_t>(at),
               ids.begin() + static_cast<ptrdiff_t>(std::min(ids.size(), at + window)));
    auto sequence = model_->new_sequence(static_cast<int>(row.size()));
    std::vector<float> logits;
    ASSERT_TRUE(sequence.ok() && (*sequence)->append_with_logits(row, logits).ok());
    const size_t n_vocab = logits.size() / row.size();
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      const auto begin = logits.begin() + static_cast<ptrdiff_t>(i * n_vocab);
      const double top = *std::max_element(begin, begin + static_cast<ptrdiff_t>(n_vocab));
      double sum = 0;
      for (size_t v = 0; v < n_vocab; ++v) sum += std::exp(logits[i * n_vocab + v] - top);
      total += top + std::log(sum) - logits[i * n_vocab + static_cast<size_t>(row[i + 1])];
    }
  }
  const double expected = reference_["perplexity"]["nll"];
  EXPECT_NEAR(total / static_cast<double>(ids.size()), expected, 0.01 * expected);
}

INSTANTIATE_TEST_SUITE_P(
    Assets, ShippedModelTest,
    ::testing::Values(Shipped{"mini", "../../assets/models/mneme-mini.gguf", "mneme-mini.reference.json"},
                      Shipped{"full", "../../assets/models/mneme-full.gguf", "mneme-full.reference.json"},
                      Shipped{"tiny", "tiny.gguf", "tiny.reference.json"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(ShippedMini, AnswersSingleFactsAboveTheFloor) {
  const auto model = open(checkout::path("assets/models/mneme-mini.gguf"));
  ASSERT_TRUE(model);
  std::istringstream lines(read(checkout::path("tests/eval/sets/single.jsonl")));
  int right = 0;
  std::string line;
  for (int n = 0; n < kFloorQuestions; ++n) {
    ASSERT_TRUE(std::getline(lines, line));
    const json row = json::parse(line);
    const std::string answer = model->tokenizer().decode(greedy(*model, prompt_ids(*model, row, true)), false);
    right += trimmed(answer) == row["answers"][0].get<std::string>();
  }
  EXPECT_GE(right, kFloor * kFloorQuestions);
}

}  // namespace
}  // namespace mneme::rag
