// When a search says that the documents do not hold the answer.
#include "rag/retrieval/answerability.h"

#include <gtest/gtest.h>

#include "rag/answering/answerer.h"
#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "tests/support/checkout/checkout.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

const std::string kEmbedder = checkout::path("assets/models/mneme-embed.gguf");

class AnswerabilityTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 1, GetParam());
    ASSERT_NE(workspace_, nullptr);
    docs_.write(
        "meps/mep-0008.txt",
        "MEP 8: Style of programs\n\nAuthor: Tuva Ekholm\n\nLines are at most 79 characters long. MEP 8 grew out "
        "of the guide of the first compiler.\n");
    docs_.write("meps/mep-0020.txt",
                "MEP 20: Principles\n\nAuthor: Harro Lindqvist\nStatus: Active\n\nTwenty sentences say what programs "
                "should be like.\n");
    docs_.write(
        "council.txt",
        "The council has a president, who is elected for two years. The president calls the council together and "
        "pays attention to the time.\n\nThe council meets in the old customs house by the river.\n");
    docs_.write(
        "teaching.txt",
        "Teachers should hold the attention of the class. Pupils who are tired learn little.\n\nThe cooling pump "
        "is a machine that moves water through the reactor.\n");
    for (int i = 0; i < 40; ++i) {
      docs_.write(
          "logs/" + std::to_string(i) + ".txt",
          "Shift " + std::to_string(i) + ": the turbines ran, the water was clear and nothing else happened.\n");
    }
    IndexOptions index;
    index.paths = {docs_.path()};
    index.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  }

  bool answerable(const std::string& question, SearchOptions options = {}) {
    options.judge = true;
    const auto found = Retriever(*workspace_).search(question, options);
    EXPECT_TRUE(found.ok()) << found.status().message();
    return found.ok() && found->answerable.value_or(false);
  }

  std::string ask(const std::string& question) { return Answerer(*workspace_).ask(question, {})->text; }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_P(AnswerabilityTest, WhatIsThereIsAnswered) {
  EXPECT_TRUE(answerable("How long is the president of the council elected for?"));
  EXPECT_TRUE(answerable("Where does the council meet?"));
  EXPECT_TRUE(answerable("What is the maximum line length in MEP 8?"));
  EXPECT_TRUE(answerable("What is a cooling pump?"));
  EXPECT_TRUE(answerable("What colour is the cooling pump?"));  // a word for what is asked, in no document
}

