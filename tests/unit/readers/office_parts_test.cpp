// What stands beside the body of Office files: comments, notes, headers, drawings, hidden sheets.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/readers/office_package.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::link_to;
using test::links;
using test::make_zip;
using test::Members;
using test::part_of;
using test::read_text;

std::string chart_xml() {
  const auto points = [](const std::string& name, const std::string& kind, const std::string& format,
                         const std::vector<std::string>& values) {
    std::string xml = "<c:" + name + "><c:" + kind + "Ref><c:" + kind + "Cache>" + format;
    for (size_t i = 0; i < values.size(); ++i) {
      xml += "<c:pt idx=\"" + std::to_string(i) + "\"><c:v>" + values[i] + "</c:v></c:pt>";
    }
    return xml + "</c:" + kind + "Cache></c:" + kind + "Ref></c:" + name + ">";
  };
  const std::string percent = "<c:formatCode>0%</c:formatCode>";
  const auto title = [](const std::string& text) {
    return "<c:title><c:tx><c:rich><a:p><a:r><a:t>" + text + "</a:t></a:r></a:p></c:rich></c:tx></c:title>";
  };
  return "<c:chartSpace xmlns:c=\"c\" xmlns:a=\"a\"><c:chart>" + title("Passengers") +
         "<c:plotArea><c:barChart><c:ser>" + points("tx", "str", "", {"North"}) +
         points("cat", "str", "", {"spring", "summer"}) + points("val", "num", "", {"1200", "0.30000000000000004"}) +
         "</c:ser><c:ser>" + points("tx", "str", "", {"South"}) + points("val", "num", percent, {"0.19", "0.5"}) +
         "</c:ser></c:barChart><c:catAx>" + title("Season") + "</c:catAx></c:plotArea></c:chart></c:chartSpace>";
}

std::string diagram_xml() {
  const auto point = [](const std::string& id, const std::string& type, const std::string& text) {
    return "<dgm:pt modelId=\"" + id + "\"" + (type.empty() ? "" : " type=\"" + type + "\"") +
           "><dgm:t><a:p><a:r><a:t>" + text + "</a:t></a:r></a:p></dgm:t></dgm:pt>";
  };
  const auto below = [](const std::string& above, const std::string& id, int place) {
    return "<dgm:cxn srcId=\"" + above + "\" destId=\"" + id + "\" srcOrd=\"" + std::to_string(place) + "\"/>";
  };
  return "<dgm:dataModel xmlns:dgm=\"g\" xmlns:a=\"a\"><dgm:ptLst>" + point("0", "doc", "") + point("2", "", "Pilot") +
         point("1", "", "Harbour master") + point("3", "", "Clerk") + point("9", "pres", "drawn") +
         "</dgm:ptLst><dgm:cxnLst>" + below("0", "1", 0) + below("1", "2", 1) + below("1", "3", 0) +
         "<dgm:cxn type=\"presOf\" srcId=\"1\" destId=\"9\"/></dgm:cxnLst></dgm:dataModel>";
}

const std::string kChartTable =
    "Chart: Passengers; Season\n\n| | North | South\nspring | 1200 | 19%\nsummer | 0.3 | 50%";
const std::string kDiagramList = "- Harbour master\n  - Clerk\n  - Pilot";

TEST(DocxParts, CommentsStandWithTheirPassageAndHeadersBehindAllElse) {
  const rag::Document document = read_text("a.docx", make_zip(test::docx_parts()));
  EXPECT_EQ(
      document.text,
      "Rent\n\nThe rent is 900 EUR.\n\nHeating included.\n\nComment by Ann Other: Is this net?\n\nIt is due on the "
      "third.\n\nHeaders and footers\n\nWeber Estates, Lindenweg 4");
  EXPECT_EQ(document.title, "Lease");
  EXPECT_TRUE(document.notes.empty());
}

TEST(DocxParts, CommentsThatNothingCallsAndHeadersThatAreSaidAnyway) {
  Members members = test::docx_parts();
  std::string& body = part_of(members, "word/document.xml");
  const std::string call = "<w:r><w:commentReference w:id=\"0\"/></w:r>";
  body.replace(body.find(call), call.size(), "<w:r><w:t> Weber Estates, Lindenweg 4</w:t></w:r>");
  const rag::Document document = read_text("a.docx", make_zip(members));
  EXPECT_TRUE(document.text.ends_with("third.\n\nComments\n\nComment by Ann Other: Is this net?")) << document.text;
}

