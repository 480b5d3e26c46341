#include <gtest/gtest.h>

#include <string>

#include "tests/support/make_files.h"
#include "tests/unit/readers/office_package.h"
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

TEST(Docx, LinesThatTheAuthorEndedStayLines) {
  const rag::Document document =
      read_text("a.docx", make_docx("<w:p><w:r><w:t>12 Quay Road</w:t><w:br/><w:t>Northmouth</w:t><w:cr/></w:r></w:p>"
                                    "<w:p><w:r><w:t>before</w:t><w:br w:type=\"page\"/><w:t>behind</w:t></w:r></w:p>"));
  EXPECT_EQ(document.text, "12 Quay Road\nNorthmouth\n\nbefore behind");
}

TEST(Docx, SignsOfFontsOfSignsAreRead) {
  const auto sign = [](const std::string& font, const std::string& code) {
    return "<w:sym w:font=\"" + font + "\" w:char=\"" + code + "\"/>";
  };
  const rag::Document document = read_text(
      "a.docx", make_docx("<w:p><w:r><w:t>20</w:t>" + sign("Symbol", "F0B0") + "<w:t>C, 5 </w:t>" +
                          sign("Symbol", "F06D") + "<w:t>m film </w:t>" + sign("Wingdings", "F0FC") +
                          sign("Wingdings", "F001") + sign("Arial", "00E9") + sign("Symbol", "nonsense") +
                          "</w:r></w:p><w:p><w:r><w:t>Left</w:t><w:ptab w:alignment=\"right\"/><w:t>Right</w:t></w:r>"
                          "</w:p>"));
  EXPECT_EQ(document.text, "20°C, 5 µm film ✓é\n\nLeft Right");
}

TEST(Docx, RaisedTextAndFormulasDoNotRunTogether) {
  const auto run = [](const std::string& text, const std::string& place = {}) {
    const std::string form = place.empty() ? "" : "<w:rPr><w:vertAlign w:val=\"" + place + "\"/></w:rPr>";
    return "<w:r>" + form + "<w:t xml:space=\"preserve\">" + text + "</w:t></w:r>";
  };
  const auto math = [](const std::string& element, const std::string& content) {
    return "<m:" + element + ">" + content + "</m:" + element + ">";
  };
  const auto number = [&](const std::string& text) { return math("r", math("t", text)); };
  const std::string fraction = math("f", math("num", number("a+1")) + math("den", number("b")));
  const std::string power = math("sSup", math("e", number("10")) + math("sup", number("6")));
  const std::string root = math("rad", math("deg", "") + math("e", number("x")));
  const rag::Document document =
      read_text("a.docx", make_docx("<w:p>" + run("It holds 10") + run("6", "superscript") + run(" litres of H") +
                                    run("2", "subscript") + run("O, on the 1") + run("st", "superscript") + run(".") +
                                    "</w:p><w:p xmlns:m=\"m\"><m:oMath>" + fraction + power + number("+") + root +
                                    "</m:oMath></w:p>"));
  EXPECT_EQ(document.text, "It holds 10⁶ litres of H2O, on the 1st.\n\n(a+1)/b 10⁶+√x");
}

