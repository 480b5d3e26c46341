// The short answer within quotations: always their own words, by any model; and what the shipped one reads.
#include "rag/answering/brief/brief_answer.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "engine/language_model.h"
#include "rag/answering/brief/quoted_spans.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::rag {
namespace {

std::unique_ptr<engine::LanguageModel> open(const std::string& path) {
  engine::ModelOptions options;
  options.device = {.device = "cpu", .n_threads = 1};
  auto model = engine::LanguageModel::open(path, options);
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : nullptr;
}

std::optional<BriefAnswer> read(engine::LanguageModel& model, const std::string& question,
                                const std::vector<ReadQuote>& quotes) {
  const auto brief = read_brief_answer(model, question, quotes, never_cancelled());
  EXPECT_TRUE(brief.ok()) << brief.status().message();
  return brief.ok() ? *brief : std::nullopt;
}

// The tiny model understands little of this: it may answer nonsense, but none of its own making.
TEST(BriefAnswerTest, ItsWordsAreThoseOfTheQuoteItNames) {
  const auto model = open(checkout::test_data("tiny.gguf"));
  const std::vector<ReadQuote> quotes = {{.n = 2, .title = "house", .text = "The bins are emptied on Thursday."},
                                         {.n = 5, .title = "ferry", .text = "Boats leave at 7:15, 9:40\n and 18:00."},
                                         {.n = 6, .title = "塔", .text = "東京タワーは333メートルです。"}};
  for (const char* question :
       {"When are the bins emptied?", "When does the last boat leave?", "Und die Fähre?", "", "?"}) {
    const std::optional<BriefAnswer> brief = read(*model, question, quotes);
    ASSERT_TRUE(brief.has_value()) << question;
    bool stands_there = false;
    for (const ReadQuote& quote : quotes) {
      const QuotedSpans spans(std::array<std::string_view, 1>{quote.text});
      stands_there = stands_there || (quote.n == brief->n && spans.where(brief->text) == 0);
    }
    EXPECT_TRUE(stands_there) << question << ": " << brief->text << " [" << brief->n << "]";
    EXPECT_GT(brief->probability, 0.0);
    EXPECT_LE(brief->probability, 1.0);
    EXPECT_EQ(brief->model, "tiny");
  }
}

TEST(BriefAnswerTest, NothingIsReadOutOfNothing) {
  const auto model = open(checkout::test_data("tiny.gguf"));
  EXPECT_FALSE(read(*model, "When are the bins emptied?", {}).has_value());
  EXPECT_FALSE(read(*model, "When are the bins emptied?", {{.n = 1, .title = "house", .text = ""}}).has_value());
  EXPECT_FALSE(read(*model, "When are the bins emptied?", {{.n = 1, .title = "house", .text = " \n "}}).has_value());
}

TEST(BriefAnswerTest, AScriptTheModelDoesNotKnowIsNotRead) {
  const auto model = open(checkout::test_data("tiny.gguf"));
  EXPECT_FALSE(read(*model, "高さは?", {{.n = 1, .title = "塔", .text = "東京タワーは333メートルです。"}}).has_value());
}

TEST(BriefAnswerTest, CancellingIsSaid) {
  const auto model = open(checkout::test_data("tiny.gguf"));
  CancelToken cancel;
  cancel.cancel();
  const std::vector<ReadQuote> quotes = {{.n = 1, .title = "house", .text = "The bins are emptied on Thursday."}};
  EXPECT_EQ(read_brief_answer(*model, "When?", quotes, cancel).status().code(), StatusCode::kCancelled);
}

TEST(BriefAnswerTest, TheShippedModelReadsPlainSentences) {
  const auto model = open(checkout::path("assets/models/mneme-full.gguf"));
  const std::vector<ReadQuote> quotes = {
      {.n = 1, .title = "Rota", .text = "The bins of the back yard are emptied on Thursday."},
      {.n = 3, .title = "Clara Schumann", .text = "Clara Schumann was born in Leipzig on 13 September 1819."}};
  const struct {
    const char* question;
    const char* answer;
    int n;
  } kAsked[] = {{"Where was Clara Schumann born?", "Leipzig", 3},
                {"when was clara schumann born", "13 September 1819", 3},
                {"On which day are the bins emptied?", "Thursday", 1}};
  for (const auto& asked : kAsked) {
    const std::optional<BriefAnswer> brief = read(*model, asked.question, quotes);
    ASSERT_TRUE(brief.has_value()) << asked.question;
    EXPECT_EQ(brief->text, asked.answer);
    EXPECT_EQ(brief->n, asked.n) << asked.question;
  }
}

}  // namespace
}  // namespace mneme::rag