TEST_P(AnswerabilityTest, WhatOnlyAsksNeedNotBeSaid) {
  docs_.write("lease.txt",
              "1. Rent\n1.1 The rent is 1,140 pounds, payable on the 3rd day of each month.\n\n2. Term\n2.1 "
              "The deadline for notice is in March.\n");
  docs_.write("codes.md", "| code | meaning |\n|---|---|\n| F28 | no ignition |\n");
  IndexOptions index;
  index.paths = {docs_.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  EXPECT_TRUE(answerable("How much is the rent?"));
  EXPECT_TRUE(answerable("What is the deadline?")) << "one that is there, said in passing";
  EXPECT_FALSE(answerable("What is notice?")) << "what such a thing is";
  EXPECT_TRUE(answerable("What does F28 mean?")) << "the row of a table";
  EXPECT_FALSE(answerable("How much is the ferry?"));
}

TEST_P(AnswerabilityTest, WhatHappensMayBeToldInOtherWordsWhereTheThingIsKnown) {
  docs_.write("car.txt", "The timing belt: every 150,000 km.\n\nDer Zahnriemen hält 150.000 km.\n\nFerritin: 11.\n");
  IndexOptions index;
  index.paths = {docs_.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  EXPECT_TRUE(answerable("Wann muss der Zahnriemen erneuert werden?"));
  EXPECT_TRUE(answerable("What is the current value of ferritin?"));
  EXPECT_FALSE(answerable("Wann muss die Lichtmaschine erneuert werden?"));
}

TEST_P(AnswerabilityTest, TheDecisiveWordMustBeSomewhere) {
  EXPECT_FALSE(answerable("Who is the president of France?"));
  EXPECT_FALSE(answerable("When was the Eiffel tower built?"));
  EXPECT_FALSE(answerable("Which vitamins are in kale?"));
}

TEST_P(AnswerabilityTest, ASynonymStandsForAWordThatNoPassageHas) {
  EXPECT_TRUE(answerable("What should instructors hold?")) << "teachers";
  const auto found = Retriever(*workspace_).search("What should instructors hold?", {});
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found->query, "What should teacher hold?");
  ASSERT_EQ(found->notes.size(), 1u);
  EXPECT_EQ(found->notes[0], "no passage says \"instructors\"; looked for \"teacher\" instead");
  const auto twice = Retriever(*workspace_).search("What should instructors tell other instructors?", {});
  EXPECT_EQ(twice->notes.size(), 1u) << "a word that the question repeats is noted once";
  const auto known = Retriever(*workspace_).search("What should pupils learn?", {});
  EXPECT_EQ(known->query, "What should pupils learn?") << "a word that passages have stays";
  const auto quoted = Retriever(*workspace_).search("the \"instructors\"", {});
  EXPECT_EQ(quoted->query, "the \"instructors\"");
}

TEST_P(AnswerabilityTest, WhatIsAskedOfAPlaceIsNotAnsweredWithoutIt) {
  docs_.write("places.txt", "Velm is a town.\n");
  IndexOptions index;
  index.paths = {docs_.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  EXPECT_TRUE(answerable("For how long is the president of the council elected?"));
  EXPECT_FALSE(answerable("For how many years is the president of the council elected in Velm?") &&
               ask("What does the president of the council of Velm do?").find("customs") != std::string::npos);
}

TEST_P(AnswerabilityTest, TheTitlePageSaysWhoWroteIt) {
  std::string book = "# Title: The Tide\n\n## Author: Tilda Voss\n\n## Year: 1851\n\n";
  for (int i = 0; i < 60; ++i) {
    book += "## Chapter " + std::to_string(i) + "\n\n";
    for (int line = 0; line < 20; ++line) book += "He wrote of the tide, and of the men who wrote of it before him. ";
    book += "\n\n";
  }
  docs_.write("books/tide.md", book);
  IndexOptions index;
  index.paths = {docs_.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  EXPECT_EQ(ask("Who wrote The Tide?").find("Author: Tilda Voss"), 0u) << ask("Who wrote The Tide?");
}

TEST_P(AnswerabilityTest, ASlipOfTheHandIsMendedAndSaid) {
  for (const std::string_view question : {"What should pupisl learn?", "What should pupills learn?",
                                          "What should puplis learn?", "What should pupjls learn?"}) {
    const auto found = Retriever(*workspace_).search(std::string(question), {});
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_EQ(found->query, "What should pupils learn?") << question;
    EXPECT_EQ(found->notes.size(), 1u);
  }
  // The last: nobody's hand writes b for i.
  for (const std::string_view as_it_is : {"What should Pupisl learn?", "What should pupi_sl learn?", "the \"pupisl\"",
                                          "What should xyzzyq learn?", "What should pupbls learn?"}) {
    EXPECT_EQ(Retriever(*workspace_).search(std::string(as_it_is), {})->query, as_it_is);
  }
}

TEST_P(AnswerabilityTest, DocumentsCalledByNameMustBeThere) {
  EXPECT_TRUE(answerable("Who wrote MEP 20?"));
  EXPECT_FALSE(answerable("Who wrote MEP 21?"));
  EXPECT_NE(ask("Who wrote MEP 20?").find("Harro Lindqvist"), std::string::npos) << ask("Who wrote MEP 20?");
  EXPECT_EQ(ask("Who wrote MEP 21?").find("Lindqvist"), std::string::npos);
}

TEST_P(AnswerabilityTest, OfAnotherYearNothingIsSaid) {
  docs_.write("taxes/2022.md", "# Taxes\n\nThe refund of the year was 120 crowns.\n");
  docs_.write("taxes/2023.md", "# Taxes\n\nThe refund of the year was 214 crowns.\n");
  IndexOptions index;
  index.paths = {docs_.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  EXPECT_TRUE(answerable("How high was the refund of taxes in 2022?"));
  EXPECT_FALSE(answerable("How high was the refund of taxes in 2021?"));
  EXPECT_NE(ask("How high was the refund of taxes in 2022?").find("120"), std::string::npos);
}

// Each word is in the passage about the voyage; no sentence says anything of what is asked.
TEST_P(AnswerabilityTest, WhatIsAskedMustBeSaidInOnePlace) {
  docs_.write("voyage.txt",
              "The sea was boiling around the boat. They had come to the point where nobody spoke any more, and held "
              "on to what there was.\n\nThe captain looked at his watch. It was of gold, and he would not have parted "
              "with it for the world.\n");
  docs_.write("tin.txt", "The melting point of tin is 232 degrees.\n");
  IndexOptions index;
  index.paths = {docs_.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  const auto found =
      Retriever(*workspace_).search("What is the boiling point of gold?", {.judge = true, .explain = true});
  ASSERT_TRUE(found.ok());
  for (size_t i = 0; i < found->judged.size(); ++i) {
    if (!found->hits[i].document.ends_with("voyage.txt")) continue;
    EXPECT_EQ(found->judged[i].coverage, 1.0);
    EXPECT_LT(found->judged[i].bound, 0.5);
  }
  EXPECT_TRUE(answerable("What is the melting point of tin?"));
  EXPECT_TRUE(answerable("What was the captain's watch made of?"));
}

TEST_P(AnswerabilityTest, ASignThatNobodyShowsIsNotTold) {
  EXPECT_FALSE(answerable("What does the |> operator of the council do?"));
  EXPECT_FALSE(answerable("What does --council do?")) << "an option of no program here";
}

TEST_P(AnswerabilityTest, AWordInPassingIsNoDefinition) {
  EXPECT_FALSE(answerable("What is attention?"));
  EXPECT_FALSE(answerable("What is a class?"));
}

TEST_P(AnswerabilityTest, WhatIsLeftOutCannotAnswer) {
  const std::string question = "What is a cooling pump?";
  EXPECT_TRUE(answerable(question));
  const SearchOptions without{.without = {docs_ / "teaching.txt"}};
  EXPECT_FALSE(answerable(question, without));
  const auto found = Retriever(*workspace_).search(question, without);
  ASSERT_TRUE(found.ok());
  for (const Hit& hit : found->hits) {
    EXPECT_NE(hit.document, docs_ / "teaching.txt");
  }
}

TEST_P(AnswerabilityTest, ExplainingTellsWhatDecided) {
  const auto found = Retriever(*workspace_).search("What is a cooling pump?", {.judge = true, .explain = true});
  ASSERT_TRUE(found.ok());
  ASSERT_FALSE(found->judged.empty());
  EXPECT_LE(found->judged.size(), AnswerabilityJudge::kJudged);
  EXPECT_EQ(found->judged.front().coverage, 1.0);
  EXPECT_EQ(found->judged.front().missing, 0.0);
  EXPECT_GE(found->judged.front().answer, 0.5);
}

TEST_P(AnswerabilityTest, OnlyThoseWhoRefuseAreJudged) {
  const auto plain = Retriever(*workspace_).search("Who is the president of France?", {});
  const auto judged = Retriever(*workspace_).search("Who is the president of France?", {.judge = true});
  ASSERT_TRUE(plain.ok() && judged.ok());
  EXPECT_FALSE(plain->answerable.has_value());
  EXPECT_EQ(judged->answerable, false);
  ASSERT_EQ(plain->hits.size(), judged->hits.size());
  for (size_t i = 0; i < plain->hits.size(); ++i) EXPECT_EQ(plain->hits[i].chunk_row, judged->hits[i].chunk_row);
}

// What does not weigh is not looked for, and nothing comes of that.
TEST_P(AnswerabilityTest, WhatDoesNotWeighDecidesNothing) {
  for (const std::string question :
       {"How long is the president of the council elected for?", "What is attention?", "What is a cooling pump?",
        "Who is the president of France?", "Who wrote MEP 21?", "塔は何メートルですか", "the of"}) {
    const auto found = Retriever(*workspace_).search(question, {});
    ASSERT_TRUE(found.ok());
    auto terms = QuestionTerms::weigh(workspace_->catalogue(), question);
    ASSERT_TRUE(terms.ok());
    const auto names = names_known(workspace_->catalogue(), question);
    ASSERT_TRUE(names.ok());
    const AnswerabilityJudge judge(question, terms->judged(question), *names, workspace_->embedder());
    const std::vector<AnswerEvidence> weighed = judge.look(found->hits);
    const std::vector<AnswerEvidence> all = judge.look_at_all(found->hits);
    ASSERT_EQ(weighed.size(), all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(answer_odds(weighed[i], writing_of(question)), answer_odds(all[i], writing_of(question))) << question;
    }
    EXPECT_EQ(judge.may_answer(found->hits, weighed), judge.may_answer(found->hits, all)) << question;
  }
}

INSTANTIATE_TEST_SUITE_P(ByEmbedder, AnswerabilityTest, ::testing::Values("hashed", kEmbedder),
                         [](const auto& info) { return info.index == 0 ? "Hashed" : "Trained"; });

}  // namespace
}  // namespace mneme::rag