TEST(DocxParts, ChartsAndSmartArtStandBelowTheirParagraph) {
  Members members = test::docx_parts();
  std::string& body = part_of(members, "word/document.xml");
  const std::string call = "<w:r><w:commentReference w:id=\"0\"/></w:r>";
  body.replace(body.find(call), call.size(),
               "<w:r><w:drawing><a:graphicData><c:chart r:id=\"c\"/></a:graphicData></w:drawing></w:r><w:r><w:drawing>"
               "<dgm:relIds r:dm=\"d\" r:lo=\"x\"/></w:drawing></w:r>");
  std::string& rels = part_of(members, "word/_rels/document.xml.rels");
  rels.insert(rels.find("</"), link_to("c", "chart", "charts/chart1.xml") + link_to("d", "diagramData", "d/data1.xml"));
  part_of(members, "word/charts/chart1.xml") = chart_xml();
  part_of(members, "word/d/data1.xml") = diagram_xml();
  const std::string text = read_text("a.docx", make_zip(members)).text;
  EXPECT_NE(text.find("The rent is 900 EUR.\n\n" + kChartTable + "\n\n" + kDiagramList + "\n\nHeating included."),
            std::string::npos)
      << text;
}

TEST(XlsxParts, CommentsNamesAndHiddenSheets) {
  const rag::Document document = read_text("a.xlsx", make_zip(test::xlsx_parts()));
  EXPECT_EQ(document.text,
            "Staff\n\nWeber | 4711\n\nComment by Ann Other on B1 (Weber | 4711): extension of the office\n\n"
            "Rates (hidden sheet)\n\nstandard rate | 19%\n\nDefined names\n\nVAT | Rates!$B$1 | 19%\n\n"
            "Defined names\n\nRounding | 0.05");
  ASSERT_GE(document.blocks.size(), 3u);
  EXPECT_EQ(document.blocks[2].line_begin, 1);
  EXPECT_EQ(document.blocks[2].page, 1);
}

TEST(XlsxParts, ThreadsOfCommentsStandForTheirOldForm) {
  Members members = test::xlsx_parts();
  part_of(members, "xl/comments1.xml") =
      "<comments><authors><author>tc={1-2}</author></authors><commentList><comment ref=\"B1\" authorId=\"0\"><text><t>"
      "[Threaded comment] Your version of Excel</t></text></comment></commentList></comments>";
  part_of(members, "xl/worksheets/_rels/sheet1.xml.rels") =
      links(link_to("c1", "comments", "../comments1.xml") + link_to("t", "threadedComment", "../threads/t1.xml"));
  part_of(members, "xl/threads/t1.xml") =
      "<ThreadedComments><threadedComment ref=\"B1\" personId=\"{p}\" id=\"1\"><text>Who is this?</text>"
      "</threadedComment><threadedComment ref=\"B1\" personId=\"{p}\" parentId=\"1\"><text>The new one.</text>"
      "</threadedComment></ThreadedComments>";
  std::string& rels = part_of(members, "xl/_rels/workbook.xml.rels");
  rels.insert(rels.rfind("</"), link_to("p", "person", "persons/person.xml"));
  part_of(members, "xl/persons/person.xml") = "<personList><person displayName=\"Bo Lind\" id=\"{p}\"/></personList>";
  const std::string text = read_text("a.xlsx", make_zip(members)).text;
  EXPECT_NE(
      text.find("Comment by Bo Lind on B1 (Weber | 4711): Who is this?\n\nComment by Bo Lind on B1 (Weber | 4711): "
                "The new one."),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("Threaded"), std::string::npos);
}

TEST(XlsxParts, TextBoxesChartTitlesAndWhatIsPrintedAboveAndBelow) {
  Members members = test::xlsx_parts();
  std::string& sheet = part_of(members, "xl/worksheets/sheet1.xml");
  sheet.insert(sheet.find("</worksheet>"),
               "<drawing r:id=\"d\"/><headerFooter><oddHeader>&amp;L&amp;\"Arial,Bold\"&amp;12Price list of "
               "Weber &amp;&amp; Sons&amp;RPage &amp;P of &amp;N</oddHeader></headerFooter>");
  part_of(members, "xl/worksheets/_rels/sheet1.xml.rels") = links(link_to("d", "drawing", "../drawings/drawing1.xml"));
  part_of(members, "xl/drawings/drawing1.xml") =
      "<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>Ask before ordering.</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
      "<xdr:graphicFrame><c:chart r:id=\"k\"/></xdr:graphicFrame></xdr:wsDr>";
  part_of(members, "xl/drawings/_rels/drawing1.xml.rels") = links(link_to("k", "chart", "../charts/chart1.xml"));
  part_of(members, "xl/charts/chart1.xml") = chart_xml();
  const std::string text = read_text("a.xlsx", make_zip(members)).text;
  // The numbers of a sheet's chart stand in its cells.
  EXPECT_TRUE(text.starts_with("Staff\n\nWeber | 4711\n\nAsk before ordering.\n\nChart: Passengers; Season\n\nRates"))
      << text;
  EXPECT_TRUE(text.ends_with("Headers and footers\n\nPrice list of Weber & Sons")) << text;
}

