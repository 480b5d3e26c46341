#include "rag/text/documents/path_names.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace mneme::rag {
namespace {

const std::vector<std::string> kRoots = {"/home/anna/Papers"};

TEST(PathNamesTest, FoldersFromTheIndexedOneOn) {
  EXPECT_EQ(path_names("/home/anna/Papers/Invoices/ACME Tools/2024/march.txt", kRoots, "Invoice 1207"),
            "Papers > Invoices > ACME Tools > 2024 > march");
  EXPECT_EQ(path_names("/home/anna/Papers/notes.md", kRoots, "What I know"), "Papers > notes");
  EXPECT_EQ(path_names("/etc/motd.txt", std::vector<std::string>{"/"}, ""), "etc > motd");
}

TEST(PathNamesTest, TheFilesNameOnceWhereItIsTheTitle) {
  EXPECT_EQ(path_names("/home/anna/Papers/Taxes/summary.txt", kRoots, "summary"), "Papers > Taxes");
  EXPECT_EQ(path_names("/home/anna/Papers/Taxes/summary.txt", kRoots, "summary.txt"), "Papers > Taxes");
  EXPECT_EQ(path_names("/home/anna/Papers/ferry/ferry.txt", kRoots, "Timetable"), "Papers > ferry");
}

TEST(PathNamesTest, TheHighestOfSeveralRoots) {
  EXPECT_EQ(path_names("/a/b/c/d.txt", std::vector<std::string>{"/a/b/c", "/a/b", "/a/bc"}, ""), "b > c > d");
}

TEST(PathNamesTest, WithoutARootTheFolderOfTheFile) {
  EXPECT_EQ(path_names("/home/anna/Papers/a.txt", {}, ""), "Papers > a");
  EXPECT_EQ(path_names("/home/anna/Papers/a.txt", std::vector<std::string>{"/home/anna/Papers/a.txt"}, ""),
            "Papers > a");
  EXPECT_EQ(path_names("/a.txt", {}, ""), "a");
  EXPECT_EQ(path_names("a.txt", {}, ""), "a");
  EXPECT_EQ(path_names("", {}, ""), "");
}

TEST(PathNamesTest, ArchivesAreFolders) {
  EXPECT_EQ(path_names("/home/anna/Papers/mail 2023.zip!/sent/a.eml", kRoots, ""), "Papers > mail 2023 > sent > a");
  EXPECT_EQ(path_names("/home/anna/Papers/log.gz!/log", kRoots, ""), "Papers > log");
  EXPECT_EQ(path_names("/x/mail.zip!/a.md", std::vector<std::string>{"/x/mail.zip"}, ""), "x > mail > a");
}

TEST(PathNamesTest, BoundedAndUtf8WhateverThePath) {
  std::string deep = "/r";
  for (int i = 0; i < 40; ++i) deep += "/f" + std::to_string(i);
  EXPECT_EQ(path_names(deep + "/x.txt", std::vector<std::string>{"/r"}, ""),
            "f33 > f34 > f35 > f36 > f37 > f38 > f39 > x");
  const std::string wide = "/r/" + std::string(4000, 'w') + "/caf\xe9.txt";
  const std::string names = path_names(wide, std::vector<std::string>{"/r"}, "");
  EXPECT_LT(names.size(), 200u);
  EXPECT_TRUE(utf8::valid(names));
}

TEST(PathNamesTest, ATitleThatIsOnlyTheFilesNameHasItsFolders) {
  const std::string names = "Papers > Invoices > ACME Tools > 2024";
  EXPECT_EQ(title_with_folders("march", "/p/Papers/Invoices/ACME Tools/2024/march.txt", names),
            "ACME Tools > 2024 > march");
  EXPECT_EQ(title_with_folders("march.txt", "/p/Papers/Taxes/march.txt", "Papers > Taxes"), "Taxes > march.txt");
  EXPECT_EQ(title_with_folders("Invoice 1207", "/p/Papers/ACME/march.txt", names), "Invoice 1207");
  EXPECT_EQ(title_with_folders("march", "/p/Papers/march.txt", "Papers"), "march");
  EXPECT_EQ(title_with_folders("march", "/p/Papers/march.txt", ""), "march");
}

TEST(PathNamesTest, LyingBelow) {
  EXPECT_TRUE(lies_in("/a/b", "/a"));
  EXPECT_TRUE(lies_in("/a.zip!/b", "/a.zip"));
  EXPECT_TRUE(lies_in("/a", "/a"));
  EXPECT_TRUE(lies_in("/a", "/"));
  EXPECT_FALSE(lies_in("/ab", "/a"));
}

}  // namespace
}  // namespace mneme::rag
