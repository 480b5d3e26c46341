#include <gtest/gtest.h>

#include <string>

#include "tests/support/make_files.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::expect_well_formed;
using test::kinds;
using test::make_docx;
using test::make_zip;
using test::read_text;

TEST(Docx, HeadingsListsTablesAndDeletions) {
  const rag::Document document = read_text(
      "a.docx", make_docx("<w:p><w:pPr><w:pStyle w:val=\"H1\"/></w:pPr><w:r><w:t>Chapter</w:t></w:r></w:p>"
                          "<w:p><w:r><w:t>Hello </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
                          "<w:r><w:t>world.</w:t></w:r></w:p>"
                          "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>"
                          "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc>"
                          "<w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
                          "<w:p><w:r><w:lastRenderedPageBreak/><w:t>Second page.</w:t></w:r></w:p>",
                          "<w:style w:styleId=\"H1\"><w:name w:val=\"heading 2\"/></w:style>"));
  EXPECT_EQ(document.title, "The Report");
  EXPECT_EQ(document.author, "Ann Other");
  EXPECT_EQ(document.date, "2024-05-31T10:00:00Z");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kListItem,
                                          BlockKind::kTableRow, BlockKind::kParagraph}));
  EXPECT_EQ(document.blocks[0].heading_level, 2);
  EXPECT_EQ(block_text(document, 1), "Hello world.");
  EXPECT_EQ(block_text(document, 2), "  - item");
  EXPECT_EQ(block_text(document, 3), "a | | c");
  EXPECT_EQ(document.blocks[0].page, 1);
  EXPECT_EQ(document.blocks[4].page, 2);
  expect_well_formed(document, false);
}

std::string make_xlsx(const std::string& sheet_data) {
  return make_zip(
      {{"xl/workbook.xml",
        "<workbook xmlns:r=\"r\"><sheets><sheet name=\"Staff\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"},
       {"xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"},
       {"xl/sharedStrings.xml", "<sst><si><t>Name</t></si><si><r><t>Bo</t></r><r><t>b</t></r></si></sst>"},
       {"xl/styles.xml", "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"},
       {"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + sheet_data + "</sheetData></worksheet>"}});
}

TEST(Xlsx, SharedStringsDatesAndHeaderRow) {
  const rag::Document document = read_text(
      "a.xlsx",
      make_xlsx("<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>Born</t></is></c>"
                "</row><row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c><c r=\"B2\" s=\"1\"><v>45443</v></c></row>"
                "<row r=\"4\"><c r=\"C4\"><v>7</v></c></row>"));
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kHeading, BlockKind::kHeading, BlockKind::kTableRow, BlockKind::kTableRow}));
  EXPECT_EQ(block_text(document, 0), "Staff");
  EXPECT_EQ(block_text(document, 1), "Name | Born");
  EXPECT_EQ(block_text(document, 2), "Bob | 2024-05-31");
  EXPECT_EQ(document.blocks[3].line_begin, 4);
  EXPECT_EQ(document.blocks[3].page, 1);
}

TEST(Xlsx, AbsurdReferencesAreHarmless) {
  const rag::Document document = read_text(
      "a.xlsx",
      make_xlsx("<row r=\"1\"><c r=\"XFD1\"><v>1</v></c><c r=\"ZZZZZZ1\" t=\"s\"><v>99999</v></c><c r=\"\"><v>2</v>"
                "</c></row><row r=\"-5\"><c r=\"A1\" t=\"s\"><v>-1</v></c><c><v>3</v></c></row>"));
  EXPECT_NE(document.text.find("1 | 2"), std::string::npos) << document.text;
}

