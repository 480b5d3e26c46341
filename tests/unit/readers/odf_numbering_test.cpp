// The numbers that OpenDocument counts out for lists and headings.
#include "rag/readers/office/odf_numbering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/readers/office_package.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::make_zip;
using test::Members;
using test::odt_parts;
using test::part_of;
using test::read_text;
using ::testing::HasSubstr;
using ::testing::Not;

std::string level(int number, const std::string& more) {
  return "<text:list-level-style-number text:level=\"" + std::to_string(number) + "\" " + more + "/>";
}

std::string list_style(const std::string& name, const std::string& levels) {
  return "<text:list-style style:name=\"" + name + "\">" + levels + "</text:list-style>";
}

std::string list(const std::string& attributes, const std::string& items) {
  return "<text:list " + attributes + ">" + items + "</text:list>";
}

std::string of_style(const std::string& name) {
  return "text:style-name=\"" + name + "\"";
}

// said: paragraphs, lists.
std::string item(const std::string& said, const std::string& attributes = {}) {
  return "<text:list-item " + attributes + ">" + said + "</text:list-item>";
}

std::string p(const std::string& words, const std::string& style = {}) {
  return "<text:p text:style-name=\"" + style + "\">" + words + "</text:p>";
}

std::string heading(int level, const std::string& words, const std::string& more = {}) {
  return "<text:h text:outline-level=\"" + std::to_string(level) + "\" " + more + ">" + words + "</text:h>";
}

// What the reader makes of a body. styles: of styles.xml.
std::string text_with(const std::string& body, const std::string& automatic, const std::string& styles = {}) {
  constexpr std::string_view kSpaces =
      " xmlns:office=\"o\" xmlns:text=\"t\" xmlns:style=\"s\" xmlns:table=\"b\" xmlns:draw=\"d\" xmlns:xml=\"x\"";
  Members parts = odt_parts();
  part_of(parts, "content.xml") = std::string("<office:document-content").append(kSpaces) +
                                  "><office:automatic-styles>" + automatic +
                                  "</office:automatic-styles><office:body><office:text>" + body +
                                  "</office:text></office:body></office:document-content>";
  part_of(parts, "styles.xml") = std::string("<office:document-styles").append(kSpaces) + "><office:styles>" + styles +
                                 "</office:styles></office:document-styles>";
  return read_text("a.odt", make_zip(parts)).text;
}

const std::string kDecimal = "style:num-format=\"1\" style:num-suffix=\".\"";
const std::string kLetters = "style:num-format=\"a\" style:num-prefix=\"(\" style:num-suffix=\")\"";

TEST(OdfNumbering, ItemsOfListsHaveTheNumbersTheyAreCitedBy) {
  const std::string text = text_with(
      list(of_style("L1"), item(p("Rent") + list("", item(p("is due")) + item(p("is late"))) + p("More of it.")) +
                               item(p("Heating") + list("", item(p("is included"))))),
      list_style("L1", level(1, kDecimal) + level(2, kLetters)));
  EXPECT_THAT(text, HasSubstr("1. Rent"));
  EXPECT_THAT(text, HasSubstr("(a) is due"));
  EXPECT_THAT(text, HasSubstr("(b) is late"));
  EXPECT_THAT(text, HasSubstr("- More of it.")) << "an item's number is that of its first paragraph";
  EXPECT_THAT(text, HasSubstr("2. Heating"));
  EXPECT_THAT(text, HasSubstr("(a) is included")) << "it begins anew below the next item";
}

TEST(OdfNumbering, SignsAreNoNumbers) {
  const std::string bullet = "<text:list-level-style-bullet text:level=\"1\" text:bullet-char=\"x\"/>";
  const std::string text = text_with(list(of_style("L1"), item(p("Rent"))) + list(of_style("nowhere"), item(p("Heat"))),
                                     list_style("L1", bullet));
  EXPECT_THAT(text, HasSubstr("- Rent"));
  EXPECT_THAT(text, HasSubstr("- Heat"));
}

TEST(OdfNumbering, ListsGoOnWhereTheySay) {
  const std::string text =
      text_with(list(of_style("L1") + " xml:id=\"first\"", item(p("a")) + item(p("b"))) + p("Between.") +
                    list(of_style("L1") + " text:continue-numbering=\"true\"", item(p("c"))) +
                    list(of_style("L1"), item(p("d")) + item(p("e"), "text:start-value=\"7\"") + item(p("f"))) +
                    list(of_style("L1") + " text:continue-list=\"first\"", item(p("g"))),
                list_style("L1", level(1, kDecimal + " text:start-value=\"3\"")));
  for (const char* const said : {"3. a", "4. b", "5. c", "3. d", "7. e", "8. f", "6. g"}) {
    EXPECT_THAT(text, HasSubstr(said));
  }
}

