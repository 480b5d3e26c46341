// From a folder to what an answer cites: the place of what is quoted, and the paper that is called by its number.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rag/answering/answerer.h"
#include "rag/answering/citations/cited_place.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class QuotedPlaces : public testing::Test {
 protected:
  Answer ask(const std::string& question) {
    if (!workspace_) open();
    auto answer = Answerer(*workspace_).ask(question, {});
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    return answer.ok() ? *std::move(answer) : Answer();
  }

  // The line of the file that the answer's first citation is of.
  static std::string first_line(const Answer& answer) {
    if (answer.citations.empty()) return {};
    const Citation& citation = answer.citations.front();
    const std::string_view text = citation.source.text;
    const size_t begin = cited_place(citation, answer.text).byte;
    return std::string(text.substr(begin, text.find('\n', begin) - begin));
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;

 private:
  void open() {
    WorkspaceOptions options;
    options.home = home_.path();
    options.model = "none";
    options.embedder = "hashed";
    options.n_threads = 1;
    auto opened = Workspace::open(options);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    workspace_ = *std::move(opened);
    IndexOptions indexing;
    indexing.paths = {docs_.path()};
    indexing.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(indexing, {}).ok());
  }

  std::unique_ptr<Workspace> workspace_;
};

TEST_F(QuotedPlaces, ARowOfShortCellsIsCitedByItsLine) {
  docs_.write("prices.md",
              "# Tool rental price list\n\nTools come back clean.\n\n| Tool | Day | Week |\n|---|---|---|\n"
              "| Drill | 12 € | 50 € |\n| Sander | 15 € | 60 € |\n| Chainsaw | 38 € | 140 € |\n");
  const Answer answer = ask("What does renting the chainsaw cost per day?");
  EXPECT_EQ(first_line(answer), "| Chainsaw | 38 € | 140 € |");
  ASSERT_FALSE(answer.citations.empty());
  EXPECT_EQ(cited_place(answer.citations[0], answer.text).line, 9);
}

TEST_F(QuotedPlaces, APaperIsCalledByItsNumber) {
  docs_.write("huber.txt",
              "Elektro Huber\n\nInvoice No. 2026-0417\nDate: 22 April 2026\nCustomer: T. Reuter\n\nFuse box repair  "
              "216.46 EUR\n\nTotal 216.46 EUR\n");
  docs_.write("bluefin.txt",
              "Bluefin Studio\n\nInvoice No. 2025-1181\nDate: 4 February 2025\nCustomer: M. Roth\n\nPhotography  "
              "880.00 EUR\n\nTotal 880.00 EUR\n");
  const Answer known = ask("What is the total of invoice 2026-0417?");
  EXPECT_EQ(first_line(known), "Total 216.46 EUR") << known.text;
  EXPECT_TRUE(known.text.find("880.00") == std::string::npos) << known.text;
  const Answer unknown = ask("What is the total of invoice 2026-0999?");
  EXPECT_FALSE(unknown.in_documents) << unknown.text;
}

TEST_F(QuotedPlaces, RecordsWithSentencesAreRows) {
  docs_.write("vaccinations.csv",
              "Date,Person,Vaccine,Doctor\n2019-05-03,Tobias,tetanus,Dr. Seidl\n2020-11-12,Mia,measles,Dr. Seidl\n"
              "2021-02-01,Mia,tetanus,Dr. Roth\n");
  const Answer answer = ask("When did Mia get the measles vaccine?");
  EXPECT_EQ(first_line(answer), "2020-11-12,Mia,measles,Dr. Seidl") << answer.text;
  EXPECT_TRUE(answer.text.find("Tobias") == std::string::npos) << answer.text;
}

}  // namespace
}  // namespace mneme::rag