TEST(PptxParts, NotesAndCommentsBelongToTheirSlideAndFootersAreToldOnce) {
  const rag::Document document = read_text("a.pptx", make_zip(test::pptx_parts()));
  EXPECT_EQ(document.text,
            "Ferries\n\n- They leave at noon.\n\nHarbour office\n\nSpeaker notes: Mention the winter timetable.\n\n"
            "Comment by Bo Lind: Also on Sundays?\n\nFares\n\n- A ticket is 12 EUR.");
  EXPECT_EQ(document.blocks[4].page, 1);
  EXPECT_EQ(document.blocks[5].page, 2);
}

TEST(PptxParts, NewCommentsWithRepliesChartsAndSmartArt) {
  Members members = test::pptx_parts();
  part_of(members, "ppt/comments/comment1.xml") =
      "<p188:cmLst xmlns:p188=\"m\" xmlns:a=\"a\"><p188:cm authorId=\"{7}\"><p188:replyLst><p188:reply "
      "authorId=\"{8}\"><p188:txBody><a:p><a:r><a:t>Yes.</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst>"
      "<p188:txBody><a:p><a:r><a:t>On Sundays?</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>";
  std::string& rels = part_of(members, "ppt/_rels/presentation.xml.rels");
  rels.insert(rels.rfind("</"), link_to("a", "authors", "authors.xml"));
  part_of(members, "ppt/authors.xml") =
      "<p188:authorLst><p188:author id=\"{7}\" name=\"Bo Lind\"/><p188:author id=\"{8}\" name=\"Ann Other\"/>"
      "</p188:authorLst>";
  std::string& slide = part_of(members, "ppt/slides/slide2.xml");
  slide.insert(slide.find("</p:spTree>"),
               "<p:graphicFrame><c:chart r:id=\"k\"/></p:graphicFrame><p:graphicFrame><dgm:relIds r:dm=\"d\"/>"
               "</p:graphicFrame>");
  part_of(members, "ppt/slides/_rels/slide2.xml.rels") =
      links(link_to("k", "chart", "../charts/chart1.xml") + link_to("d", "diagramData", "../d/data1.xml"));
  part_of(members, "ppt/charts/chart1.xml") = chart_xml();
  part_of(members, "ppt/d/data1.xml") = diagram_xml();
  const std::string text = read_text("a.pptx", make_zip(members)).text;
  EXPECT_NE(text.find("Comment by Bo Lind: On Sundays?\n\nComment by Ann Other: Yes."), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("12 EUR.\n\n" + kChartTable + "\n\n" + kDiagramList)) << text;
}

TEST(OpenDocumentParts, CommentsAndHeadersOfText) {
  const rag::Document document = read_text("a.odt", make_zip(test::odt_parts()));
  EXPECT_EQ(
      document.text,
      "Rent\n\nThe rent is 900 EUR.\n\nComment by Ann Other: Is this net?\n\nHeaders and footers\n\nWeber Estates, "
      "Lindenweg 4");
}

TEST(OpenDocumentParts, TextBoxesAndChartsStandBelowTheirParagraph) {
  Members members = test::odt_parts();
  std::string& content = part_of(members, "content.xml");
  content.insert(content.find(" EUR<"),
                 "<draw:frame><draw:text-box><text:p>Boxed.</text:p></draw:text-box></draw:frame><draw:frame>"
                 "<draw:object xlink:href=\"./Object 1\"/></draw:frame>");
  part_of(members, "Object 1/content.xml") =
      "<office:document-content xmlns:office=\"o\" xmlns:chart=\"c\" xmlns:text=\"t\" xmlns:table=\"tb\"><office:body>"
      "<office:chart><chart:chart><chart:title><text:p>Passengers</text:p></chart:title><chart:plot-area/><table:table>"
      "<table:table-header-rows><table:table-row><table:table-cell/><table:table-cell><text:p>North</text:p>"
      "</table:table-cell></table:table-row></table:table-header-rows><table:table-rows><table:table-row>"
      "<table:table-cell><text:p>spring</text:p></table:table-cell><table:table-cell><text:p>1200</text:p>"
      "</table:table-cell></table:table-row></table:table-rows></table:table></chart:chart></office:chart>"
      "</office:body></office:document-content>";
  const std::string text = read_text("a.odt", make_zip(members)).text;
  EXPECT_TRUE(
      text.starts_with("Rent\n\nThe rent is 900 EUR.\n\nBoxed.\n\nChart: Passengers\n\n| | North\nspring | "
                       "1200\n\nComment by"))
      << text;
}

