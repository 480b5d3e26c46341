#include <gtest/gtest.h>

#include <algorithm>

#include "app/eval/answer_metrics.h"
#include "app/eval/eval_set.h"
#include "app/eval/quote_metrics.h"
#include "app/measure/statistics.h"
#include "base/random.h"

namespace mneme::app {
namespace {

using Golds = std::vector<std::string>;

TEST(AnswerMetricsTest, SquadNormalisation) {
  EXPECT_EQ(answer_tokens("The  Quick, brown-fox!"), (Golds{"quick", "brownfox"}));
  EXPECT_EQ(answer_tokens("ÜBER Ёлка ΑΒΓ"), (Golds{"über", "ёлка", "αβγ"}));
  EXPECT_EQ(answer_tokens("北京，2008年"), (Golds{"北", "京", "2008", "年"}));
}

TEST(AnswerMetricsTest, CitationsAreNotPartOfAnAnswer) {
  EXPECT_EQ(strip_citations("Paris [1]. And Rome [2, 3]"), "Paris. And Rome");
  EXPECT_EQ(strip_citations("array[] and [a] stay"), "array[] and [a] stay");
}

TEST(AnswerMetricsTest, ScoresByHand) {
  const AnswerScore exact = score_answer("The Eiffel Tower.", Golds{"eiffel tower"});
  EXPECT_EQ(exact.em, 1);
  EXPECT_EQ(exact.f1, 1);
  const AnswerScore partial = score_answer("in the old city of Rome", Golds{"Rome", "city of Rome"});
  EXPECT_EQ(partial.em, 0);
  // 3 of 5 tokens against 3 of 3.
  EXPECT_DOUBLE_EQ(partial.f1, 2 * 0.6 * 1.0 / 1.6);
  EXPECT_EQ(partial.contains, 1);
  EXPECT_DOUBLE_EQ(partial.rouge_l, 2 * 0.6 * 1.0 / 1.6);
  EXPECT_EQ(score_answer("rome city", Golds{"city rome"}).rouge_l, 0.5);
  EXPECT_EQ(score_answer("", Golds{}).em, 1);
  EXPECT_EQ(score_answer("something", Golds{}).f1, 0);
  EXPECT_DOUBLE_EQ(score_answer("北京市", Golds{"北京"}).f1, 0.8);
}

TEST(QuoteMetricsTest, TheRightSentenceAndItsNumber) {
  EvalQuestion question;
  question.contexts = {{"Rivers", "The Elbe flows north. It is long."},
                       {"Towers", "Many towers are old. The tower was built in 1889 by Eiffel. It is high."},
                       {"More", "The tower was built in 1889 by Eiffel."}};
  question.answers = {"1889"};
  question.supporting = {1};
  const auto expect = [&](const char* answer, double quotes, double cites) {
    const QuoteScore score = score_quotes(answer, question);
    EXPECT_EQ(score.quotes, quotes) << answer;
    EXPECT_EQ(score.cites, cites) << answer;
  };
  expect("The tower was built in 1889 by Eiffel. [2]", 1, 1);
  expect("the tower was built in 1889, by Eiffel [1, 2]", 1, 1);
  expect("The Elbe flows north. [1] The tower was built in 1889 by Eiffel [2].", 1, 1);
  expect("Many towers are old. The tower was built in 1889 by Eiffel. [2]", 1, 1);
  expect("The tower was built in 1889 by Eiffel. [3]", 1, 0);  // another passage that says the same
  expect("The tower was built in 1889 by Eiffel.\n[2]", 1, 0);
  expect("The tower was made in 1889. [2]", 0, 0);
  expect("Many towers are old. [2]", 0, 0);
  expect("", 0, 0);
  expect("1889 [2]", 0, 0);  // the answer, but no sentence
}

TEST(StatisticsTest, SpreadAndQuantiles) {
  const Spread spread = spread_of({5, 1, 3, 9});
  EXPECT_EQ(spread.median, 4);
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 9);
  EXPECT_EQ(quantile({1, 2, 3, 4, 5}, 0.95), 4.8);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

TEST(StatisticsTest, BootstrapCoversTheMeanAndRepeats) {
  Random random(7);
  std::vector<double> values(400);
  for (double& value : values) value = random.gaussian() + 0.5;
  const Interval interval = bootstrap_mean_95(values, 1);
  EXPECT_LT(interval.low, mean(values));
  EXPECT_GT(interval.high, mean(values));
  // The standard error of 400 values of deviation 1 is 0.05: the interval is about four of them wide.
  EXPECT_NEAR(interval.high - interval.low, 0.2, 0.04);
  const Interval again = bootstrap_mean_95(values, 1);
  EXPECT_EQ(interval.low, again.low);
}

TEST(EvalSetTest, Squad) {
  const auto set = parse_eval_set(
      R"({"data":[{"title":"T","paragraphs":[{"context":"C is here.","qas":[
        {"id":"1","question":"What?","answers":[{"text":"C"},{"text":"C"}]},
        {"id":"2","question":"Who?","answers":[],"is_impossible":true}]}]}]})",
      EvalFormat::kAuto, "x.json");
  ASSERT_TRUE(set.ok()) << set.status().message();
  ASSERT_EQ(set->questions.size(), 2u);
  EXPECT_EQ(set->questions[0].answers, Golds{"C"});
  EXPECT_EQ(set->questions[0].contexts[0].title, "T");
  EXPECT_FALSE(set->questions[1].answerable);
}

