// Who reads quotations, and when: from a folder to the answer, with readers that read and ones that do not open.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "rag/answering/answerer.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "tests/support/checkout/checkout.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class ReadingQuotations : public testing::Test {
 protected:
  // `model` as a user names it; empty: none.
  void open(const std::string& reader, const std::string& model = "") {
    docs_.write("house.md", "# House rules\n\nThe bins of the back yard are emptied on Thursday.\n");
    WorkspaceOptions options;
    options.home = home_.path();
    options.model = model;
    options.embedder = "hashed";
    options.shipped_reader = reader;
    options.n_threads = 1;
    auto opened = Workspace::open(options);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    workspace_ = *std::move(opened);
    IndexOptions indexing;
    indexing.paths = {docs_.path()};
    indexing.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(indexing, {}).ok());
  }

  Answer ask(const std::string& question) {
    auto answer = Answerer(*workspace_).ask(question, {});
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    return answer.ok() ? *std::move(answer) : Answer();
  }

  static bool tells_of_reading(const Answer& answer) {
    return std::any_of(answer.notes.begin(), answer.notes.end(),
                       [](const std::string& note) { return note.starts_with("quotations only: "); });
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

constexpr const char* kBins = "On which day are the bins emptied?";
constexpr const char* kAbsent = "Who painted the ceiling of the chapel?";

TEST_F(ReadingQuotations, AReaderFindsTheAnswerInThem) {
  open(checkout::test_data("tiny.gguf"));
  const Answer answer = ask(kBins);
  EXPECT_TRUE(answer.brief.has_value());
  EXPECT_FALSE(tells_of_reading(answer));
  EXPECT_FALSE(ask(kAbsent).brief.has_value());
}

TEST_F(ReadingQuotations, OneThatDoesNotOpenCostsTheShortAnswerAlone) {
  open(docs_.write("damaged.gguf", "GGUF and no more"));
  const Answer answer = ask(kBins);
  EXPECT_EQ(answer.text, "The bins of the back yard are emptied on Thursday. [1]");
  EXPECT_FALSE(answer.brief.has_value());
  EXPECT_TRUE(tells_of_reading(answer));
}

TEST_F(ReadingQuotations, ItOpensWhenThereIsSomethingToRead) {
  open(docs_.write("damaged.gguf", "GGUF and no more"));
  const Answer answer = ask(kAbsent);
  EXPECT_FALSE(answer.in_documents);
  EXPECT_FALSE(tells_of_reading(answer)) << "it would have failed";
}

TEST_F(ReadingQuotations, WhoWantsNoModelGetsNone) {
  open(checkout::test_data("tiny.gguf"), "none");
  EXPECT_FALSE(ask(kBins).brief.has_value());
}

TEST_F(ReadingQuotations, WithoutOneThereAreQuotationsAlone) {
  open(docs_ / "absent.gguf");
  const Answer answer = ask(kBins);
  EXPECT_TRUE(answer.in_documents);
  EXPECT_FALSE(answer.brief.has_value());
  EXPECT_FALSE(tells_of_reading(answer));
}

}  // namespace
}  // namespace mneme::rag