TEST(OpenDocumentParts, TrackedDeletionsAreLeftOutAndInsertionsKept) {
  Members members = test::odt_parts();
  std::string& content = part_of(members, "content.xml");
  content.insert(content.find("<text:h"),
                 "<text:tracked-changes><text:changed-region text:id=\"c1\"><text:deletion><text:p>Gone words.</text:p>"
                 "</text:deletion></text:changed-region></text:tracked-changes>");
  content.insert(content.find(" EUR<"),
                 "<text:change text:change-id=\"c1\"/><text:change-start "
                 "text:change-id=\"c2\"/>.50<text:change-end text:change-id=\"c2\"/>");
  const std::string text = read_text("a.odt", make_zip(members)).text;
  EXPECT_EQ(text.find("Gone"), std::string::npos) << text;
  EXPECT_NE(text.find("The rent is 900.50 EUR."), std::string::npos) << text;
}

TEST(OpenDocumentParts, CommentsOnCellsAndHiddenSheets) {
  const std::string content =
      "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"tb\" xmlns:style=\"s\" "
      "xmlns:dc=\"dc\"><office:automatic-styles><style:style style:name=\"ta2\"><style:table-properties "
      "table:display=\"false\"/></style:style></office:automatic-styles><office:body><office:spreadsheet>"
      "<table:table table:name=\"Staff\"><table:table-row><table:table-cell><text:p>Weber</text:p></table:table-cell>"
      "<table:table-cell><office:annotation><dc:creator>Ann Other</dc:creator><text:p>Office extension</text:p>"
      "</office:annotation><text:p>4711</text:p></table:table-cell></table:table-row></table:table><table:table "
      "table:name=\"Rates\" table:style-name=\"ta2\"><table:table-row><table:table-cell><text:p>19%</text:p>"
      "</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>"
      "</office:document-content>";
  const rag::Document document = read_text(
      "a.ods", make_zip({{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}, {"content.xml", content}}));
  EXPECT_EQ(document.text,
            "Staff\n\nWeber | 4711\n\nComment by Ann Other on row 1 (Weber | 4711): Office extension\n\nRates (hidden "
            "sheet)\n\n19%");
  EXPECT_EQ(document.blocks[2].line_begin, 1);
}

TEST(OpenDocumentParts, SpeakerNotesCommentsAndFootersOfSlides) {
  const std::string content =
      "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:draw=\"d\" xmlns:presentation=\"p\" "
      "xmlns:dc=\"dc\"><office:body><office:presentation><presentation:footer-decl presentation:name=\"f\">Harbour "
      "office</presentation:footer-decl><draw:page><draw:frame presentation:class=\"title\"><draw:text-box><text:p>"
      "Ferries</text:p></draw:text-box></draw:frame><office:annotation><dc:creator>Bo Lind</dc:creator><text:p>Also on "
      "Sundays?</text:p></office:annotation><presentation:notes><draw:page-thumbnail/><draw:frame "
      "presentation:class=\"notes\"><draw:text-box><text:p>Mention the winter timetable.</text:p></draw:text-box>"
      "</draw:frame><draw:frame presentation:class=\"footer\"><draw:text-box><text:p>Again.</text:p></draw:text-box>"
      "</draw:frame></presentation:notes></draw:page></office:presentation></office:body></office:document-content>";
  const rag::Document document = read_text(
      "a.odp", make_zip({{"mimetype", "application/vnd.oasis.opendocument.presentation"}, {"content.xml", content}}));
  EXPECT_EQ(
      document.text,
      "Ferries\n\nComment by Bo Lind: Also on Sundays?\n\nSpeaker notes: Mention the winter timetable.\n\nHeaders "
      "and footers\n\nHarbour office");
}

}  // namespace
}  // namespace mneme::readers
