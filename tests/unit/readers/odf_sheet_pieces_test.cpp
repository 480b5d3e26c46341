// A spreadsheet taken apart by pieces gives what it gives as a whole.
#include "rag/readers/office/odf_sheet_pieces.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "rag/readers/office/zip_package.h"

namespace mneme::readers {
namespace {

struct Taken {
  std::vector<std::vector<std::string>> sheets{{}};  // texts of rows, of each sheet
  int n_pieces = 0;
  std::string head;
  Status status;
};

void take_rows(const pugi::xml_node& node, std::vector<std::string>& rows) {
  for (const pugi::xml_node child : node.children()) {
    if (local_name(child) == "table-row") {
      rows.emplace_back(child.child_value("c"));
    } else if (local_name(child).starts_with("table-")) {
      take_rows(child, rows);
    }
  }
}

// The content's bytes in pieces of random lengths up to `longest`.
Taken take(const std::string& content, size_t longest, Random& random) {
  Taken taken;
  OdfSheetPieces pieces([&](std::unique_ptr<pugi::xml_document> piece, bool is_last) {
    ++taken.n_pieces;
    EXPECT_EQ(local_name(piece->document_element()), "table");
    take_rows(piece->document_element(), taken.sheets.back());
    if (is_last) taken.sheets.emplace_back();
    return Status();
  });
  for (size_t at = 0; at < content.size() && taken.status.ok();) {
    const size_t n = 1 + random.below(longest);
    taken.status = pieces.add(std::string_view(content).substr(at, n));
    at += n;
  }
  if (taken.status.ok()) taken.status = pieces.finish();
  taken.head = pieces.head();
  return taken;
}

std::string row(const std::string& prefix, const std::string& text) {
  return "<" + prefix + "table-row a='>'><c>" + text + "</c></" + prefix + "table-row>\n";
}

std::string workbook(const std::string& tables) {
  return "<?xml version='1.0'?><content><styles><s n='x'/></styles><body><spreadsheet>" + tables +
         "<named/></spreadsheet></body></content>";
}

TEST(OdfSheetPieces, AnyPiecesGiveWhatTheWholeGives) {
  Random random(1);
  for (const std::string prefix : {"", "t:"}) {
    const std::string open = "<" + prefix;
    const std::string close = "</" + prefix;
    const std::string first =
        open + "table n='1'>" + open + "shapes>" + open + "table>" + row(prefix, "nested") + close + "table>" + close +
        "shapes><!-- </table> -->" + open + "table-header-rows>" + row(prefix, "a") + close + "table-header-rows>" +
        open + "table-row-group>" + open + "table-row-group x='1'>" + row(prefix, "b") + row(prefix, "c") + close +
        "table-row-group>" + row(prefix, "d") + close + "table-row-group>" + open + "table-row/>" + close + "table>";
    const std::string all =
        workbook(first + open + "table n='2'/>" + open + "table>" + row(prefix, "e") + close + "table>");
    for (const size_t longest : {size_t{1}, size_t{7}, size_t{64}, all.size()}) {
      const Taken taken = take(all, longest, random);
      EXPECT_TRUE(taken.status.ok()) << taken.status.message();
      EXPECT_EQ(taken.sheets, (std::vector<std::vector<std::string>>{{"a", "b", "c", "d", ""}, {}, {"e"}, {}}));
      EXPECT_TRUE(taken.head.ends_with("<spreadsheet>")) << taken.head;
    }
  }
}

TEST(OdfSheetPieces, ALongTableComesInPiecesWithTheGroupsAroundIts) {
  std::string rows;
  std::vector<std::string> wanted;
  for (int i = 0; i < 60; ++i) {
    wanted.push_back(std::to_string(i) + std::string(100'000, 'x'));
    rows += row("t:", wanted.back());
    if (i == 20) rows += "<t:table-row-group>";
    if (i == 50) rows += "</t:table-row-group>";
  }
  Random random(2);
  const Taken taken = take(workbook("<t:table>" + rows + "</t:table>"), 300'000, random);
  EXPECT_TRUE(taken.status.ok()) << taken.status.message();
  EXPECT_GE(taken.n_pieces, 5);
  EXPECT_EQ(taken.sheets.front(), wanted);
}

TEST(OdfSheetPieces, WhatIsDamagedOrNoSpreadsheetSaysSo) {
  Random random(3);
  const auto code = [&](const std::string& content) { return take(content, 9, random).status.code(); };
  EXPECT_EQ(code(workbook("<table>" + row("", "a"))), StatusCode::kCorruption);
  EXPECT_EQ(code(workbook("<table><table-row><c></table-row></table>")), StatusCode::kCorruption);
  EXPECT_EQ(code("<body><text><table>" + row("", "a") + "</table></text></body>"), StatusCode::kCorruption);
  EXPECT_EQ(code(workbook("")), StatusCode::kOk);
}

}  // namespace
}  // namespace mneme::readers