TEST(EvalSetTest, JsonlMusiqueAndLongchat) {
  const auto own = parse_eval_set(
      R"({"id":"a","question":"Q","contexts":[{"title":"t","text":"x"}],"answers":["x"],"supporting":[0,9]})"
      "\n\n",
      EvalFormat::kAuto, "x.jsonl");
  ASSERT_TRUE(own.ok());
  EXPECT_EQ(own->questions[0].supporting, std::vector<int>{0});  // 9 names no context
  const auto musique = parse_eval_set(
      R"({"id":"m","question":"Q","paragraphs":[{"title":"t","paragraph_text":"p","is_supporting":true}],)"
      R"("answer":"p","answer_aliases":["P!"]})",
      EvalFormat::kAuto, "m.jsonl");
  ASSERT_TRUE(musique.ok());
  EXPECT_EQ(musique->questions[0].answers, (Golds{"p", "P!"}));
  const auto longchat =
      parse_eval_set(R"({"prompt":"line a: 5\nline b: 6\nWhat is b?\n","expected_number":6})", EvalFormat::kAuto, "l");
  ASSERT_TRUE(longchat.ok());
  EXPECT_EQ(longchat->questions[0].question, "What is b?\n");
  EXPECT_EQ(longchat->questions[0].answers, Golds{"6"});
  EXPECT_EQ(longchat->questions[0].contexts[0].text, "line a: 5\nline b: 6");
}

TEST(EvalSetTest, AnAnswerByItselfIsAListOfOne) {
  const auto set = parse_eval_set(R"({"question":"Q","contexts":[],"answers":"Oslo"})", EvalFormat::kJsonl, "s");
  ASSERT_TRUE(set.ok()) << set.status().message();
  EXPECT_EQ(set->questions[0].answers, Golds{"Oslo"});
}

TEST(EvalSetTest, DamageIsRefusedWithItsPlace) {
  const auto set = parse_eval_set("{\"id\":1,\"contexts\":[],\"question\":\"q\"}\nnot json\n", EvalFormat::kJsonl, "s");
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.status().code(), StatusCode::kCorruption);
  EXPECT_NE(set.status().message().find("line 2"), std::string::npos);
  EXPECT_FALSE(parse_eval_set("[]", EvalFormat::kSquad, "s").ok());
  EXPECT_FALSE(parse_eval_set("", EvalFormat::kJsonl, "s").ok());
}

TEST(EvalSetTest, ABrokenFirstLineIsNamedAsALine) {
  const char* const whole = R"({"id":"a","question":"Q","contexts":[],"answers":["x"]})";
  const std::string broken = "{\"id\":\"a\", broken\n" + std::string(whole) + "\n";
  for (const auto& [bytes, name] : {std::pair(broken, "set"), std::pair(std::string("{broken\n"), "set.jsonl")}) {
    const auto set = parse_eval_set(bytes, EvalFormat::kAuto, name);
    ASSERT_FALSE(set.ok());
    EXPECT_NE(set.status().message().find(" line 1 "), std::string::npos) << set.status().message();
  }
  // Many lines do not make a SQuAD file one of lines.
  const auto squad = parse_eval_set(
      "{\"data\":[\n{\"title\":\"T\",\"paragraphs\":[{\"context\":\"C.\",\"qas\":[{\"id\":\"1\",\"question\":\"What?\","
      "\"answers\":[{\"text\":\"C\"}]}]}]}\n]}",
      EvalFormat::kAuto, "x");
  ASSERT_TRUE(squad.ok()) << squad.status().message();
  EXPECT_EQ(squad->questions.size(), 1u);
}

TEST(EvalSetTest, DistractorsAreSeededAndHoldNoAnswer) {
  EvalSet set{.name = "s", .questions = {}};
  for (int i = 0; i < 50; ++i) {
    const std::string text = "passage " + std::to_string(i) + (i % 7 == 0 ? " secret" : "");
    set.questions.push_back({.id = std::to_string(i),
                             .question = "q",
                             .contexts = {{"t" + std::to_string(i), text}},
                             .answers = {"secret"},
                             .supporting = {0},
                             .answerable = true});
  }
  const EvalCorpus corpus = corpus_of(set);
  ASSERT_EQ(corpus.documents.size(), 50u);
  const EvalQuestion padded = pad_with_distractors(set.questions[0], corpus, 6, 1);
  ASSERT_EQ(padded.contexts.size(), 6u);
  ASSERT_EQ(padded.supporting.size(), 1u);
  for (size_t i = 0; i < padded.contexts.size(); ++i) {
    const bool gold = static_cast<int>(i) == padded.supporting[0];
    EXPECT_EQ(padded.contexts[i].text.find("secret") != std::string::npos, gold);
  }
  const EvalQuestion again = pad_with_distractors(set.questions[0], corpus, 6, 1);
  EXPECT_TRUE(std::equal(padded.contexts.begin(), padded.contexts.end(), again.contexts.begin(),
                         [](const EvalContext& a, const EvalContext& b) { return a.text == b.text; }));
}

TEST(EvalSetTest, SplitIsTheClassicHashModuloFive) {
  int test = 0;
  for (int i = 0; i < 1000; ++i) test += is_test_title("title " + std::to_string(i)) ? 1 : 0;
  EXPECT_NEAR(test, 200, 60);
}

}  // namespace
}  // namespace mneme::app
