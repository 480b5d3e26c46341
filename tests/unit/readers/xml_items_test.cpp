// A part taken apart by pieces gives what it gives as a whole.
#include "rag/readers/office/xml_items.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace mneme::readers {
namespace {

struct Taken {
  std::vector<std::string> items{};
  std::string around{};
  Status status{};
  int n_pieces = 0;
};

std::string children_of(const pugi::xml_node& node) {
  std::string all;
  for (const pugi::xml_node child : node.children()) all += std::string(child.name()) + ";";
  return all;
}

// The part's bytes in pieces of random lengths up to `longest`.
Taken take(const std::string& part, size_t longest, Random& random, XmlList names = {"sheetData", "row"}) {
  Taken taken;
  XmlItems items(names, [&](const pugi::xml_node& list) {
    ++taken.n_pieces;
    for (const pugi::xml_node item : list.children()) {
      if (item.type() == pugi::node_element) taken.items.emplace_back(item.child_value("c"));
    }
  });
  for (size_t at = 0; at < part.size() && taken.status.ok();) {
    const size_t n = 1 + random.below(longest);
    taken.status = items.add(std::string_view(part).substr(at, n));
    at += n;
  }
  pugi::xml_document around;
  const Status status = items.finish(around);
  if (taken.status.ok()) taken.status = status;
  taken.around = children_of(around.document_element());
  return taken;
}

std::string rows(int n, const std::string& prefix, size_t padding) {
  std::string all;
  for (int i = 0; i < n; ++i) {
    all += "<" + prefix + "row r='" + std::to_string(i) + "'><c>" + std::to_string(i) + "</c><d>" +
           std::string(padding, 'x') + "</d></" + prefix + "row" + (i % 7 == 0 ? " " : "") + ">\n";
    if (i % 11 == 0) all += "<" + prefix + "rowBreaks/>";
  }
  return all;
}

TEST(XmlItems, AnyPiecesGiveWhatTheWholeGives) {
  Random random(1);
  for (const std::string prefix : {"", "x:"}) {
    const std::string list = prefix + "sheetData";
    const std::string part = "<?xml version='1.0'?><w><dims/><sheetDataNot/><" + list + " a='b'>" +
                             rows(40, prefix, 10) + "</" + list + "><merged/><page/></w>";
    for (int i = 0; i < 200; ++i) {
      const Taken taken = take(part, 1 + random.below(300), random);
      ASSERT_TRUE(taken.status.ok()) << taken.status.message();
      ASSERT_EQ(taken.items.size(), 44u);
      EXPECT_EQ(taken.items.back(), "39");
      EXPECT_EQ(taken.around, "dims;sheetDataNot;" + list + ";merged;page;");
    }
  }
}

TEST(XmlItems, ALongListComesInPieces) {
  Random random(2);
  const std::string part = "<w><sheetData>" + rows(5000, "", 1000) + "</sheetData></w>";
  const Taken taken = take(part, 256 << 10, random);
  ASSERT_TRUE(taken.status.ok()) << taken.status.message();
  EXPECT_GT(taken.n_pieces, 3);
  EXPECT_EQ(taken.items.size(), 5455u);
  for (size_t i = 1, row = 0; i < taken.items.size(); ++i) {
    if (taken.items[i].empty()) continue;
    ++row;
    EXPECT_EQ(taken.items[i], std::to_string(row));
  }
}

TEST(XmlItems, PartsWithoutTheListAreAllAround) {
  Random random(3);
  for (const std::string part : {"<w><a/><sheetData/><b/></w>", "<w><a/><b/></w>", "<w><sheetData /></w>"}) {
    const Taken taken = take(part, 5, random);
    EXPECT_TRUE(taken.status.ok()) << taken.status.message();
    EXPECT_TRUE(taken.items.empty());
    EXPECT_FALSE(taken.around.empty());
  }
}

TEST(XmlItems, OfADamagedPartComesWhatIsBeforeTheDamage) {
  Random random(4);
  const std::string whole = "<w><dims/><sheetData>" + rows(20, "", 5) + "</sheetData><page/></w>";
  for (size_t length = whole.find("<row") + 1; length + 1 < whole.size(); ++length) {
    const Taken cut = take(whole.substr(0, length), 40, random);
    EXPECT_EQ(cut.status.code(), StatusCode::kCorruption) << length;
    EXPECT_TRUE(cut.around.starts_with("dims;")) << length;
  }
  EXPECT_GE(take(whole.substr(0, whole.find("19</c>")), 40, random).items.size(), 19u);
  std::string wrong = whole;
  wrong.replace(wrong.find("<c>7"), 4, "<<<>");
  const Taken taken = take(wrong, 40, random);
  EXPECT_EQ(taken.status.code(), StatusCode::kCorruption);
  EXPECT_GE(taken.items.size(), 7u);
}

TEST(XmlItems, WhatIsLargeWithoutItemsIsRefused) {
  Random random(5);
  const std::string filler(size_t{97} << 20, 'x');
  for (const std::string& part :
       {"<w><a>" + filler, "<w><sheetData>" + filler, "<w><sheetData></sheetData>" + filler}) {
    EXPECT_EQ(take(part, 1 << 20, random).status.code(), StatusCode::kResource);
  }
}

}  // namespace
}  // namespace mneme::readers
