// Who wrote about something is told by mails and letters.
#include <gtest/gtest.h>

#include "tests/unit/rag_answering/asked_home.h"

namespace mneme::rag {
namespace {

class SendersAnswerTest : public AskedHome {
 protected:
  void SetUp() override {
    AskedHome::SetUp();
    docs_.write("a.txt",
                "Ludlow, 9 February 2031\n\nDear Clara,\n\nI wanted to ask you about the grand piano. I cannot keep "
                "it.\n\nWith love,\nAunt Margaret\n");
    docs_.write(
        "b.eml",
        "From: Priya Raman <priya@lindgrove.example>\nTo: Clara <clara@whitfield.example>\n"
        "Date: Mon, 03 Mar 2031 16:20:00 +0000\nSubject: Workshop\nMessage-ID: <2@x.example>\n"
        "Content-Type: text/plain; charset=utf-8\n\nHi Clara,\n\nthe workshop moves to June.\n\nBest,\nPriya\n");
    docs_.write("notes.md", "# Notes\n\nThe piano needs a tuner. The workshop is in Basel.\n");
    index_all();
  }
};

TEST_F(SendersAnswerTest, OfLettersAndMails) {
  const Answer piano = ask({"Who wrote to me about the piano?"});
  EXPECT_EQ(piano.text.find("Aunt Margaret: "), 0U) << piano.text;
  EXPECT_EQ(piano.sources.size(), 1U) << "notes have no sender";
  EXPECT_EQ(ask({"Who wrote to me about the workshop?"}).text.find("Priya Raman: Workshop"), 0U);
}

TEST_F(SendersAnswerTest, NobodyWroteOfWhatNoLetterSpeaksOf) {
  EXPECT_EQ(ask({"Who wrote to me about the roof?"}).text.find("Aunt"), std::string::npos);
}

TEST_F(SendersAnswerTest, LettersAreCountedByTheirShape) {
  const Answer letters = ask({"How many letters do I have?"});
  EXPECT_EQ(letters.sources.size(), 1U) << letters.text;
  ASSERT_FALSE(letters.sources.empty());
  EXPECT_NE(letters.sources[0].source.document.find("a.txt"), std::string::npos);
}

}  // namespace
}  // namespace mneme::rag
