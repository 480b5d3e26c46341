// Questions for documents rather than for what they say: one as a whole, the newest, those of a year, and what follows.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "rag/answering/sources/other_words.h"
#include "tests/unit/rag_answering/asked_home.h"

namespace mneme::rag {
namespace {

class AskedDocumentsTest : public AskedHome {
 protected:
  // A file last changed so many days ago.
  void write_ago(int days, std::string_view name, std::string_view content) {
    const std::string path = docs_.write(name, content);
    std::filesystem::last_write_time(path,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * days));
  }
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

TEST_F(AskedDocumentsTest, QuestionsBehindOneAsAWhole) {
  docs_.write(
      "tides.md",
      "---\ntitle: A Guide to Tides\nauthor: Marta Faria\ndate: 2019-05-02\n---\n\nTides rise and fall twice a day "
      "because of the moon.\n");
  docs_.write("roof.md", "# Roof\n\nThe roof was written off and repaired by Tom Hale in 2021.\n");
  index_all();
  EXPECT_NE(ask({"Summarize the guide to tides", "Who wrote it?"}).text.find("Marta Faria"), std::string::npos);
  EXPECT_NE(ask({"Tell me about the guide to tides", "When was it written?"}).text.find("2019-05-02"),
            std::string::npos);
}

TEST_F(AskedDocumentsTest, TheNewestByItsOwnDateElseByItsFile) {
  write_ago(500, "invoice-2031-04-02.txt", "Invoice of ACME\nTotal: 480.00 EUR\n");
  write_ago(2, "invoice-mill.txt", "Invoice of the mill\nTotal: 12.00 EUR\n");
  write_ago(900, "Letters/boiler.txt", "Dear Sir,\n\nthe boiler is repaired on Monday.\n");
  write_ago(
      3, "mail.eml",
      "From: Ann <ann@example.org>\nSubject: The roof\nDate: Mon, 5 Jan 2015 09:00:00 +0000\n\nThe roof leaks.\n");
  index_all();
  EXPECT_EQ(ask({"What is my latest invoice?"}).text, "invoice-2031-04-02 (named 2031-04-02) [1]");
  EXPECT_TRUE(ask({"Which document did I change last?"}).text.starts_with("invoice-mill (changed 2"));
  EXPECT_EQ(ask({"What is the oldest mail?"}).text, "The roof (dated 2015-01-05) [1]");
  EXPECT_EQ(ask({"oldest document"}).text, "The roof (dated 2015-01-05) [1]");
  EXPECT_EQ(ask({"documents from 2015"}).text, "The roof (dated 2015-01-05) [1]");
  EXPECT_EQ(ask({"files I changed in the last 10 days"}).sources.size(), 2U);
  const Answer letter = ask({"the most recent letter"});
  EXPECT_TRUE(letter.text.starts_with("boiler (changed ")) << letter.text;
  ASSERT_EQ(letter.notes.size(), 1U) << "which date it is, is said";
  EXPECT_EQ(ask({"files I added today"}).sources.size(), 4U);
  EXPECT_FALSE(ask({"What is my latest contract?"}).in_documents);
}

TEST_F(AskedDocumentsTest, OneOfThoseThatWereListed) {
  write_ago(1, "roof.md",
            "---\ntitle: Roof report\nauthor: Tom Hale\n---\n\nThe tiles of the roof are loose in two places.\n");
  write_ago(2, "drain.md",
            "---\ntitle: Drain report\nauthor: Marta Faria\n---\n\nThe drain is blocked by leaves in autumn.\n");
  write_ago(3, "wall.md",
            "---\ntitle: Wall report\nauthor: Ann Berry\n---\n\nThe wall has a crack below the window.\n");
  index_all();
  const std::string list = "Show me the newest reports";
  EXPECT_NE(ask({list, "summarise the second one"}).text.find("blocked by leaves"), std::string::npos);
  EXPECT_NE(ask({list, "open the third"}).text.find("crack below"), std::string::npos);
  EXPECT_NE(ask({list, "Open the third", "and the first one?"}).text.find("tiles of the roof"), std::string::npos);
  EXPECT_NE(ask({list, "Who wrote the last one?"}).text.find("Ann Berry"), std::string::npos);
  EXPECT_NE(ask({list, "open the second", "Who wrote it?"}).text.find("Marta Faria"), std::string::npos);
  EXPECT_NE(ask({"What is the newest report?", "and the second one?"}).text.find("blocked by leaves"),
            std::string::npos);
  EXPECT_FALSE(ask({list, "open the seventh"}).in_documents);
}

TEST_F(AskedDocumentsTest, OfManyDocumentsItIsSaidHowManyAreListed) {
  for (int i = 0; i < 10; ++i) {
    const std::string n = std::to_string(i);
    docs_.write("invoice-" + n + ".txt", "Invoice of ACME\n\nThe crane number " + n + " was inspected.\n");
  }
  index_all();
  for (const char* question : {"Which files mention the crane?", "Show me the invoice of ACME"}) {
    const Answer answer = ask({question});
    EXPECT_EQ(answer.sources.size(), 8U) << question;
    ASSERT_EQ(answer.notes.size(), 1U) << question;
    EXPECT_TRUE(answer.notes[0].starts_with("8 of 10 documents")) << answer.notes[0];
  }
  const Answer eight = ask({"Which files mention the crane number 3?"});
  ASSERT_EQ(eight.sources.size(), 1U);
  EXPECT_TRUE(eight.notes.empty());
  EXPECT_EQ(eight.text, "invoice-3: The crane number 3 was inspected. [1]");
  ASSERT_EQ(eight.sources[0].quotes.size(), 1U);
}

TEST_F(AskedDocumentsTest, OthersOfTheSameNameAreTold) {
  docs_.write("mill/lease.md", "# Lease of the mill\n\nThe mill is let from 2031 on to Ann Berry.\n");
  docs_.write("barn/lease.md", "# Lease of the barn\n\nThe barn is let from 2032 on to Tom Hale.\n");
  index_all();
  const Answer answer = ask({"Summarise the lease"});
  ASSERT_EQ(answer.notes.size(), 1U);
  EXPECT_TRUE(answer.notes[0].starts_with("also called so: ")) << answer.notes[0];
  const bool of_mill = answer.text.find("Ann Berry") != std::string::npos;
  EXPECT_TRUE(answer.notes[0].ends_with(docs_ / (of_mill ? "barn/lease.md" : "mill/lease.md"))) << answer.notes[0];
}

TEST_F(AskedDocumentsTest, FilesThatAreGivenAreAskedAlone) {
  docs_.write("roof.md", "# Roof\n\nThe roof was repaired by Tom Hale.\n");
  index_all();
  TemporaryFolder elsewhere;
  AskOptions options;
  options.context_files = {elsewhere.write("note.md", "# Shed\n\nIts roof was repaired by Ann Berry.\n\n")};
  Answerer answerer(*workspace_);
  const auto by_whom = [&] { return answerer.ask("Who repaired the roof?", options).value(); };
  const Answer of_file = by_whom();
  ASSERT_EQ(of_file.sources.size(), 1U);
  const Hit& file = of_file.sources[0].source;
  EXPECT_EQ(file.document, elsewhere / "note.md");
  EXPECT_EQ(file.title, "Shed");
  EXPECT_EQ(file.line_start, 1);
  EXPECT_EQ(file.line_end, 3);
  EXPECT_FALSE(file.text.ends_with("\n"));
  EXPECT_FALSE(file.chunk.empty());
  EXPECT_EQ(file.score, 1.0);
  EXPECT_NE(of_file.text.find("Ann Berry"), std::string::npos) << of_file.text;

  options.context_files = {};
  options.passages = {{"Barn", "The roof of the barn was repaired by Mia Stone.", "/d/barn.md"}};
  const Answer of_passage = by_whom();
  ASSERT_EQ(of_passage.sources.size(), 1U);
  EXPECT_EQ(of_passage.sources[0].source.title, "Barn");
  EXPECT_EQ(of_passage.sources[0].source.document, "/d/barn.md");
  EXPECT_NE(of_passage.text.find("Mia Stone"), std::string::npos) << of_passage.text;

  options.passages = {};
  options.context_files = {elsewhere / "gone.md"};
  EXPECT_EQ(answerer.ask("Who repaired the roof?", options).status().code(), StatusCode::kNotFound);
}

TEST_F(AskedDocumentsTest, WhatNothingAnswersIsAskedInOtherWords) {
  docs_.write("packing.md", "# Packing\n\nCompress a directory: `pack path/to/directory`.\n");
  docs_.write("shelf.md", "# Shelf\n\nThe blue folder lies on the lowest shelf beside the window.\n");
  index_all();
  const AskOptions options;
  const auto look = [&](const std::string& question) {
    QuestionSources found;
    found.query = question;
    found.answerable = false;  // as it was asked
    const Asked asked{question, options, {}, never_cancelled()};
    EXPECT_TRUE(find_in_other_words(*workspace_, asked, found).ok());
    return found;
  };
  const QuestionSources found = look("How do I compress a folder?");
  EXPECT_TRUE(found.answerable);
  EXPECT_EQ(found.query, "How do I compress a directory?");
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_EQ(found.notes[0], "nothing answers it all with \"folder\"; looked for \"directory\" instead");
  EXPECT_FALSE(look("How do I repair a folder?").answerable) << "the rest must be said, too";
  EXPECT_FALSE(look("Where is the hedge?").answerable);
}

TEST_F(AskedDocumentsTest, WhatIsAnsweredByHalfIsAskedInOtherWords) {
  docs_.write("kettle.md",
              "# Lumen kettle\n\n| message | what to do |\n|---|---|\n| CA | descale the kettle |\n\n## Service\n\nThe "
              "guarantee "
              "lasts three years from the day of purchase.\nSend the kettle without its base.\n");
  docs_.write("licence.md", "# Licence\n\nThere is no warranty for the free programs of this disk.\n");
  index_all();
  const Answer answer = ask({"What is the warranty of the kettle?"});
  EXPECT_NE(answer.text.find("three years"), std::string::npos) << answer.text;
  EXPECT_EQ(ask({"Is there a warranty for the programs?"}).text.find("three years"), std::string::npos);
}

TEST(OtherWords, WhatIsToBeDoneIsSaidOtherwiseLast) {
  const std::vector<OtherWords> others = in_other_words("How do I compress a folder?");
  ASSERT_GE(others.size(), 2U);
  EXPECT_EQ(others[0].question, "How do I compress a directory?");
  EXPECT_EQ(others[1].question, "How do I zip a folder?");
  EXPECT_TRUE(in_other_words("Who is Ann?").empty());
}

TEST(OtherWords, MakingSmallerIsResizing) {
  const std::vector<OtherWords> others = in_other_words("How do I make a picture smaller?");
  ASSERT_GE(others.size(), 2U);
  EXPECT_EQ(others[0].question, "How do I resize a picture?");
  EXPECT_EQ(others[1].question, "How do I resize a image?");
}

}  // namespace
}  // namespace mneme::rag
