// The numbers that Word counts out for paragraphs.
#include "rag/readers/office/docx_numbering.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/readers/office_package.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::make_zip;
using test::Members;
using test::part_of;
using test::read_text;

std::string level(int number, const std::string& format, const std::string& text, const std::string& more = {}) {
  return "<w:lvl w:ilvl=\"" + std::to_string(number) + "\"><w:start w:val=\"1\"/><w:numFmt w:val=\"" + format + "\"/>" +
         more + "<w:lvlText w:val=\"" + text + "\"/></w:lvl>";
}

std::string list(const std::string& id, const std::string& levels) {
  return "<w:abstractNum w:abstractNumId=\"" + id + "\">" + levels + "</w:abstractNum>";
}

std::string instance(const std::string& id, const std::string& list, const std::string& overrides = {}) {
  return "<w:num w:numId=\"" + id + "\"><w:abstractNumId w:val=\"" + list + "\"/>" + overrides + "</w:num>";
}

std::string in_list(const std::string& instance, int level) {
  return "<w:numPr><w:ilvl w:val=\"" + std::to_string(level) + "\"/><w:numId w:val=\"" + instance + "\"/></w:numPr>";
}

// A paragraph's properties as the reader meets them.
class Numbering {
 public:
  explicit Numbering(const std::string& lists, const std::string& styles = {}) {
    pugi::xml_document numbering_part;
    pugi::xml_document styles_part;
    numbering_part.load_string(("<w:numbering xmlns:w=\"w\">" + lists + "</w:numbering>").c_str());
    styles_part.load_string(("<w:styles xmlns:w=\"w\">" + styles + "</w:styles>").c_str());
    numbering_.read(numbering_part, styles_part);
  }

  ListPlace count(const std::string& properties) {
    pugi::xml_document paragraph;
    paragraph.load_string(("<w:pPr xmlns:w=\"w\">" + properties + "</w:pPr>").c_str());
    return numbering_.count(paragraph.document_element());
  }
  std::string number(const std::string& properties) { return count(properties).number; }

 private:
  DocxNumbering numbering_;
};

TEST(DocxNumbering, LevelsCountAndBeginAnewBelowHigherOnes) {
  Numbering numbering(list("0", level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") +
                                    level(2, "lowerLetter", "(%3)") + level(3, "lowerRoman", "(%4)")) +
                      instance("1", "0"));
  std::vector<std::string> numbers;
  for (const int at : {0, 1, 2, 2, 3, 3, 1, 0, 1, 2}) numbers.push_back(numbering.number(in_list("1", at)));
  EXPECT_EQ(numbers, (std::vector<std::string>{"1.", "1.1", "(a)", "(b)", "(i)", "(ii)", "1.2", "2.", "2.1", "(a)"}));
}

TEST(DocxNumbering, StylesNumberTheirParagraphs) {
  const auto style = [](const std::string& id, const std::string& based_on, const std::string& numbering) {
    return "<w:style w:styleId=\"" + id + "\"><w:basedOn w:val=\"" + based_on + "\"/><w:pPr>" + numbering +
           "</w:pPr></w:style>";
  };
  const std::string named = "<w:numPr><w:numId w:val=\"1\"/></w:numPr>";
  Numbering numbering(list("0", level(0, "upperRoman", "Article %1", "<w:pStyle w:val=\"H1\"/>") +
                                    level(1, "decimal", "%1.%2", "<w:isLgl/><w:pStyle w:val=\"H2\"/>")) +
                          instance("1", "0"),
                      style("H1", "", named) + style("H2", "", named) + style("Own", "H2", ""));
  const auto of_style = [](const std::string& id) { return "<w:pStyle w:val=\"" + id + "\"/>"; };
  EXPECT_EQ(numbering.number(of_style("H1")), "Article I");
  EXPECT_EQ(numbering.number(of_style("H1")), "Article II");
  EXPECT_EQ(numbering.number(of_style("H2")), "2.1");
  EXPECT_EQ(numbering.number(of_style("Own")), "2.2");
  EXPECT_EQ(numbering.number(of_style("H2") + "<w:numPr><w:numId w:val=\"0\"/></w:numPr>"), "");
  EXPECT_EQ(numbering.number(of_style("H2")), "2.3");
  EXPECT_FALSE(numbering.count(of_style("Text")).is_listed);
}

TEST(DocxNumbering, InstancesGoOnOrBeginWhereTheySay) {
  Numbering numbering(list("0", level(0, "decimal", "%1)")) + instance("1", "0") + instance("2", "0") +
                      instance("3", "0", "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"7\"/></w:lvlOverride>"));
  EXPECT_EQ(numbering.number(in_list("1", 0)), "1)");
  EXPECT_EQ(numbering.number(in_list("2", 0)), "2)");
  EXPECT_EQ(numbering.number(in_list("3", 0)), "7)");
  EXPECT_EQ(numbering.number(in_list("3", 0)), "8)");
}

