// A home of documents that a test writes, and questions asked of it in a row, without a model.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rag/answering/answerer.h"
#include "rag/answering/citations/answer_citations.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {

class AskedHome : public ::testing::Test {
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

}  // namespace mneme::rag
