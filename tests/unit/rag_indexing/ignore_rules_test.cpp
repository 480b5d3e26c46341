#include "rag/indexing/ignore_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

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

TEST(Glob, SetsAreThoseOfGit) {
  const auto members = [](std::string_view pattern) {
    std::string found;
    for (const char c : std::string_view("-/09AZ[\\]_az\xc3"))
      found += glob_match(pattern, {&c, 1}) ? std::string(1, c) : "";
    return found;
  };
  EXPECT_EQ(members("[a-z]"), "az");
  EXPECT_EQ(members("[az]"), "az");
  EXPECT_EQ(members("[!a-z]"), "-09AZ[\\]_\xc3") << "a slash is in none";
  EXPECT_EQ(members("[^0-9]"), "-AZ[\\]_az\xc3");
  EXPECT_EQ(members("[]a]"), "]a") << "a bracket at the beginning is a member";
  EXPECT_EQ(members("[!]a]"), "-09AZ[\\_z\xc3");
  EXPECT_EQ(members("[a-]"), "-a") << "a hyphen at the end is one";
  EXPECT_EQ(members("[-a]"), "-a");
  EXPECT_EQ(members("[0-9A-Z_]"), "09AZ_");
  EXPECT_EQ(members("[\\]]"), "]");
  EXPECT_EQ(members("[\\\\]"), "\\");
  EXPECT_EQ(members("[\\a-\\z]"), "az");
  EXPECT_EQ(members("[z-a]"), "z");
  EXPECT_EQ(members("[[:digit:]]"), "09");
  EXPECT_EQ(members("[![:alnum:]_]"), "-[\\]\xc3");
  EXPECT_EQ(members("[[:upper:]a]"), "AZa");
  EXPECT_EQ(members("[[:nosuch:]]"), "");
  EXPECT_TRUE(glob_match("Icon[\r]", "Icon\r"));
  EXPECT_TRUE(glob_match("x[0-9].[[:alpha:]]*", "x7.txt"));
  for (const char* open : {"a[", "a[b", "a[]", "a[!", "a[!]", "a[b-", "a[[:", "a[[:digit:"})
    EXPECT_TRUE(glob_match(open, open)) << open;
  EXPECT_FALSE(glob_match("a[\\", "a[")) << "which is only looked at";
  EXPECT_FALSE(glob_match("[b", "b")) << "what is not closed is no set";
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
  IgnoreRules odd;
  odd.add("\xEF\xBB\xBF\\#a\n\\!b\ntrailing   \nkept\\ \n/\n" + std::string(1001, 'x') + "\n" + std::string(1000, 'y'));
  EXPECT_EQ(odd.match("#a", false), Verdict::kIgnore) << "behind the mark of its encoding";
  EXPECT_EQ(odd.match("!b", false), Verdict::kIgnore);
  EXPECT_EQ(odd.match("trailing", false), Verdict::kIgnore);
  EXPECT_EQ(odd.match("kept ", false), Verdict::kIgnore);
  EXPECT_EQ(odd.match("anything", true), Verdict::kNone);
  EXPECT_EQ(odd.match(std::string(1001, 'x'), false), Verdict::kNone) << "longer than anybody writes one";
  EXPECT_EQ(odd.match(std::string(1000, 'y'), false), Verdict::kIgnore);
}

}  // namespace
}  // namespace mneme::rag
