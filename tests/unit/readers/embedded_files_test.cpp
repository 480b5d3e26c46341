// Files within Office files, drawings of Visio, documents of AbiWord.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/compound_files.h"
#include "tests/support/make_files.h"
#include "tests/unit/readers/office_package.h"
#include "tests/unit/readers/office_pairs.h"

namespace mneme::readers {
namespace {

using test::make_compound_file;
using test::make_docx;
using test::make_zip;
using test::Members;
using test::read_text;

std::map<std::string, std::string> texts_of(const std::string& name, const std::string& bytes) {
  std::map<std::string, std::string> texts;
  const Status status = read_bytes(name, as_bytes(bytes), {}, [&](ReadItem item) {
    texts[item.member] = item.status.ok() ? item.document.text : item.status.message();
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return texts;
}

std::string paragraph(const std::string& text) {
  return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>";
}

// What the packager of Windows wraps a file in that was dropped into a document.
std::string dropped(const std::string& name, const std::string& bytes) {
  const std::string path = std::string("C:\\tmp\\") + name;
  std::string native = test::u32(0) + test::u16(2) + name + '\0' + path + '\0' + test::u16(0) + test::u16(3) +
                       test::u32(path.size() + 1) + path + '\0' + test::u32(bytes.size()) + bytes;
  return make_compound_file({{.name = "\x01Ole10Native", .bytes = native}});
}

TEST(EmbeddedFiles, AreReadAsFilesOfTheirOwn) {
  Members parts = test::docx_parts();
  parts.emplace_back("word/embeddings/Letter.docx", make_docx(paragraph("The crane is old.")));
  parts.emplace_back("word/embeddings/oleObject1.bin", dropped("notes.txt", "The rope is new."));
  parts.emplace_back("word/embeddings/oleObject2.bin",
                     make_compound_file({{.name = "Package", .bytes = make_docx(paragraph("The hook is lost."))}}));
  parts.emplace_back("word/embeddings/oleObject3.bin",
                     make_compound_file({{.name = "Equation Native", .bytes = "no file"}}));
  parts.emplace_back("word/embeddings/picture.png", "\x89PNG\r\n\x1a\n");
  const auto texts = texts_of("a.docx", make_zip(parts));
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts.at("Letter.docx"), "The crane is old.");
  EXPECT_EQ(texts.at("notes.txt"), "The rope is new.");
  EXPECT_EQ(texts.at("Embedded 3"), "The hook is lost.");
}

TEST(EmbeddedFiles, BooksOfChartsAreToldByTheChart) {
  Members parts = test::docx_parts();
  parts.emplace_back("word/charts/chart1.xml", "<c:chartSpace xmlns:c=\"c\"/>");
  parts.emplace_back("word/charts/_rels/chart1.xml.rels",
                     test::links(test::link_to("r1", "package", "../embeddings/Sheet1.docx")));
  parts.emplace_back("word/embeddings/Sheet1.docx", make_docx(paragraph("Numbers of a chart.")));
  EXPECT_EQ(texts_of("a.docx", make_zip(parts)).size(), 1u);
}

TEST(EmbeddedFiles, NestingHasItsLimit) {
  std::string bytes = make_docx(paragraph("Innermost."));
  for (int depth = 0; depth < 8; ++depth) {
    bytes = make_zip(
        {{"word/document.xml", "<w:document xmlns:w=\"w\"><w:body>" + paragraph("Outer.") + "</w:body></w:document>"},
         {"word/embeddings/in.docx", bytes}});
  }
  EXPECT_EQ(texts_of("a.docx", bytes).size(), 5u);
}

TEST(EmbeddedFiles, DamageIsHarmless) {
  Members parts = test::docx_parts();
  parts.emplace_back("word/embeddings/oleObject1.bin", dropped("notes.txt", "The rope is new."));
  test::expect_damage_is_harmless("a.docx", make_zip(parts), 200);
}

TEST(Visio, TextsOfShapesArePageByPage) {
  const std::string pages =
      "<Pages xmlns:r=\"r\"><Page ID=\"0\" Name=\"Quay\"><Rel r:id=\"r1\"/></Page><Page Name=\"Empty\"><Rel "
      "r:id=\"r2\"/>"
      "</Page></Pages>";
  const std::string page =
      "<PageContents><Shapes><Shape ID=\"1\"><Text>Crane <fld IX=\"0\">4</fld>\n</Text></Shape><Shape Type=\"Group\">"
      "<Shapes><Shape><Text><cp IX=\"0\"/>Rope store</Text></Shape></Shapes></Shape></Shapes></PageContents>";
  const std::string drawing =
      make_zip({{"[Content_Types].xml", "<Types/>"},
                {"visio/pages/pages.xml", pages},
                {"visio/pages/_rels/pages.xml.rels",
                 test::links(test::link_to("r1", "page", "page1.xml") + test::link_to("r2", "page", "page2.xml"))},
                {"visio/pages/page1.xml", page},
                {"visio/pages/page2.xml", "<PageContents/>"}});
  const rag::Document document = read_text("a.vsdx", drawing);
  EXPECT_EQ(document.format, "vsdx");
  EXPECT_EQ(document.text, "Quay\n\nCrane 4\n\nRope store");
  EXPECT_EQ(document.blocks.back().page, 1);
  test::expect_damage_is_harmless("a.vsdx", drawing, 100);
}

TEST(AbiWord, HeadingsListsTablesAndNotes) {
  const std::string abw =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE abiword PUBLIC \"-//ABISOURCE//DTD AWML 1.0 Strict//EN\" \"x\">\n"
      "<abiword xmlns=\"http://www.abisource.com/awml.dtd\"><metadata><m key=\"dc.title\">Harbour</m></metadata>"
      "<styles><s name=\"Normal\"/></styles><section>\n<p style=\"Heading 1\"><c>Cranes</c></p>\n"
      "<p style=\"Normal\">The <c props=\"font-weight:bold\">old</c> crane<foot><p>Of 1950.</p></foot> stands.</p>\n"
      "<p listid=\"1001\"><field type=\"list_label\"/>rope</p>"
      "<table><cell props=\"left-attach:0; top-attach:0\"><p>Name</p></cell><cell props=\"left-attach:1; "
      "top-attach:0\">"
      "<p>Tons</p></cell><cell props=\"left-attach:0; top-attach:1\"><p>Crane 4</p></cell>"
      "<cell props=\"left-attach:1; top-attach:1\"><p>12</p></cell></table></section>"
      "<section type=\"footer\"><p>Page</p></section></abiword>";
  const rag::Document document = read_text("letter.abw", abw);
  EXPECT_EQ(document.format, "abw");
  EXPECT_EQ(document.title, "Harbour");
  EXPECT_EQ(document.text, "Cranes\n\nThe old crane stands.\n\nOf 1950.\n\n- rope\n\nName | Tons\nCrane 4 | 12");
  test::expect_damage_is_harmless("a.abw", abw, 200);
}

}  // namespace
}  // namespace mneme::readers
