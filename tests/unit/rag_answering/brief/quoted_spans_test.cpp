// Runs of whole words of a text, against the plain definition.
#include "rag/answering/brief/quoted_spans.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <string>
#include <string_view>

namespace mneme::rag {
namespace {

QuotedSpans spans_of(std::string_view text) {
  return QuotedSpans(std::array{text});
}

TEST(QuotedSpansTest, WholeWordsOnly) {
  const QuotedSpans spans = spans_of("The bins (grey ones) are emptied on Thursday.");
  for (const char* words : {"Thursday", "on Thursday", "grey ones", "The bins", "Thursday.", "(grey ones)"}) {
    EXPECT_EQ(spans.where(words), 0) << words;
  }
  for (const char* words : {"", " ", "Thurs", "hursday", "bins grey", " Thursday", "Thursday ", "thursday", "Friday"}) {
    EXPECT_EQ(spans.where(words), -1) << words;
  }
}

TEST(QuotedSpansTest, WhatMayStillBecomeARun) {
  const QuotedSpans spans = spans_of("The bins are emptied on Thursday.");
  for (const char* begun : {"", "T", "Thurs", "on Thur", "emptied on "}) EXPECT_TRUE(spans.may_begin(begun)) << begun;
  for (const char* never : {"hurs", "ins", "Thursdays", "bins  are", "on on"})
    EXPECT_FALSE(spans.may_begin(never)) << never;
}

TEST(QuotedSpansTest, TheFirstTextThatHoldsIt) {
  const QuotedSpans spans(std::array<std::string_view, 3>{"Kelby pier", "Tarnholm pier", "pier of Kelby"});
  EXPECT_EQ(spans.where("Tarnholm"), 1);
  EXPECT_EQ(spans.where("pier"), 0);
  EXPECT_EQ(spans.where("of Kelby"), 2);
  EXPECT_EQ(spans.where("pier Tarnholm"), -1) << "no run goes on from one text into the next";
}

TEST(QuotedSpansTest, SpaceIsSpaceAndCharactersStayWhole) {
  EXPECT_EQ(spans_of("north\n   pier").where("north pier"), 0);
  const QuotedSpans spans = spans_of("東京タワーは333メートルです。");
  EXPECT_EQ(spans.where("東京タワー"), 0) << "scripts that do not part words";
  EXPECT_EQ(spans.where("333メートル"), 0);
  EXPECT_EQ(spans.where(std::string_view("東").substr(0, 2)), -1);
  EXPECT_TRUE(spans.may_begin(std::string_view("東").substr(0, 2)));
  EXPECT_FALSE(spans.may_begin(std::string_view("東").substr(1)));
}

// Every run of whole words of random texts is found, and no other text of the same letters.
TEST(QuotedSpansTest, ExactlyTheRunsOfWords) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::string> words(12);
    for (std::string& word : words) {
      for (int i = static_cast<int>(random() % 3); i >= 0; --i) word += static_cast<char>('a' + random() % 2);
    }
    std::string text;
    std::set<std::string> runs;
    for (size_t from = 0; from < words.size(); ++from) {
      text += (text.empty() ? "" : " ") + words[from];
      std::string run;
      for (size_t to = from; to < words.size(); ++to) runs.insert(run += (run.empty() ? "" : " ") + words[to]);
    }
    const QuotedSpans spans = spans_of(text);
    for (size_t from = 0; from < text.size(); ++from) {
      for (size_t n = 1; from + n <= text.size(); ++n) {
        const std::string part = text.substr(from, n);
        const bool is_run = runs.contains(part);
        EXPECT_EQ(spans.where(part) == 0, is_run) << "'" << part << "' of " << text;
        EXPECT_TRUE(spans.may_begin(part) || !is_run) << "'" << part << "' of " << text;
      }
    }
  }
}

}  // namespace
}  // namespace mneme::rag
