// Names of several words in a question, and what the documents know of them.
#include "rag/retrieval/asked_names.h"

#include <gtest/gtest.h>

#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

std::vector<std::string> texts_of(std::string_view question) {
  std::vector<std::string> texts;
  for (const AskedName& name : proper_names(question)) texts.push_back(name.text);
  return texts;
}

TEST(AskedNames, WordsThatFollowEachOtherAreOneName) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(texts_of("How tall is Tuva Ekholm of Velm?"), (Names{"Tuva Ekholm", "Velm"}));
  EXPECT_EQ(texts_of("What did Dr. Ekholm say?"), (Names{"Dr. Ekholm"}));
  EXPECT_EQ(texts_of("How do Velm and Harro differ, Tuva?"), (Names{"Velm", "Harro", "Tuva"}));
  EXPECT_EQ(texts_of("What is a pump?"), Names());
  EXPECT_EQ(texts_of("Welche Pumpe hat das Werk?"), Names()) << "German nouns are no names";
}

class KnownNames : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
    docs_.write("people.txt", "Tuva Ekholm built the first pump of Velm. Ekholm lived by the river until she died.\n");
    docs_.write("others.txt", "Harro is 180 cm tall. He was the last to see the river before the flood.\n");
    docs_.write("velm.txt", "Velm is a town by the river. The last mayor of Velm was elected twice.\n");
    IndexOptions index;
    index.paths = {docs_.path()};
    index.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  }

  bool answerable(const std::string& question) {
    const auto found = Retriever(*workspace_).search(question, {.judge = true});
    EXPECT_TRUE(found.ok()) << found.status().message();
    return found.ok() && found->answerable.value_or(false);
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(KnownNames, AreThoseThatStandTogetherSomewhere) {
  const auto names = names_known(workspace_->catalogue(), "Did Tuva Ekholm know Harro Ekholm?");
  ASSERT_TRUE(names.ok()) << names.status().message();
  ASSERT_EQ(names->size(), 2u);
  EXPECT_TRUE((*names)[0].known);
  EXPECT_FALSE((*names)[1].known);
}

TEST_F(KnownNames, PartOfAKnownNameIsEnough) {
  EXPECT_TRUE(answerable("Where did Tuva Ekholm live?")) << "by the river, though the sentence says only Ekholm";
  EXPECT_TRUE(answerable("How tall is Harro?"));
}

// Harro is there, and Ekholm is there; nobody is called both.
TEST_F(KnownNames, PartsOfAnUnknownNameAreNotIt) {
  EXPECT_FALSE(answerable("How tall is Harro Ekholm?"));
  EXPECT_FALSE(answerable("How tall is Harro Lindqvist?"));
}

TEST_F(KnownNames, TheRarestNameDecides) {
  EXPECT_FALSE(answerable("What did the last mayor of Velm say to Napoleon?"));
}

}  // namespace
}  // namespace mneme::rag
