// What chats and transcripts answer: messages with who said them and when, replies to questions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/outline/said_marks.h"
#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;

std::string first_quote(std::string_view question, const std::vector<QuotePassage>& passages) {
  const auto quotes = quote_sentences(question, passages);
  return quotes.empty() ? std::string() : quotes[0].text;
}

TEST(SaidMarks, SayWhoAndWhen) {
  EXPECT_EQ(said_mark("[18:07] Ben Huber: They are there"), 19u);
  EXPECT_EQ(said_mark("[00:04:12] Then it moves"), 11u);
  EXPECT_EQ(said_mark("[00:04:12] Then, as I said: no"), 11u);
  for (const char* line : {"", "[", "[x] done", "[1:2] a", "[18:07]", "[18:07:1] a", "[a](b) c", "18:07 a", "[12] a"})
    EXPECT_EQ(said_mark(line), 0u) << line;
}

const QuotePassage kChat{
    "Thursday, 12 March 2026\n\n[18:05] Anna: Hello. Where are the keys?\n\n[18:07] Ben Huber: Under the flower pot. "
    "Next to "
    "the cellar door\n\n[18:09] Anna: Thanks!\n\n[18:10] Anna: The plumber comes on Friday. He brings the new tap.\n\n"
    "[18:12] Anna: What time is our flight?\n\n[18:13] Ben Huber: 10:45 from gate B12\n",
    "WhatsApp Chat with Anna", "WhatsApp Chat with Anna"};

TEST(Said, AReplyAnswersTheQuestionBeforeIt) {
  EXPECT_EQ(first_quote("Where are the keys?", {kChat}),
            "Thursday, 12 March 2026: [18:07] Ben Huber: Under the flower pot.");
  EXPECT_EQ(first_quote("What time is our flight?", {kChat}),
            "Thursday, 12 March 2026: [18:13] Ben Huber: 10:45 from gate B12");
}

TEST(Said, FurtherSentencesOfAMessageAreTheirs) {
  EXPECT_EQ(first_quote("Who brings the new tap?", {kChat}),
            "Thursday, 12 March 2026: [18:10] Anna: He brings the new tap.");
}

TEST(Said, EverySentenceOfAParagraphHasItsMark) {
  const std::string text =
      "[18:05] Anna: Where are the keys? I need them. Now\nat once.\n\nThey lie here. Under the pot.\n\n\n[18:07] Ben: "
      "So it is.\n\n## Friday\n\n[18:09] Anna: Thanks.\n";
  const PassageOutline outline(text, "chat");
  std::vector<std::string> marked;
  for (const OutlinePart& part : outline.parts()) {
    marked.push_back(std::string(part.said_mark) + "|" + std::string(part.raw.substr(0, part.raw.find('\n'))));
  }
  EXPECT_THAT(marked, ElementsAre("[18:05] Anna: |[18:05] Anna: Where are the keys?", "[18:05] Anna: |I need them.",
                                  "[18:05] Anna: |Now", "|They lie here.", "|Under the pot.",
                                  "[18:07] Ben: |[18:07] Ben: So it is.", "|## Friday",
                                  "[18:09] Anna: |[18:09] Anna: Thanks."));
}

TEST(Said, LinesOfALogAreTheirOwn) {
  const QuotePassage log{
      "[02:00:13] backup: started\n[02:10:40] backup: it failed for want of space\n[02:11:00] mail: sent\n"
      "[02:12:00] backup: stopped\n[02:13:00] mail: queue empty\n",
      "server", "server"};
  EXPECT_EQ(first_quote("When did the backup fail?", {log}), "[02:10:40] backup: it failed for want of space");
}

TEST(Said, WhenItWasSaidIsNoTimeThatIsAskedFor) {
  const QuotePassage talk{
      "[00:00:20] The oven is hot.\n\n[00:00:40] How long does the dough rest?\n\n[00:00:44] It rests overnight.\n\n"
      "[00:01:10] The dough of the other bread rests for two hours.\n",
      "lecture", "lecture"};
  EXPECT_EQ(first_quote("How long does the dough of the other bread rest?", {talk}),
            "[00:01:10] The dough of the other bread rests for two hours.");
  EXPECT_EQ(first_quote("How long is the oven hot?", {talk}), "");
}

}  // namespace
}  // namespace mneme::rag
