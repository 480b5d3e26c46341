// What chats and mails answer, and what stands outside of all sentences: headings, properties of files.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

std::string first_quote(std::string_view question, const std::vector<QuotePassage>& passages) {
  const auto quotes = quote_sentences(question, passages);
  return quotes.empty() ? std::string() : quotes[0].text;
}

const QuotePassage kChat{
    "[02.05., 19:12] Anna: Can you pick up the keys tomorrow?\n[02.05., 19:20] Ben: Yes. Where are they?\n"
    "[02.05., 19:21] Anna: In the blue pot beside the door.\n[02.05., 19:22] Ben: And who brings the cake?\n"
    "[02.05., 19:40] Anna: You will see :)\n[02.05., 19:41] Anna: my cousin Dev\n[03.05., 08:15] Anna: It rains.\n",
    "chat", "chat"};

TEST(Talks, WhatFollowsAQuestionAnswersIt) {
  EXPECT_EQ(first_quote("Where are the keys?", {kChat}), "[02.05., 19:21] Anna: In the blue pot beside the door.");
  EXPECT_EQ(first_quote("Who brings the cake?", {kChat}), "[02.05., 19:41] Anna: my cousin Dev");
}

TEST(Talks, AQuestionThatADescriptionQuotesIsNoAnswer) {
  const QuotePassage readme{
      "# Search\n\nAsk it \"When is the paper bin emptied?\" or the like.\n\n- \"When is the bin "
      "emptied?\"\n",
      "readme", "Search"};
  const QuotePassage plan{"Paper bin: every first Wednesday\nGlass: on Mondays\n", "plan", "plan"};
  EXPECT_EQ(first_quote("When is the paper bin emptied?", {readme, plan}), "Paper bin: every first Wednesday");
  EXPECT_EQ(first_quote("When is the paper bin emptied?", {readme}), "");
}

TEST(Talks, WhenItWasSaidIsNotWhatIsSaid) {
  const QuotePassage talk{
      "[02.05., 19:12] Ben: We meet at the pool.\n[02.05., 19:20] Anna: The pool opens for us on Friday.\n", "talk",
      "talk"};
  EXPECT_EQ(first_quote("When do we meet at the pool?", {talk}),
            "[02.05., 19:20] Anna: The pool opens for us on Friday.")
      << "19:12 is when Ben wrote";
  EXPECT_EQ(first_quote("Where do we meet?", {talk}), "[02.05., 19:12] Ben: We meet at the pool.");
}

TEST(Talks, TheQuestionOfAMailIsNoAnswer) {
  const QuotePassage mail{
      "You may keep the rest of the rent for February.\n\nOn 16 February 2026 Marta Faria wrote:\n"
      "> May we keep a part of the rent?\n",
      "mail", "mail"};
  EXPECT_EQ(first_quote("How much of the rent may Marta keep?", {mail}).find("wrote"), std::string::npos);
  EXPECT_EQ(first_quote("What about the rent of Marta Faria?", {mail}),
            "You may keep the rest of the rent for February.");
}

TEST(Talks, AHeadingAnswersThatSaysAllOfIt) {
  const QuotePassage plan{
      "# Week plan of Rosa (born 9 August 1941)\n\n| | Morning | Evening |\n|---|---|---|\n| Monday | nurse 7:30 | Ron "
      "|\n| Tuesday | nurse 7:30 | Celia |\n",
      "plan\nWeek plan of Rosa (born 9 August 1941)", "Week plan of Rosa (born 9 August 1941)"};
  EXPECT_EQ(first_quote("When was Rosa born?", {plan}), "Week plan of Rosa (born 9 August 1941)");
}

TEST(Talks, PropertiesOfTheFileTellWhoWroteIt) {
  QuotePassage survey{"Three gauges were set up below the bridge. They measure every ten minutes.",
                      "tide\nTide survey of the estuary", "Tide survey of the estuary"};
  EXPECT_EQ(first_quote("Who wrote the tide survey?", {survey}), "");
  survey.author = "Ann Hale";
  survey.date = "2024-03-14";
  EXPECT_EQ(first_quote("Who wrote the tide survey?", {survey}), "Tide survey of the estuary: author: Ann Hale");
  EXPECT_EQ(first_quote("Who is the author of the tide survey?", {survey}),
            "Tide survey of the estuary: author: Ann Hale");
  EXPECT_EQ(first_quote("When was the tide survey written?", {survey}), "Tide survey of the estuary: date: 2024-03-14");
  EXPECT_EQ(first_quote("Who wrote the survey of the gauges?", {survey}), "") << "which is called otherwise";
}

}  // namespace
}  // namespace mneme::rag