TEST(Pptx, SlidesArePagesAndTitlesHeadings) {
  const std::string shape =
      "<p:sp><p:nvSpPr><p:nvPr><p:ph type=\"%T\"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>%X</a:t>"
      "</a:r></a:p></p:txBody></p:sp>";
  const auto fill = [&](const std::string& type, const std::string& text) {
    std::string filled = shape;
    filled.replace(filled.find("%T"), 2, type);
    return filled.replace(filled.find("%X"), 2, text);
  };
  const auto slide = [&](const std::string& body) {
    return "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><p:cSld><p:spTree>" + body + "</p:spTree></p:cSld></p:sld>";
  };
  const rag::Document document = read_text(
      "a.pptx", make_zip({{"ppt/presentation.xml",
                           "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst><p:sldId r:id=\"r2\"/>"
                           "<p:sldId r:id=\"r1\"/></p:sldIdLst></p:presentation>"},
                          {"ppt/_rels/presentation.xml.rels",
                           "<Relationships><Relationship Id=\"r1\" Target=\"slides/slide1.xml\"/>"
                           "<Relationship Id=\"r2\" Target=\"/ppt/slides/slide2.xml\"/></Relationships>"},
                          {"ppt/slides/slide1.xml", slide(fill("title", "Last") + fill("sldNum", "17"))},
                          {"ppt/slides/slide2.xml", slide(fill("ctrTitle", "First") + fill("body", "point"))}}));
  EXPECT_EQ(document.title, "First");
  EXPECT_EQ(document.text, "First\n\n- point\n\nLast");
  EXPECT_EQ(document.blocks[0].page, 1);
  EXPECT_EQ(document.blocks[2].page, 2);
}

std::string make_odf(const std::string& type, const std::string& body) {
  return make_zip({{"mimetype", "application/vnd.oasis.opendocument." + type},
                   {"content.xml",
                    "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"tb\" "
                    "xmlns:draw=\"d\" xmlns:presentation=\"p\"><office:body>" +
                        body + "</office:body></office:document-content>"},
                   {"meta.xml",
                    "<office:document-meta xmlns:office=\"o\" xmlns:dc=\"dc\"><office:meta><dc:title>Title"
                    "</dc:title><dc:creator>Ann</dc:creator></office:meta></office:document-meta>"}});
}

TEST(OpenDocument, TextWithListsAndTables) {
  // Recognised by its content even without its extension.
  const rag::Document document = read_text(
      "letter",
      make_odf("text",
               "<office:text><text:h text:outline-level=\"2\">Head</text:h><text:p>One<text:s/>two<text:tab/>three"
               "</text:p><text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>"
               "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
               "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>"
               "</office:text>"));
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(document.author, "Ann");
  EXPECT_EQ(document.text, "Head\n\nOne two three\n\n- item\n\na | b");
  EXPECT_EQ(document.format, "odt");
}

TEST(OpenDocument, RepeatedCellsAndRowsAreBounded) {
  const rag::Document document =
      read_text("a.ods", make_odf("spreadsheet",
                                  "<office:spreadsheet><table:table table:name=\"S\"><table:table-row "
                                  "table:number-rows-repeated=\"2000000000\"><table:table-cell "
                                  "table:number-columns-repeated=\"2000000000\"><text:p>x</text:p></table:table-cell>"
                                  "</table:table-row></table:table></office:spreadsheet>"));
  EXPECT_LT(document.text.size(), 1000u);
  EXPECT_EQ(document.blocks[0].page, 1);
}