TEST(DocxNumbering, ClausesAreToldFromItemsAndSigns) {
  Numbering numbering(list("0", level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2")) +
                      list("1", level(0, "bullet", "*")) + list("2", level(0, "decimal", "§ %1")) + instance("1", "0") +
                      instance("2", "1") + instance("3", "2"));
  EXPECT_FALSE(numbering.count(in_list("1", 0)).is_clause);
  EXPECT_TRUE(numbering.count(in_list("1", 1)).is_clause);
  const ListPlace sign = numbering.count(in_list("2", 0));
  EXPECT_TRUE(sign.is_listed && sign.number.empty() && !sign.is_clause);
  EXPECT_EQ(numbering.count(in_list("3", 0)).number, "§ 1");
  EXPECT_TRUE(numbering.count(in_list("3", 0)).is_clause);
}

TEST(DocxNumbering, AbsurdListsAreHarmless) {
  Numbering numbering(
      list("0", "<w:lvl w:ilvl=\"77\"/><w:lvl/>" + level(0, "upperLetter", "%9%1%", "<w:lvlRestart w:val=\"-5\"/>") +
                    level(1, "lowerRoman", std::string(5000, 'x'))) +
      instance("1", "0", "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"2000000000\"/></w:lvlOverride>") +
      instance("2", "none"));
  EXPECT_FALSE(numbering.number(in_list("1", 0)).empty());
  EXPECT_EQ(numbering.number(in_list("1", 1)), "");
  EXPECT_TRUE(numbering.count(in_list("1", -4)).is_listed);
  EXPECT_TRUE(numbering.count(in_list("2", 99)).is_listed);
}

TEST(DocxNumbering, NumbersStandBeforeHeadingsClausesItemsAndInCells) {
  Members members = test::docx_parts();
  const auto paragraph = [](const std::string& properties, const std::string& text) {
    return "<w:p><w:pPr>" + properties + "</w:pPr><w:r><w:t>" + text + "</w:t></w:r></w:p>";
  };
  part_of(members, "word/document.xml") =
      "<w:document xmlns:w=\"w\"><w:body>" +
      paragraph("<w:pStyle w:val=\"Heading1\"/>" + in_list("1", 0), "Termination") +
      paragraph(in_list("1", 1), "Either party may terminate.") + "<w:p><w:pPr><w:rPr><w:del/></w:rPr>" +
      in_list("1", 1) + "</w:pPr></w:p>" + paragraph(in_list("1", 1), "Notice is in writing:") +
      paragraph(in_list("2", 0), "by letter") + paragraph(in_list("2", 0), "by fax") + "<w:tbl><w:tr><w:tc>" +
      "<w:p><w:pPr>" + in_list("3", 0) + "</w:pPr></w:p></w:tc><w:tc>" + paragraph("", "Pump") +
      "</w:tc></w:tr></w:tbl></w:body></w:document>";
  part_of(members, "word/numbering.xml") =
      "<w:numbering xmlns:w=\"w\">" + list("0", level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2")) +
      list("1", level(0, "lowerLetter", "%1)")) + list("2", level(0, "decimal", "%1")) + instance("1", "0") +
      instance("2", "1") + instance("3", "2") + "</w:numbering>";
  const std::string text = read_text("a.docx", make_zip(members)).text;
  EXPECT_TRUE(
      text.starts_with("1. Termination\n\n1.1 Either party may terminate.\n\n1.2 Notice is in writing:\n\n"
                       "a) by letter\nb) by fax\n\n1 | Pump"))
      << text;
}

TEST(DocxNumbering, OtherScripts) {
  const auto numbers = [](const std::string& format, int n) {
    Numbering numbering(list("0", level(0, format, "%1")) + instance("1", "0"));
    std::string last;
    for (int i = 0; i < n; ++i) last = numbering.number(in_list("1", 0));
    return last;
  };
  EXPECT_EQ(numbers("chineseCountingThousand", 3), "三");
  EXPECT_EQ(numbers("japaneseCounting", 12), "十二");
  EXPECT_EQ(numbers("chineseCounting", 20), "二十");
  EXPECT_EQ(numbers("chineseCountingThousand", 103), "一百零三");
  EXPECT_EQ(numbers("ideographDigital", 10), "一〇");
  EXPECT_EQ(numbers("ideographTraditional", 2), "乙");
  EXPECT_EQ(numbers("ideographTraditional", 11), "11");
  EXPECT_EQ(numbers("ganada", 2), "나");
  EXPECT_EQ(numbers("decimalEnclosedCircle", 20), "⑳");
  EXPECT_EQ(numbers("russianLower", 10), "к");
  EXPECT_EQ(numbers("russianUpper", 1), "А");
  EXPECT_EQ(numbers("hebrew1", 11), "יא");
  EXPECT_EQ(numbers("hebrew1", 15), "טו");
  EXPECT_EQ(numbers("arabicAlpha", 3), "ت");
  EXPECT_EQ(numbers("somethingElse", 3), "3");
}

}  // namespace
}  // namespace mneme::readers
