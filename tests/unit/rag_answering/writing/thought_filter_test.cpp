#include "rag/answering/writing/thought_filter.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace mneme::rag {
namespace {

struct Parted {
  std::string thought;
  std::string answer;
  bool operator==(const Parted&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Parted& parted) {
  return out << "'" << parted.thought << "' | '" << parted.answer << "'";
}

// The text in pieces of random lengths.
Parted part(std::string_view text, bool begun, uint64_t seed) {
  Random random(seed);
  ThoughtFilter filter(begun);
  std::string answer;
  for (size_t at = 0; at < text.size();) {
    const size_t length = std::min<size_t>(1 + random.below(9), text.size() - at);
    answer += filter.add(text.substr(at, length));
    at += length;
  }
  answer += filter.finish(true);
  return {filter.thought(), answer};
}

TEST(ThoughtFilter, PartsThoughtsFromAnswersHoweverTheyCome) {
  const struct {
    const char* text;
    bool begun;
    Parted expected;
  } cases[] = {
      {"The ferry leaves at 6. [1]", false, {"", "The ferry leaves at 6. [1]"}},
      {"<think>\nIt says six.\n</think>\n\nAt 6. [1]", false, {"It says six.", "\n\nAt 6. [1]"}},
      {"\n <think>hm</think>At 6.", false, {"hm", "At 6."}},
      {"<think>\n\n</think>\n\nAt 6.", false, {"", "\n\nAt 6."}},
      {"It says six.\n</think>\n\nAt 6.", true, {"It says six.", "\n\nAt 6."}},
      {"It says six.\n[/THINK]At 6.", true, {"It says six.", "At 6."}},
      {"<thought>a </think> b</thought>c", false, {"a </think> b", "c"}},
      {"[THINK]a[/THINK]b", false, {"a", "b"}},
      {"<seed:think>a</seed:think>b", false, {"a", "b"}},
      // What only looks like a marker, or stands further on, is text.
      {"<thin ice>", false, {"", "<thin ice>"}},
      {"<thi", false, {"", "<thi"}},
      {"Write <think> first.", false, {"", "Write <think> first."}},
      {"<think>a < b </ c</think>d", false, {"a < b </ c", "d"}},
      // Ended before the thought did: it was the answer.
      {"<think>At 6.", false, {"", "At 6."}},
      {"At 6.\n", true, {"", "At 6."}},
      {"", true, {"", ""}},
      {"", false, {"", ""}},
  };
  for (const auto& one : cases) {
    for (uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(part(one.text, one.begun, seed), one.expected) << one.text;
  }
}

TEST(ThoughtFilter, SaysWhileTheModelThinks) {
  ThoughtFilter filter(false);
  EXPECT_EQ(filter.add("<thi"), "");
  EXPECT_FALSE(filter.inside());
  EXPECT_EQ(filter.add("nk>so"), "");
  EXPECT_TRUE(filter.inside());
  EXPECT_EQ(filter.add("</think>x"), "x");
  EXPECT_FALSE(filter.inside());
  EXPECT_EQ(filter.add("</think>"), "</think>");
}

// A cancelled generation keeps what was thought as thought.
TEST(ThoughtFilter, WhatWasThoughtSoFarIsThere) {
  ThoughtFilter filter(true);
  filter.add("half a tho");
  filter.add("ught </thi");
  EXPECT_EQ(filter.finish(false), "");
  EXPECT_EQ(filter.thought(), "half a thought </thi");
  EXPECT_TRUE(filter.inside());
}

}  // namespace
}  // namespace mneme::rag
