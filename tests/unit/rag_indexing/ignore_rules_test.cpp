#include "rag/indexing/ignore_rules.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using Verdict = IgnoreRules::Verdict;

TEST(Glob, FollowsGit) {
  EXPECT_TRUE(glob_match("*.log", "a.log"));
  EXPECT_FALSE(glob_match("*.log", "a/b.log"));
  EXPECT_TRUE(glob_match("**/b.log", "b.log"));
  EXPECT_TRUE(glob_match("**/b.log", "x/y/b.log"));
  EXPECT_TRUE(glob_match("a/**/b", "a/b"));
  EXPECT_TRUE(glob_match("a/**/b", "a/x/y/b"));
  EXPECT_TRUE(glob_match("a/**", "a/x/y"));
  EXPECT_TRUE(glob_match("?.[ch]", "x.c"));
  EXPECT_FALSE(glob_match("?.[!ch]", "x.c"));
  EXPECT_TRUE(glob_match("[a-c]1", "b1"));
  EXPECT_TRUE(glob_match("\\*", "*"));
  EXPECT_FALSE(glob_match("\\*", "a"));
  EXPECT_TRUE(glob_match("[", "["));
  EXPECT_FALSE(glob_match("?", "/"));
  EXPECT_TRUE(glob_match("*", ""));
}

// `**/` stands for whole folders: "**/build" is not the end of another name.
TEST(Glob, FoldersInBetweenAreWhole) {
  EXPECT_TRUE(glob_match("**/build", "build"));
  EXPECT_TRUE(glob_match("**/build", "x/y/build"));
  EXPECT_FALSE(glob_match("**/build", "rebuild"));
  EXPECT_FALSE(glob_match("**/build", "x/rebuild"));
  EXPECT_FALSE(glob_match("a/**/b", "a/xb"));
  EXPECT_FALSE(glob_match("a/**/b", "a/x/yb"));
  EXPECT_TRUE(glob_match("a/**/*.pdf", "a/x/y.pdf"));
  EXPECT_TRUE(glob_match("**/x/*.md", "x/x/a.md"));
  EXPECT_FALSE(glob_match("a/**", "a"));
  EXPECT_FALSE(glob_match("a**", "ab/c")) << "beside a name two stars are one";
  EXPECT_TRUE(glob_match("a**c", "abc"));
}

// Trying every way to part the name would take years.
TEST(Glob, HostilePatternsTakeNoTime) {
  const std::string pattern(200, '*');
  std::string stars;
  for (int i = 0; i < 100; ++i) stars += "*a";
  EXPECT_FALSE(glob_match(stars + "b", std::string(2000, 'a')));
  EXPECT_TRUE(glob_match(pattern, std::string(2000, 'a')));
}

TEST(IgnoreRules, LastRuleDecides) {
  IgnoreRules rules;
  rules.add("# comment\n*.tmp\r\n!keep.tmp\nbuild/\n/top.txt\ndocs/*.pdf\n\n");
  EXPECT_EQ(rules.match("a.tmp", false), Verdict::kIgnore);
  EXPECT_EQ(rules.match("x/a.tmp", false), Verdict::kIgnore);
  EXPECT_EQ(rules.match("keep.tmp", false), Verdict::kInclude);
  EXPECT_EQ(rules.match("x/build", true), Verdict::kIgnore);
  EXPECT_EQ(rules.match("build", false), Verdict::kNone);
  EXPECT_EQ(rules.match("top.txt", false), Verdict::kIgnore);
  EXPECT_EQ(rules.match("x/top.txt", false), Verdict::kNone);
  EXPECT_EQ(rules.match("docs/a.pdf", false), Verdict::kIgnore);
  EXPECT_EQ(rules.match("x/docs/a.pdf", false), Verdict::kNone);
  EXPECT_EQ(rules.match("a.md", false), Verdict::kNone);
}

}  // namespace
}  // namespace mneme::rag