TEST(Epub, ChaptersInTheOrderOfTheSpine) {
  const rag::Document document = read_text(
      "a.epub", make_zip({{"mimetype", "application/epub+zip"},
                          {"META-INF/container.xml",
                           "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>"},
                          {"OEBPS/book.opf",
                           "<package xmlns:dc=\"d\"><metadata><dc:title>Book</dc:title><dc:creator>Ann</dc:creator>"
                           "<dc:date>1892</dc:date></metadata><manifest>"
                           "<item id=\"a\" href=\"text/a%20b.xhtml\" media-type=\"application/xhtml+xml\"/>"
                           "<item id=\"b\" href=\"../OEBPS/text/c.xhtml\" media-type=\"application/xhtml+xml\"/>"
                           "<item id=\"n\" href=\"nav.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>"
                           "<item id=\"m\" href=\"missing.xhtml\" media-type=\"application/xhtml+xml\"/>"
                           "</manifest><spine><itemref idref=\"n\"/><itemref idref=\"b\"/><itemref idref=\"a\"/>"
                           "<itemref idref=\"m\"/></spine></package>"},
                          {"OEBPS/nav.xhtml", "<html><body><p>Contents</p></body></html>"},
                          {"OEBPS/text/a b.xhtml", "<html><body><h2>Second</h2><p>text two</p></body></html>"},
                          {"OEBPS/text/c.xhtml", "<html><body><h2>First</h2><p>text one</p></body></html>"}}));
  EXPECT_EQ(document.title, "Book");
  EXPECT_EQ(document.author, "Ann");
  EXPECT_EQ(document.text, "First\n\ntext one\n\nSecond\n\ntext two");
  EXPECT_EQ(document.notes.size(), 1u);  // the missing chapter
}

TEST(Office, EncryptedDamagedAndEmptyFilesSaySo) {
  const auto encrypted = read_document("a.docx", as_bytes(make_zip({{"word/document.xml", "<x/>"}}, "secret")));
  EXPECT_EQ(encrypted.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(encrypted.status().message().find("encrypted"), std::string::npos);
  std::string whole = make_docx("<w:p><w:r><w:t>text</w:t></w:r></w:p>");
  for (const size_t size : {size_t{5}, size_t{60}, whole.size() / 2, whole.size() - 30}) {
    EXPECT_EQ(read_document("a.docx", as_bytes(whole.substr(0, size))).status().code(), StatusCode::kCorruption)
        << size;
  }
  EXPECT_EQ(read_document("a.docx", as_bytes(make_docx("<w:p><w:r>"))).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(read_document("a.docx", as_bytes(make_docx(""))).status().code(), StatusCode::kUnsupported);
  // The old binary format, also the envelope of encrypted new ones.
  const std::string ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + std::string(600, '\0');
  const auto old = read_document("a.doc", as_bytes(ole));
  EXPECT_EQ(old.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(old.status().message().find("Office"), std::string::npos);
}

TEST(Office, DeepNestingIsBounded) {
  std::string open;
  std::string close;
  for (int i = 0; i < 20'000; ++i) {
    open += "<w:ins>";
    close += "</w:ins>";
  }
  const auto document = read_document("a.docx", as_bytes(make_docx("<w:p><w:r><w:t>top</w:t></w:r></w:p>" + open +
                                                                   "<w:p><w:r><w:t>deep</w:t></w:r></w:p>" + close)));
  ASSERT_TRUE(document.ok()) << document.status().message();
  EXPECT_EQ(document->text, "top");
}

TEST(Office, EntityAndDecompressionBombs) {
  std::string bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\">";
  for (char c = 'b'; c < 'n'; ++c) {
    bomb += std::string("<!ENTITY ") + c + " \"";
    for (int i = 0; i < 10; ++i) bomb += std::string("&") + static_cast<char>(c - 1) + ";";
    bomb += "\">";
  }
  bomb += "]><x><title>t</title><p>&m; a text that is long enough</p></x>";
  const auto expanded = read_document("a.xml", as_bytes(bomb));
  ASSERT_TRUE(expanded.ok());
  EXPECT_LT(expanded->text.size(), 10'000u);
  const std::string zeros(std::size_t{40} << 20, ' ');
  ReadLimits limits;
  limits.unpacked_bytes = 16 << 20;
  const auto zip_bomb = read_document("a.docx", as_bytes(make_docx("<w:p>" + zeros + "</w:p>")), limits);
  EXPECT_EQ(zip_bomb.status().code(), StatusCode::kResource);
  EXPECT_NE(zip_bomb.status().message().find("bomb"), std::string::npos);
}

}  // namespace
}  // namespace mneme::readers
