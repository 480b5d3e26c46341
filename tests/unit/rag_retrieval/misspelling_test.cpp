// Which slips of the hand make a word of the documents of one that they do not have.
#include "rag/retrieval/misspelling.h"

#include <gtest/gtest.h>

#include "rag/embedding/embedder.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class MisspellingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
    docs_.write("town.md", "# Town\n\nThe harbour has a quay. Seven gnus.\n");
    IndexOptions index;
    index.paths = {docs_.path()};
    index.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  }

  std::string spelled(std::string_view word) {
    const auto found = as_documents_spell(workspace_->catalogue(), workspace_->embedder(), word);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::string();
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(MisspellingTest, ALetterTooManyTooFewOrInTheWrongPlace) {
  for (const std::string_view word :
       {"arbour", "habour", "harbou", "xharbour", "harxbour", "harbourx", "ahrbour", "harbuor", "harboru"}) {
    EXPECT_EQ(spelled(word), "harbour") << word;
  }
}

// Its keys touch those beside it, two in the row above and two below.
TEST_F(MisspellingTest, AKeyBesideTheRightOne) {
  for (const std::string_view word : {"hatbour", "haebour", "hafbour", "hadbour",     // of r
                                      "harvour", "harnour", "hargour", "harhour",     // of b
                                      "hqrbour", "hwrbour", "hsrbour", "hzrbour"}) {  // of a
    EXPECT_EQ(spelled(word), "harbour") << word;
  }
  for (const std::string_view word : {"haqbour", "hacbour", "harxour", "harkour", "hxrbour", "hdrbour", "hlrbour"}) {
    EXPECT_EQ(spelled(word), "") << word;
  }
}

TEST_F(MisspellingTest, ALetterThatSoundsAlike) {
  for (const std::string_view word : {"horbour", "harpour", "halbour"}) EXPECT_EQ(spelled(word), "harbour") << word;
}

TEST_F(MisspellingTest, OfShortWordsAndOtherSignsNobodyCanTell) {
  EXPECT_EQ(spelled("sevem"), "seven") << "five letters are enough";
  EXPECT_EQ(spelled("quya"), "");
  EXPECT_EQ(spelled("har8our"), "");
  EXPECT_EQ(spelled(""), "");
  EXPECT_EQ(spelled(std::string(25, 'a')), "");
  EXPECT_EQ(spelled("haarbuour"), "") << "two slips";
}

}  // namespace
}  // namespace mneme::rag