TEST(OdfNumbering, ClausesAreTextBehindTheirNumbers) {
  const std::string text =
      text_with(list(of_style("L1"), item(p("Rent") + list("", item(p("It is due on the third."))))) +
                    list(of_style("L1") + " text:continue-numbering=\"true\"",
                         item(list("", item(p("It is late on the fifth."))))),
                list_style("L1", level(1, "style:num-format=\"I\" style:num-prefix=\"Article \"") +
                                     level(2, "style:num-format=\"1\" text:display-levels=\"2\"")));
  EXPECT_THAT(text, HasSubstr("Article I Rent"));
  EXPECT_THAT(text, HasSubstr("I.1 It is due on the third."));
  EXPECT_THAT(text, HasSubstr("I.2 It is late on the fifth.")) << "an item without words of its own is not counted";
  EXPECT_THAT(text, Not(HasSubstr("- I.1")));
}

TEST(OdfNumbering, HeadingsHaveThoseOfTheOutline) {
  const auto outline = [](int at, const std::string& more) {
    return "<text:outline-level-style text:level=\"" + std::to_string(at) + "\" " + more + "/>";
  };
  const std::string text =
      text_with(heading(1, "Rent") + heading(2, "When") + heading(2, "<text:number>1.2</text:number>How") +
                    heading(1, "Preface", "text:is-list-header=\"true\"") + heading(1, "Heating") + heading(2, "Gas"),
                "",
                "<text:outline-style>" + outline(1, "style:num-format=\"1\"") +
                    outline(2, "style:num-format=\"1\" text:display-levels=\"2\"") + "</text:outline-style>");
  for (const char* const said : {"1 Rent", "1.1 When", "1.2 How", "2 Heating", "2.1 Gas"}) {
    EXPECT_THAT(text, HasSubstr(said));
  }
  EXPECT_THAT(text, Not(HasSubstr("2 Preface")));
  EXPECT_THAT(text, Not(HasSubstr("1.21.2"))) << "what a program counted beforehand is not said twice";
}

TEST(OdfNumbering, StylesOfParagraphsMayNameTheList) {
  const auto style = [](const std::string& name, const std::string& more) {
    return "<style:style style:name=\"" + name + "\" " + more + "/>";
  };
  const std::string text = text_with(
      list("", item(p("Rent", "P1")) + item(p("Heating", "P1"))), style("P1", "style:parent-style-name=\"Clause\""),
      style("Clause", "style:list-style-name=\"N\"") + list_style("N", level(1, kDecimal)));
  EXPECT_THAT(text, HasSubstr("1. Rent"));
  EXPECT_THAT(text, HasSubstr("2. Heating"));
}

TEST(OdfNumbering, PagesEndWithinListsOfCells) {
  const std::string broken = "<text:soft-page-break/>";
  Members parts = odt_parts();
  part_of(parts, "content.xml") =
      "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"b\"><office:body><office:text>"
      "<table:table><table:table-row><table:table-cell><text:list><text:list-item>" +
      p("one") + broken + p("two") + "</text:list-item>" + broken + item(p("three")) +
      "</text:list></table:table-cell></table:table-row></table:table>" + p("Behind.") +
      "</office:text></office:body></office:document-content>";
  const rag::Document document = read_text("a.odt", make_zip(parts));
  const auto behind = std::find_if(document.blocks.begin(), document.blocks.end(), [&](const rag::Block& block) {
    return document.text.substr(block.byte_begin, block.byte_end - block.byte_begin) == "Behind.";
  });
  ASSERT_NE(behind, document.blocks.end());
  EXPECT_EQ(behind->page, 3);
}

TEST(OdfNumbering, CellsAndTextBoxesCountByThemselves) {
  const std::string box =
      "<draw:frame><draw:text-box>" + list(of_style("L1"), item(p("in the box"))) + "</draw:text-box></draw:frame>";
  const std::string cell = "<table:table-cell>" + list(of_style("L1"), item(p("in a cell")) + item(p("again"))) +
                           "</table:table-cell><table:table-cell>" + p("beside") + "</table:table-cell>";
  const std::string text = text_with(list(of_style("L1"), item(p("Rent" + box)) + item(p("Heating"))) +
                                         "<table:table><table:table-row>" + cell + "</table:table-row></table:table>",
                                     list_style("L1", level(1, kDecimal)));
  EXPECT_THAT(text, HasSubstr("1. Rent"));
  EXPECT_THAT(text, HasSubstr("1. in the box"));
  EXPECT_THAT(text, HasSubstr("2. Heating"));
  EXPECT_THAT(text, HasSubstr("1. in a cell 2. again"));
}

}  // namespace
}  // namespace mneme::readers
