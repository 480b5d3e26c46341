// Passage by passage, without a model: what is quoted of each.
#include "rag/answering/map_answering.h"

#include "tests/unit/rag_answering/asked_home.h"

namespace mneme::rag {
namespace {

class MapAnsweringTest : public AskedHome {
 protected:
  Answer ask_each(MapKind kind, const std::string& question) {
    AskOptions options;
    options.passages = {{"Garden", "The roses are cut in March.", "/d/garden.md"},
                        {"Boiler", "The boiler is serviced every October by Tom Hale.", "/d/boiler.md"},
                        {"Flue", "The flue of the boiler is swept in May.", "/d/flue.md"}};
    Answerer answerer(*workspace_);
    Result<Answer> answer = ask_by_map(answerer, kind, question, options);
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    return answer.ok() ? *std::move(answer) : Answer();
  }
};

TEST_F(MapAnsweringTest, AnAnswerThatFoundSomethingIsPreferred) {
  const Answer best = ask_each(MapKind::kRerank, "Who services the boiler every October?");
  EXPECT_TRUE(best.in_documents);
  EXPECT_NE(best.text.find("Tom Hale"), std::string::npos) << best.text;
  ASSERT_EQ(best.sources.size(), 1U) << "no passage sees another";
  EXPECT_EQ(best.sources[0].source.document, "/d/boiler.md");
}

TEST_F(MapAnsweringTest, AnswersAreThePassagesOfALastQuestion) {
  const Answer reduced = ask_each(MapKind::kReduce, "Who services the boiler every October?");
  EXPECT_NE(reduced.text.find("Tom Hale"), std::string::npos) << reduced.text;
  for (const Citation& source : reduced.sources)
    EXPECT_NE(source.source.document, "/d/garden.md") << "it found nothing";
}

TEST_F(MapAnsweringTest, WhereNoneFindsAnythingTheTimeOfAllCounts) {
  for (const MapKind kind : {MapKind::kRerank, MapKind::kReduce}) {
    const Answer none = ask_each(kind, "What is the capital of Peru?");
    EXPECT_FALSE(none.in_documents) << none.text;
    ASSERT_TRUE(none.timing.total.has_value());
    EXPECT_EQ(none.timing.ttft, none.timing.total) << "the first token came behind all of them";
  }
}

TEST_F(MapAnsweringTest, NeedsPassages) {
  Answerer answerer(*workspace_);
  EXPECT_EQ(ask_by_map(answerer, MapKind::kRerank, "Why?", {}).status().code(), StatusCode::kUsage);
}

}  // namespace
}  // namespace mneme::rag