TEST(Office, RaisedTextOfSlidesSheetsAndOpenDocumentDoesNotRunTogether) {
  test::Members deck = test::pptx_parts();
  const auto run = [](const std::string& words, const std::string& baseline) {
    return "<a:r><a:rPr baseline=\"" + baseline + "\"/><a:t>" + words + "</a:t></a:r>";
  };
  test::part_of(deck, "ppt/slides/slide2.xml") = test::slide_of(
      "sld", "<p:sp><p:txBody><a:p>" + run("It holds 10", "0") + run("6", "30000") + run(" litres, x", "0") +
                 run("12", "-25000") + run(" of 3", "0") + run("2", "-25000") + "</a:p></p:txBody></p:sp>");
  EXPECT_NE(read_text("a.pptx", make_zip(deck)).text.find("It holds 10\u2076 litres, x12 of 3\u2082"),
            std::string::npos);

  test::Members workbook = test::xlsx_parts();
  test::part_of(workbook, "xl/sharedStrings.xml") =
      "<sst><si><r><t>10</t></r><r><rPr><vertAlign val=\"superscript\"/></rPr><t>6</t></r><r><t> litres</t></r></si>"
      "<si><t>standard rate</t></si></sst>";
  EXPECT_NE(read_text("a.xlsx", make_zip(workbook)).text.find("10\u2076 litres"), std::string::npos);

  test::Members text = test::odt_parts();
  const auto span = [](const std::string& style, const std::string& words) {
    return "<text:span text:style-name=\"" + style + "\">" + words + "</text:span>";
  };
  test::part_of(text, "content.xml") =
      "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:style=\"s\"><office:automatic-styles>"
      "<style:style style:name=\"up\"><style:text-properties style:text-position=\"super 58%\"/></style:style>"
      "<style:style style:name=\"down\"><style:text-properties style:text-position=\"-33% 58%\"/></style:style>"
      "</office:automatic-styles><office:body><office:text><text:p>" +
      span("plain", "It holds 10") + span("up", "6") + " litres of 3" + span("down", "2") +
      "</text:p></office:text></office:body></office:document-content>";
  EXPECT_NE(read_text("a.odt", make_zip(text)).text.find("It holds 10\u2076 litres of 3\u2082"), std::string::npos);
}

TEST(Docx, TrackedMovesGuidesBoxesAndNotes) {
  const std::string box =
      "<w:r><mc:AlternateContent xmlns:mc=\"m\"><mc:Choice><w:txbxContent><w:p><w:r><w:t>Box one.</w:t></w:r></w:p>"
      "<w:p><w:r><w:t>Box two.</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r>"
      "<w:t>Box one.</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>";
  const rag::Document document = read_text(
      "a.docx",
      make_zip(
          {{"word/document2.xml",
            "<w:document xmlns:w=\"w\"><w:body><w:p><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:r><w:t>Rent</w:t>"
            "</w:r></w:p><w:p><w:moveFrom><w:r><w:t>Moved. </w:t></w:r></w:moveFrom><w:r><w:t>The rent is 900"
            "</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:r><w:t> EUR. </w:t></w:r><w:moveTo><w:r>"
            "<w:t>Moved.</w:t></w:r></w:moveTo>" +
                box +
                "</w:p><w:p><w:r><w:ruby><w:rt><w:r><w:t>kanji</w:t></w:r>"
                "</w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>"
                "<w:p><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:r><w:t>End</w:t></w:r></w:p></w:body></w:document>"},
           {"_rels/.rels",
            "<Relationships><Relationship Id=\"r\" Type=\"http://x/officeDocument\" Target=\"/word/document2.xml\"/>"
            "</Relationships>"},
           {"word/footnotes.xml",
            "<w:footnotes xmlns:w=\"w\"><w:footnote w:id=\"2\"><w:p><w:r><w:t>Heating included.</w:t></w:r></w:p>"
            "</w:footnote></w:footnotes>"}}));
  EXPECT_EQ(document.text,
            "Rent\n\nThe rent is 900 EUR. Moved.\n\nBox one.\n\nBox two.\n\nHeating included.\n\n漢字\n\nEnd");
}

// What stands in notes and headers is read as in the body.
TEST(Docx, NotesAndHeadersSayHyphensBreaksAndRaisedNumbers) {
  const std::string said =
      "<w:p><w:r><w:t>Type X</w:t><w:noBreakHyphen/><w:t>9</w:t><w:cr/><w:t>holds 10</w:t></w:r><w:r><w:rPr>"
      "<w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>6</w:t></w:r><w:r><w:t> litres.</w:t></w:r></w:p>";
  const rag::Document document = read_text(
      "a.docx",
      make_zip({{"word/document.xml",
                 "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>Tanks</w:t></w:r><w:r><w:footnoteReference "
                 "w:id=\"2\"/></w:r></w:p></w:body></w:document>"},
                {"word/_rels/document.xml.rels",
                 "<Relationships><Relationship Id=\"h\" Type=\"http://x/header\" Target=\"header1.xml\"/>"
                 "</Relationships>"},
                {"word/header1.xml",
                 "<w:hdr xmlns:w=\"w\"><w:p><w:r><w:t>Sheet A</w:t><w:noBreakHyphen/><w:t>7</w:t></w:r></w:p></w:hdr>"},
                {"word/footnotes.xml",
                 "<w:footnotes xmlns:w=\"w\"><w:footnote w:id=\"2\">" + said + "</w:footnote></w:footnotes>"}}));
  EXPECT_EQ(document.text, "Tanks\n\nType X-9\nholds 10\u2076 litres.\n\nHeaders and footers\n\nSheet A-7");
}

