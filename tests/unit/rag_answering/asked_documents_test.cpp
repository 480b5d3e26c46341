// Questions for documents rather than for what they say: one as a whole, the newest, those of a year, and what follows.
#include <gtest/gtest.h>

#include "rag/answering/answer_citations.h"
#include "rag/answering/answerer.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class AskedDocumentsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
  }

  void index_all() {
    IndexOptions index;
    index.paths = {docs_.path()};
    index.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  }

  // The answer to the last of the questions.
  Answer ask(const std::vector<std::string>& questions) {
    AskOptions options;
    Answerer answerer(*workspace_);
    Answer answer;
    for (const std::string& question : questions) {
      Result<Answer> asked = answerer.ask(question, options);
      EXPECT_TRUE(asked.ok()) << asked.status().message();
      if (!asked.ok()) return {};
      answer = *std::move(asked);
      options.history.push_back({question, answer.text, cited_documents(answer.citations)});
    }
    return answer;
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(AskedDocumentsTest, AKindNeedNotBeSaidWhereTheRestNamesOne) {
  docs_.write("GPL-3", "A free, copyleft program may be shared and changed by everyone.\n");
  docs_.write("rules.md", "# House rules\n\nThe bins are emptied on Tuesdays and Fridays.\n");
  docs_.write("lease-mill.txt", "LEASE AGREEMENT\n\nThe flat in Mill Street is let from 1 March 2024 on.\n");
  index_all();
  EXPECT_NE(ask({"Summarize the GPL-3 license"}).text.find("copyleft"), std::string::npos);
  EXPECT_NE(ask({"What does my tenancy agreement say in general?"}).text.find("Mill Street is let"), std::string::npos);
  EXPECT_NE(ask({"What is the GPL-3 contract about?"}).text.find("copyleft"), std::string::npos) << "the only one";
  EXPECT_EQ(ask({"Show me the invoice of the GPL-3"}).text.find("GPL-3 [1]"), std::string::npos)
      << "a listed paper is of its kind";
}

}  // namespace
}  // namespace mneme::rag
