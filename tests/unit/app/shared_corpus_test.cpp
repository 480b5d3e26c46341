// Several sets in one index.
#include "app/eval/shared_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

EvalSet set_of(const std::string& name, const std::vector<std::string>& texts) {
  EvalSet set{.name = name, .questions = {}};
  for (const std::string& text : texts) {
    set.questions.push_back({.id = text,
                             .question = text + "?",
                             .contexts = {{.title = "t", .text = text}},
                             .answers = {text},
                             .supporting = {0},
                             .answerable = true});
  }
  return set;
}

void add(SharedCorpus& shared, const EvalSet& set) {
  shared.add(set, corpus_of(set));
}

TEST(SharedCorpusTest, EachTextIsThereOnceAndEachSetFindsItsOwn) {
  SharedCorpus shared;
  add(shared, set_of("first", {"kettle", "ferry"}));
  shared.add({{.title = "p", .text = "lamp"}, {.title = "p", .text = "ferry"}});
  add(shared, set_of("second", {"stove", "kettle", "lamp"}));
  std::vector<std::string> texts;
  for (const EvalContext& document : shared.documents()) texts.push_back(document.text);
  EXPECT_THAT(texts, ElementsAre("kettle", "ferry", "lamp", "stove"));
  ASSERT_THAT(shared.asked(), SizeIs(2));
  EXPECT_EQ(shared.asked()[0].set.name, "first");
  EXPECT_THAT(shared.asked()[0].relevant, ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(shared.asked()[1].relevant, ElementsAre(ElementsAre(3), ElementsAre(0), ElementsAre(2)));
}

TEST(SharedCorpusTest, QuestionsThatAreNotAskedStayUnasked) {
  const EvalSet set = set_of("first", {"kettle", "ferry"});
  EvalCorpus corpus = corpus_of(set);
  corpus.relevant[0].clear();
  SharedCorpus shared;
  shared.add(set, corpus);
  EXPECT_THAT(shared.asked()[0].relevant, ElementsAre(IsEmpty(), ElementsAre(1)));
  EXPECT_THAT(shared.documents(), SizeIs(2)) << "their paragraphs can still be found";
}

TEST(SharedCorpusTest, PassagesAreAListOfObjectsWithText) {
  const auto passages = parse_passages(R"([{"title":"a","text":"One."},{"text":"Two."}])", "p.json");
  ASSERT_TRUE(passages.ok()) << passages.status().message();
  ASSERT_THAT(*passages, SizeIs(2));
  EXPECT_EQ((*passages)[0].title, "a");
  EXPECT_EQ((*passages)[1].text, "Two.");
  EXPECT_EQ(parse_passages(R"({"data":[]})", "p.json").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(parse_passages("{\"a\":1}\n{\"a\":2}\n", "p.json").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(parse_passages(R"([{"title":"a"}])", "p.json").status().code(), StatusCode::kCorruption);
  EXPECT_EQ(parse_passages("[1]", "p.json").status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace mneme::app