TEST(Docx, MergedCellsKeepTheirColumns) {
  const auto cell = [](const std::string& properties, const std::string& text) {
    return "<w:tc><w:tcPr>" + properties + "</w:tcPr><w:p><w:r><w:t>" + text + "</w:t></w:r></w:p></w:tc>";
  };
  const rag::Document document = read_text(
      "a.docx", make_docx("<w:tbl><w:tr>" + cell("", "Team") + cell("", "Mon") + cell("", "Tue") + "</w:tr><w:tr>" +
                          cell("<w:vMerge w:val=\"restart\"/>", "Red") + cell("<w:gridSpan w:val=\"2\"/>", "early") +
                          "</w:tr><w:sdt><w:sdtContent><w:tr>" + cell("<w:vMerge/>", "") + cell("", "") +
                          cell("", "late") + "</w:tr></w:sdtContent></w:sdt><w:tr><w:trPr><w:del/></w:trPr>" +
                          cell("", "Blue") + "</w:tr></w:tbl>"));
  EXPECT_EQ(document.text, "Team | Mon | Tue\nRed | early\nRed | | late");
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

TEST(Xlsx, NumbersAreReadAsTheyAreShown) {
  const std::string styles =
      "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"[$-407]d\\.\\ mmmm\\ yyyy;@\"/>"
      "<numFmt numFmtId=\"165\" formatCode=\"[h]:mm\"/><numFmt numFmtId=\"166\" formatCode=\"#,##0\\ "
      "&quot;days&quot;\"/>"
      "<numFmt numFmtId=\"167\" formatCode=\"[Red]0.0%\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/>"
      "<xf numFmtId=\"165\"/><xf numFmtId=\"166\"/><xf numFmtId=\"167\"/><xf numFmtId=\"20\"/></cellXfs></styleSheet>";
  const auto sheet = [&](const std::string& properties) {
    std::string row = "<row r=\"1\">";
    const std::vector<std::string> values = {"45443", "1.5", "12", "0.195", "0.354166666", "45443.5"};
    const std::vector<int> forms = {1, 2, 3, 4, 5, 1};
    for (size_t i = 0; i < values.size(); ++i) {
      row += "<c r=\"" + std::string(1, static_cast<char>('A' + i)) + "1\" s=\"" + std::to_string(forms[i]) + "\"><v>" +
             values[i] + "</v></c>";
    }
    return make_zip({{"xl/workbook.xml", "<workbook xmlns:r=\"r\">" + properties +
                                             "<sheets><sheet name=\"S\" r:id=\"rId1\"/></sheets></workbook>"},
                     {"xl/_rels/workbook.xml.rels",
                      "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"},
                     {"xl/styles.xml", styles},
                     {"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + row + "</row></sheetData></worksheet>"}});
  };
  EXPECT_EQ(block_text(read_text("a.xlsx", sheet("")), 1),
            "2024-05-31 | 36:00 | 12 days | 19.5% | 08:30 | 2024-05-31 12:00");
  EXPECT_TRUE(block_text(read_text("a.xlsx", sheet("<workbookPr date1904=\"1\"/>")), 1).starts_with("2028-06-01 | "));
}

TEST(Xlsx, AmountsNameNoColumns) {
  const auto sheet = [](const std::string& format) {
    return make_zip(
        {{"xl/workbook.xml", "<workbook xmlns:r=\"r\"><sheets><sheet name=\"S\" r:id=\"rId1\"/></sheets></workbook>"},
         {"xl/_rels/workbook.xml.rels",
          "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"},
         {"xl/styles.xml", "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"" + format +
                               "\"/></numFmts><cellXfs><xf/><xf numFmtId=\"164\"/></cellXfs></styleSheet>"},
         {"xl/worksheets/sheet1.xml",
          "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"str\"><v>Lease</v></c><c r=\"B1\" s=\"1\"><v>30</v></c>"
          "</row><row r=\"2\"><c r=\"A2\" t=\"str\"><v>Loan</v></c><c r=\"B2\" s=\"1\"><v>60</v></c></row><row r=\"3\">"
          "<c r=\"A3\" t=\"str\"><v>Sale</v></c><c r=\"B3\" s=\"1\"><v>90</v></c></row></sheetData></worksheet>"}});
  };
  EXPECT_EQ(read_text("a.xlsx", sheet("0&quot; days&quot;")).text,
            "S\n\nLease | 30 days\nLoan | 60 days\nSale | 90 days");
}

TEST(Xlsx, AFewTextsInVeryManyCellsAreRefusedAndMuchTextIsCutOff) {
  const auto workbook = [](const std::string& text, int n_rows, const std::string& cells) {
    std::string rows;
    for (int r = 1; r <= n_rows; ++r) rows += "<row r=\"" + std::to_string(r) + "\">" + cells + "</row>";
    return make_zip(
        {{"xl/workbook.xml", "<workbook xmlns:r=\"r\"><sheets><sheet name=\"S\" r:id=\"rId1\"/></sheets></workbook>"},
         {"xl/_rels/workbook.xml.rels",
          "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"},
         {"xl/sharedStrings.xml", "<sst><si><t>" + text + "</t></si></sst>"},
         {"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"}});
  };
  ReadLimits limits;
  limits.text_bytes = uint64_t{2} << 20;
  std::string shared;
  for (int i = 0; i < 10'000; ++i) shared += "bomb ";
  const std::string bomb = workbook(shared, 2000, "<c t=\"s\"><v>0</v></c><c t=\"s\"><v>0</v></c>");
  const auto refused = read_document("a.xlsx", as_bytes(bomb), limits);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message().find("holds more than 2 MiB of text"), std::string::npos)
      << refused.status().message();
  const std::string large = workbook("", 30'000, "<c t=\"str\"><v>" + std::string(90, 'x') + "</v></c>");
  const rag::Document cut = read_text("a.xlsx", large, limits);
  EXPECT_LE(cut.text.size(), limits.text_bytes);
  ASSERT_FALSE(cut.notes.empty());
  EXPECT_NE(cut.notes.back().find("2 MiB of text"), std::string::npos) << cut.notes.back();
}

// More XML than a tree of it may take.
TEST(Xlsx, SheetsOfAnySizeAreReadToTheirEnd) {
  const std::string padding(64 << 10, '0');
  std::string rows;
  int n = 0;
  for (; rows.size() < (size_t{97} << 20); ++n) {
    const std::string number = std::to_string(n + 1);
    rows += "<row r=\"" + number + "\" spans=\"" + padding + "\"><c t=\"s\"><v>" + std::to_string(n % 3) +
            "</v></c><c><v>" + number + "</v></c></row>";
  }
  const std::string item = "<si><t>red</t><phoneticPr x=\"" + padding + "\"/></si>";
  std::string strings;
  while (strings.size() < (size_t{3} << 20)) strings += item;
  strings = "<si><t>blue</t></si><si><t>green</t></si>" + strings;
  const std::string workbook = make_zip(
      {{"xl/workbook.xml", "<workbook xmlns:r=\"r\"><sheets><sheet name=\"S\" r:id=\"rId1\"/></sheets></workbook>"},
       {"xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/></Relationships>"},
       {"xl/sharedStrings.xml", "<sst>" + strings + "</sst>"},
       {"xl/worksheets/sheet1.xml",
        "<worksheet><sheetData>" + rows +
            "</sheetData><mergeCells><mergeCell ref=\"C1:C2\"/></mergeCells>"
            "<headerFooter><oddHeader>Weber Estates, Lindenweg 4</oddHeader></headerFooter></worksheet>"}});
  const rag::Document document = read_text("a.xlsx", workbook);
  EXPECT_TRUE(document.notes.empty()) << document.notes.front();
  EXPECT_NE(document.text.find("blue | 1\ngreen | 2\nred | 3\nblue | 4\n"), std::string::npos)
      << document.text.substr(0, 200);
  const char* const colours[] = {"blue", "green", "red"};
  const std::string last = std::string(colours[(n - 1) % 3]) + " | " + std::to_string(n);
  EXPECT_NE(document.text.find("\n" + last), std::string::npos) << last;
  EXPECT_NE(document.text.find("Lindenweg"), std::string::npos) << "behind the rows";
}

TEST(Xlsx, CrossTablesAndMergedCells) {
  const auto text = [](const std::string& reference, const std::string& value) {
    return "<c r=\"" + reference + "\" t=\"inlineStr\"><is><t>" + value + "</t></is></c>";
  };
  const rag::Document document =
      read_text("a.xlsx", make_xlsx("<row r=\"1\">" + text("B1", "Jan") + text("C1", "Feb") + "</row><row r=\"2\">" +
                                    text("A2", "Rent") + text("B2", "900") + text("C2", "910") + "</row><row r=\"3\">" +
                                    text("B3", "5") + text("C3", "6") +
                                    "</row></sheetData><mergeCells><mergeCell ref=\"A2:A3\"/>"
                                    "</mergeCells><sheetData>"));
  EXPECT_EQ(document.text, "Staff\n\n| | Jan | Feb\n\nRent | 900 | 910\nRent | 5 | 6");
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

TEST(Pptx, TitlesComeFirstWhereverTheyAreDrawn) {
  test::Members members = test::pptx_parts();
  test::part_of(members, "ppt/slides/slide2.xml") = test::slide_of(
      "sld", test::slide_shape("body", "A ticket is 12 EUR.") + "<p:grpSp>" + test::slide_shape("title", "Fares") +
                 "</p:grpSp>" + test::slide_shape("body", "Pay on board."));
  const std::string text = read_text("a.pptx", make_zip(members)).text;
  EXPECT_TRUE(text.ends_with("Fares\n\n- A ticket is 12 EUR.\n- Pay on board.")) << text;
}

std::string make_odf(const std::string& type, const std::string& body, const std::string& styles = {}) {
  return make_zip({{"mimetype", "application/vnd.oasis.opendocument." + type},
                   {"content.xml",
                    "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"tb\" "
                    "xmlns:draw=\"d\" xmlns:presentation=\"p\">" +
                        styles + "<office:body>" + body + "</office:body></office:document-content>"},
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

TEST(OpenDocument, AllInOneFile) {
  const std::string spaces = " xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"b\" xmlns:dc=\"d\" xmlns:draw=\"w\"";
  const auto flat = [&](const std::string& body) {
    return "<?xml version=\"1.0\"?><office:document" + spaces +
           "><office:meta><dc:title>Lease</dc:title></office:meta><office:body>" + body +
           "</office:body></office:document>";
  };
  const rag::Document text = read_text(
      "a.fodt",
      flat(
          "<office:text><text:h text:outline-level=\"1\">Rent</text:h><text:p>The rent is 900 "
          "EUR.<draw:image><office:binary-data>iVBORw0KGgo=</office:binary-data></draw:image></text:p></office:text>"));
  EXPECT_EQ(text.format, "odt");
  EXPECT_EQ(text.title, "Lease");
  EXPECT_EQ(text.text, "Rent\n\nThe rent is 900 EUR.");
  const rag::Document sheet = read_text(
      "a.fods", flat("<office:spreadsheet><table:table table:name=\"Costs\"><table:table-row><table:table-cell><text:p>"
                     "Rent</text:p></table:table-cell><table:table-cell><text:p>900</text:p></table:table-cell>"
                     "</table:table-row></table:table></office:spreadsheet>"));
  EXPECT_EQ(sheet.format, "ods");
  EXPECT_EQ(sheet.text, "Costs\n\nRent | 900");
}

TEST(OpenDocument, MergedCellsKeepTheirColumns) {
  const auto cell = [](const std::string& attributes, const std::string& text) {
    return "<table:table-cell " + attributes + "><text:p>" + text + "</text:p></table:table-cell>";
  };
  const std::string covered = "<table:covered-table-cell/>";
  const auto row = [](const std::string& cells) { return "<table:table-row>" + cells + "</table:table-row>"; };
  const rag::Document document =
      read_text("a.odt", make_odf("text", "<office:text><table:table>" +
                                              row(cell("", "Team") + cell("", "Mon") + cell("", "Tue")) +
                                              row(cell("table:number-rows-spanned=\"2\"", "Red") +
                                                  cell("table:number-columns-spanned=\"2\"", "early") + covered) +
                                              row(covered + cell("", "") + cell("", "late")) + row(cell("", "Blue")) +
                                              "</table:table></office:text>"));
  EXPECT_EQ(document.text, "Team | Mon | Tue\nRed | early\nRed | | late\nBlue");
}

TEST(OpenDocument, PagesBeginWhereTextFlowsOverAndWhereAuthorsBreakThem) {
  const std::string styles =
      "<office:automatic-styles><style:style style:name=\"B\" xmlns:style=\"s\" "
      "xmlns:fo=\"f\"><style:paragraph-properties "
      "fo:break-before=\"page\"/></style:style><style:style style:name=\"M\" style:master-page-name=\"Standard\"/>"
      "</office:automatic-styles>";
  std::string odt =
      make_odf("text",
               "<office:text text:use-soft-page-breaks=\"true\"><text:p text:style-name=\"M\">one</text:p>"
               "<text:p text:style-name=\"B\">two</text:p><text:soft-page-break/><text:p>three</text:p>"
               "<text:h text:style-name=\"B\">four</text:h></office:text>",
               styles);
  const rag::Document document = read_text("a.odt", odt);
  std::vector<int> pages;
  for (const rag::Block& block : document.blocks) pages.push_back(block.page);
  EXPECT_EQ(pages, (std::vector{1, 2, 3, 4}));
}

TEST(OpenDocument, TitlesOfSlidesComeFirst) {
  const std::string odp =
      make_odf("presentation",
               "<office:presentation><draw:page><draw:frame presentation:class=\"outline\"><draw:text-box><text:p>"
               "They leave at noon.</text:p></draw:text-box></draw:frame><draw:frame presentation:class=\"title\">"
               "<draw:text-box><text:p>Ferries</text:p></draw:text-box></draw:frame></draw:page>"
               "</office:presentation>");
  const std::string text = read_text("a.odp", odp).text;
  EXPECT_LT(text.find("Ferries"), text.find("They leave")) << text;
}

TEST(OpenDocument, NotesStandBelowWhatCallsThem) {
  const std::string note =
      "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Heating included.</text:p>"
      "</text:note-body></text:note>";
  const rag::Document document =
      read_text("a.odt", make_odf("text",
                                  "<office:text><text:h text:outline-level=\"1\">Rent</text:h><text:p>The rent is "
                                  "900" +
                                      note + " EUR.</text:p><text:p>End.</text:p></office:text>"));
  EXPECT_EQ(document.text, "Rent\n\nThe rent is 900 EUR.\n\nHeating included.\n\nEnd.");
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

TEST(OpenDocument, SheetsOfAnySizeAreReadToTheirEnd) {
  const std::string spaces =
      " xmlns:office=\"o\" xmlns:table=\"t\" xmlns:text=\"x\" xmlns:style=\"s\" xmlns:draw=\"d\" xmlns:dc=\"dc\"";
  const auto cell = [](const std::string& text, const std::string& more = {}) {
    return "<table:table-cell><text:p>" + text + "</text:p>" + more + "</table:table-cell>";
  };
  std::string content =
      "<office:document-content" + spaces +
      "><office:automatic-styles><style:style style:name=\"ta2\"><style:table-properties "
      "table:display=\"false\"/></style:style></office:automatic-styles><office:body>"
      "<office:spreadsheet><table:table table:name=\"Berths\"><table:shapes><draw:frame><draw:text-box>"
      "<text:p>Harbour office</text:p></draw:text-box></draw:frame></table:shapes>";
  const std::string padding(400, 'x');
  constexpr int kRows = 42'000;  // 20 MiB
  for (int i = 1; i <= kRows; ++i) {
    content += "<table:table-row>" + cell("Berth " + std::to_string(i)) +
               cell(padding, i == 7 ? "<office:annotation><dc:creator>Ann</dc:creator><text:p>free?</text:p>"
                                      "</office:annotation>"
                                    : "") +
               "</table:table-row>";
  }
  content += "</table:table><table:table table:name=\"Rates\" table:style-name=\"ta2\"><table:table-row>" +
             cell("standard") + cell("19%") +
             "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>";
  const rag::Document document = read_text("a.ods", make_zip({{"content.xml", content}}));
  EXPECT_TRUE(document.notes.empty());
  const size_t n = document.blocks.size();
  ASSERT_EQ(n, kRows + 5U);
  EXPECT_EQ(block_text(document, 0), "Berths");
  EXPECT_EQ(block_text(document, kRows), "Berth " + std::to_string(kRows) + " | " + padding);
  EXPECT_EQ(document.blocks[kRows].line_begin, kRows);
  EXPECT_EQ(block_text(document, n - 4), "Comment by Ann on row 7: free?");
  EXPECT_EQ(block_text(document, n - 3), "Harbour office");
  EXPECT_EQ(block_text(document, n - 2), "Rates (hidden sheet)");
  EXPECT_EQ(block_text(document, n - 1), "standard | 19%");
  EXPECT_EQ(document.blocks[n - 1].page, 2);
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

// A book of three chapters, of which its contents say `contents` by `item`.
std::string book_with_contents(const std::string& item, const std::string& name, const std::string& contents) {
  std::string items = item;
  std::string spine;
  for (const char* id : {"a", "b", "c"}) {
    items.append("<item id=\"").append(id).append("\" href=\"").append(id);
    items += ".xhtml\" media-type=\"application/xhtml+xml\"/>";
    spine.append("<itemref idref=\"").append(id).append("\"/>");
  }
  return make_zip(
      {{"META-INF/container.xml", "<container><rootfiles><rootfile full-path=\"b.opf\"/></rootfiles></container>"},
       {"b.opf", "<package><manifest>" + items + "</manifest><spine>" + spine + "</spine></package>"},
       {name, contents},
       {"a.xhtml", "<html><body><p class=\"t\">The  Weir</p><p>Water falls.</p></body></html>"},
       {"b.xhtml", "<html><body><p>It rained.</p></body></html>"},
       {"c.xhtml", "<html><body><h1>Three</h1><p>It froze.</p></body></html>"}});
}

TEST(Epub, ChaptersWithoutHeadingsAreCalledAsTheContentsCallThem) {
  const std::string told = "The Weir\n\nWater falls.\n\nRain\n\nIt rained.\n\nThree\n\nIt froze.";
  const auto entry = [](const std::string& label, const std::string& target) {
    return "<navPoint><navLabel><text>" + label + "</text></navLabel><content src=\"" + target + "\"/>";
  };
  const rag::Document old = read_text(
      "a.epub",
      book_with_contents("<item id=\"n\" href=\"t/toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>", "t/toc.ncx",
                         "<ncx><navMap>" + entry("The Weir", "../a.xhtml") + entry("Foam", "../a.xhtml#f") +
                             "</navPoint></navPoint>" + entry("Rain", "../b.xhtml#top") + "</navPoint>" +
                             entry("Chapter 3", "../c.xhtml") + "</navPoint></navMap></ncx>"));
  EXPECT_EQ(old.text, told);
  EXPECT_EQ(old.blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(old.blocks[2].kind, BlockKind::kHeading);
  const rag::Document since = read_text(
      "a.epub",
      book_with_contents("<item id=\"n\" href=\"nav.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>",
                         "nav.xhtml",
                         "<html xmlns:epub=\"e\"><body><nav epub:type=\"landmarks\"><a href=\"b.xhtml\">Start</a></nav>"
                         "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">The <i>Weir</i></a></li><li>"
                         "<a href=\"b.xhtml\">Rain</a></li></ol></nav></body></html>"));
  EXPECT_EQ(since.text, told);
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
