#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"
#include "rag/chunking/chunker.h"
#include "tests/support/make_files.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::expect_well_formed;
using test::kinds;
using test::read_text;

TEST(Csv, RecordsWithQuotesAndTheirHeader) {
  const rag::Document document = read_text("a.csv", "name,note\nBob,\"two\nlines, \"\"quoted\"\"\"\nEve,x\n\nZoe,y");
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kHeading, BlockKind::kTableRow, BlockKind::kTableRow, BlockKind::kTableRow}));
  EXPECT_EQ(block_text(document, 1), "Bob,\"two\nlines, \"\"quoted\"\"\"");
  EXPECT_EQ(document.blocks[1].line_begin, 2);
  EXPECT_EQ(document.blocks[1].line_end, 3);
  expect_well_formed(document, true);
}

TEST(Csv, EveryChunkOfALongFileCarriesTheColumnNames) {
  std::string text = "city;population;country\r\n";
  for (int i = 0; i < 500; ++i) text += "City " + std::to_string(i) + ";" + std::to_string(i * 1000) + ";Land\r\n";
  const rag::Document document = read_text("a.csv", text);
  const auto chunks = chunking::chunk_document(document);
  ASSERT_GT(chunks.size(), 3u);
  for (const rag::Chunk& chunk : chunks) EXPECT_EQ(chunk.heading_path, "city;population;country");
}

TEST(Csv, WhatExportsWriteAboveTheTableIsNoHeader) {
  const rag::Document document = read_text("umsatz.csv",
                                           "sep=;\nKonto;DE89 3704\nInhaberin;Jana Meier\n\n"
                                           "Datum;Verwendungszweck;Betrag\n03.11.2026;\"Miete; November\";-980,00\n"
                                           "04.11.2026;Bäckerei;-7,40\n05.11.2026;Gehalt;2.700,00\n");
  const auto chunks = chunking::chunk_document(document, {.target_tokens = 8});
  ASSERT_GT(chunks.size(), 2u);
  EXPECT_EQ(chunks.back().heading_path, "Datum;Verwendungszweck;Betrag");
  EXPECT_EQ(chunks.back().line_end, 8);
  EXPECT_EQ(block_text(document, 0), "Konto;DE89 3704");
}

TEST(Csv, YearsNameColumnsAndWideTablesKeepAllNames) {
  EXPECT_EQ(read_text("a.csv", "Country,2021,2022\nChad,3,4\n").blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(read_text("a.csv", "Smith,1961,2022\nChad,1970,2021\n").blocks[0].kind, BlockKind::kTableRow);
  std::string names = "id";
  std::string row = "1";
  for (int i = 1; i < 100; ++i) {
    names += ",col" + std::to_string(i);
    row += "," + std::to_string(i);
  }
  std::string text = names + "\n";
  for (int i = 0; i < 200; ++i) text += row + "\n";
  for (const rag::Chunk& chunk : chunking::chunk_document(read_text("a.csv", text))) {
    EXPECT_EQ(chunk.heading_path, names);
  }
}

TEST(Csv, NumbersOnlyHaveNoHeaderAndUnclosedQuotesEnd) {
  EXPECT_EQ(read_text("a.tsv", "1\t2\n3\t4\n").blocks[0].kind, BlockKind::kTableRow);
  const rag::Document document =
      read_text("a.csv", "a,b\n\"never closed,1\n" + std::string(2'000'000, 'x') + "\nlast,row\n");
  EXPECT_EQ(block_text(document, document.blocks.size() - 1), "last,row");
}

TEST(Json, LongLinesAreCutIntoElements) {
  std::string text = "[";
  for (int i = 0; i < 300; ++i) {
    text += (i ? "," : "") + std::string("{\"id\":") + std::to_string(i) + ",\"text\":\"" + std::string(250, 'a') +
            ", [x\"}";
  }
  text += "]";
  const rag::Document document = read_text("a.json", text);
  EXPECT_GT(document.blocks.size(), 200u);
  expect_well_formed(document, true);
  std::string joined;
  for (size_t i = 0; i < document.blocks.size(); ++i) joined += block_text(document, i);
  EXPECT_EQ(joined, text);
}

TEST(Json, EscapedCharactersBecomeSearchable) {
  const rag::Document document =
      read_text("a.json", "{\"a\": \"\\u5409\\u7530 \\ud83d\\ude00 \\u0022 \\n \\ud800 end\"}\n");
  EXPECT_EQ(document.text, "{\"a\": \"吉田 😀 \\u0022 \\n \\ud800 end\"}\n");
}

TEST(Notebook, CellsArePages) {
  const rag::Document document =
      read_text("a.ipynb", R"({"cells":[{"cell_type":"markdown","source":["# Title\n","\n","Text *here*.\n","- item"]},
      {"cell_type":"code","source":"x = 1\nx","outputs":[{"data":{"text/plain":["1"]}}]}],"metadata":{}})");
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kListItem,
                                          BlockKind::kCode, BlockKind::kCode}));
  EXPECT_EQ(block_text(document, 3), "x = 1\nx");
  EXPECT_EQ(document.blocks[3].page, 2);
  EXPECT_EQ(read_document("a.ipynb", as_bytes("{\"cells\": 3}")).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(read_document("a.ipynb", as_bytes("{\"cells\": [")).status().code(), StatusCode::kCorruption);
  const std::string deep = "{\"cells\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_EQ(read_document("a.ipynb", as_bytes(deep)).status().code(), StatusCode::kResource);
}

TEST(Xml, TextOfElementsWithLines) {
  const rag::Document document =
      read_text("a.xml",
                "<?xml version=\"1.0\"?>\n<book>\n<title>The Book</title>\n<chapter><title>One</title>\n"
                "<para>Some <em>mixed</em>\ncontent here.</para></chapter>\n</book>");
  EXPECT_EQ(document.title, "The Book");
  EXPECT_EQ(block_text(document, 2), "Some mixed content here.");
  EXPECT_EQ(document.blocks[2].line_begin, 5);
  EXPECT_EQ(document.blocks[2].line_end, 6);
}

TEST(Xml, AttributesOnlyAndMalformedAreReadAsTheyStand) {
  EXPECT_NE(read_text("a.xml", "<config><item name=\"alpha\" value=\"1\"/></config>").text.find("alpha"),
            std::string::npos);
  const rag::Document broken = read_text("a.xml", "<a><b>text</a>");
  EXPECT_NE(broken.text.find("text"), std::string::npos);
  EXPECT_FALSE(broken.notes.empty());
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<a>";
  EXPECT_TRUE(read_document("deep.xml", as_bytes(deep)).ok());
}

TEST(Rtf, ParagraphsUnicodeAndSkippedDestinations) {
  const rag::Document document = read_text(
      "a.rtf",
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\info{\\title My Letter}{\\author X}}"
      "Caf\\'e9 \\u26085?\\u26412? \\b bold\\b0\\par Second\\~one{\\*\\unknown hidden}.\\par a\\cell b\\cell\\row}");
  EXPECT_EQ(document.title, "My Letter");
  EXPECT_EQ(document.text, "Café 日本 bold\n\nSecond one.\n\na | b");
}

TEST(Rtf, FontsHaveCodePagesOfTheirOwn) {
  const rag::Document document = read_text(
      "a.rtf",
      "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204{\\*\\fname Other;}Arial "
      "CYR;}{\\f2\\fnil\\fcharset2 Symbol{\\*\\falt Bookshelf};}{\\f3\\fcharset128 MS Gothic;}{\\f4\\cpg1250 Plain;}}"
      "Caf\\'e9 {\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} \\'e9\\f3 \\'93\\'fa\\'96\\'7b\\plain  5 {\\f2 m}m, "
      "20{\\f2\\u-3920 ?}C {\\f4 \\'b3}\\par}");
  EXPECT_EQ(document.text, "Café Привет é日本 5 µm, 20°C ł");
}

TEST(Rtf, OldCodePagesHiddenTextBoxesAndStylesInTheMiddle) {
  EXPECT_EQ(read_text("a.rtf", "{\\rtf1\\mac caf\\'8e}").text, "café");
  EXPECT_EQ(read_text("a.rtf", "{\\rtf1\\pca caf\\'82}").text, "café");
  EXPECT_EQ(read_text("a.rtf", "{\\rtf1\\ansi seen {\\v hidden \\'e9\\u233? }and \\v not\\v0 seen\\v x\\plain .}").text,
            "seen and seen.");
  EXPECT_EQ(
      read_text("a.rtf", "{\\rtf1{\\*\\do\\dobxpage\\dptxbx{\\dptxbxtext In a box.\\par}\\dpx9}\\pard Below.}").text,
      "In a box.\n\nBelow.");
  EXPECT_EQ(
      read_text("a.rtf", "{\\rtf1 See {\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt \\*\\cs12\\cf2 the list}}.}").text,
      "See the list.");
}

TEST(Rtf, RaisedTextDoesNotRunTogether) {
  const rag::Document document =
      read_text("a.rtf",
                "{\\rtf1\\ansi It holds 10{\\super 6} litres of 3\\sub 2\\nosupersub  and the 1{\\super st}.\\par "
                "A rate of 21 %{\\super\\chftn {\\footnote \\pard{\\super\\chftn } Since May.}} holds, 5\\super 2\\par "
                "3\\plain  m"
                "\\cell 10\\super 3\\super0\\cell\\row}");
  EXPECT_EQ(document.text,
            "It holds 10\u2076 litres of 3\u2082 and the 1st.\n\nA rate of 21 % holds, 5\u00b2\n\nSince May.\n\n3 m | "
            "10\u00b3");
}

TEST(Rtf, WhoWroteItHeadingsBoxesAndWhatWasDeleted) {
  const rag::Document document =
      read_text("a.rtf",
                "{\\rtf1\\ansi{\\stylesheet{\\s1\\outlinelevel0 heading 1;}}{\\info{\\author Ann "
                "Other}{\\creatim\\yr2024\\mo5\\dy3}}"
                "\\pard\\outlinelevel0 Terms\\par\\pard Pay by e\\_mail{\\deleted  or cash}.\\par"
                "{\\pict\\bin4 {}}{}{\\shp{\\*\\shpinst\\shpleft1{\\sp{\\sn x}{\\sv 1}}{\\shptxt In a box.\\par}}"
                "{\\shprslt In a box.}}End.}");
  EXPECT_EQ(document.title, "Terms");
  EXPECT_EQ(document.author, "Ann Other");
  EXPECT_EQ(document.date, "2024-05-03");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(document.text, "Terms\n\nPay by e-mail.\n\nIn a box.\n\nEnd.");
}

TEST(Rtf, WhyNothingOfDeepGroupsIsRead) {
  const std::string groups = "{\\rtf1 " + std::string(5000, '{') + "deep" + std::string(5001, '}');
  const auto document = read_document("a.rtf", as_bytes(groups));
  ASSERT_FALSE(document.ok());
  EXPECT_NE(document.status().message().find("nested more than 1000 deep"), std::string::npos)
      << document.status().message();
}

TEST(Rtf, NotesStandBelowWhatCallsThemAndStylesHead) {
  const rag::Document document = read_text("a.rtf",
                                           "{\\rtf1\\ansi{\\stylesheet{\\s0 Normal;}{\\s3\\outlinelevel1 heading "
                                           "2;}}\\pard\\s3 Rent\\par\\pard\\s0 It is 900"
                                           "{\\super\\chftn}{\\*\\footnote\\pard{\\super\\chftn} Heating\\par "
                                           "included.} EUR.\\par End.{\\footnote Really.}}");
  EXPECT_EQ(document.text, "Rent\n\nIt is 900 EUR.\n\nHeating included.\n\nEnd.\n\nReally.");
  EXPECT_EQ(document.blocks[0].heading_level, 2);
  EXPECT_TRUE(read_document("a.rtf", as_bytes("{\\rtf1 a{\\footnote b{\\footnote c")).ok());
}

TEST(Rtf, ALineEndBehindABackslashEndsAParagraph) {  // as TextEdit writes them
  const rag::Document document =
      read_text("a.rtf", "{\\rtf1\\ansi\nBoats leave\nat nine.\\\n\\\nTickets: 4 EUR\\line at the pier.}");
  EXPECT_EQ(document.text, "Boats leaveat nine.\n\nTickets: 4 EUR\nat the pier.");
}

TEST(Rtf, HeadersStandBehindAllAndFieldsOfPagesNowhere) {
  const rag::Document document =
      read_text("a.rtf",
                "{\\rtf1\\ansi{\\header\\pard Offer 4711\\par\\pard Ferry Ltd\\par}{\\footerr\\pard Page "
                "{\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}\\par}{\\footerl\\pard Pier 3}\\pard Boats leave.\\par}");
  EXPECT_EQ(document.text, "Boats leave.\n\nHeaders and footers\n\nOffer 4711\n\nFerry Ltd\n\nPier 3");
  EXPECT_EQ(document.title, "a") << "its file's name";
}

TEST(Rtf, CommentsStandBelowWithWhoWroteThem) {
  const rag::Document document = read_text(
      "a.rtf",
      "{\\rtf1\\ansi The rent is {\\*\\atrfstart 1}900{\\*\\atrfend 1}{\\*\\atnid AB}{\\*\\atnauthor Ann Body}\\chatn "
      "{\\*\\annotation{\\*\\atnref 1}{\\*\\atndate 17}\\pard Is this\\par net?} EUR.\\par End.\\par}");
  EXPECT_EQ(document.text, "The rent is 900 EUR.\n\nComment by Ann Body: Is this net?\n\nEnd.");
}

TEST(Rtf, CellsMayHoldParagraphsItemsAndTables) {
  const rag::Document document = read_text(
      "a.rtf",
      "{\\rtf1\\ansi\\trowd\\pard\\intbl Team\\cell\\pard\\intbl Duties\\cell\\row\\trowd\\pard\\intbl Red\\cell"
      "{\\listtext 1.\\tab}\\pard\\intbl Row\\par{\\listtext\\pard 2.\\tab}\\pard\\intbl Steer{\\footnote "
      "Slowly.}\\cell\\row"
      "\\trowd\\pard\\intbl Blue\\cell\\pard\\intbl Mon\\nestcell early\\nestcell{\\*\\nesttableprops\\nestrow}"
      "{\\nonesttables\\par}\\cell\\row\\pard Behind.\\par}");
  EXPECT_EQ(document.text, "Team | Duties\nRed | 1. Row 2. Steer\n\nSlowly.\n\nBlue | Mon early\n\nBehind.");
}

TEST(Rtf, ListsAndNumberedHeadingsShowTheirNumbers) {
  const rag::Document document = read_text(
      "a.rtf",
      "{\\rtf1\\ansi{\\stylesheet{\\s1\\outlinelevel0 heading 1;}}\\pard\\s1{\\listtext\\pard\\plain 2.1\\tab}Fees\\par"
      "{\\listtext 1.\\tab}\\pard\\ls1 Adults\\par{\\listtext o\\tab}\\pard\\ls1\\ilvl1 over 16\\par"
      "{\\pntext (b)\\tab}\\pard Children\\par{\\listtext 2.2\\tab}\\pard Dogs are free.\\par\\pard Cats\\emdash "
      "no.\\par}");
  EXPECT_EQ(document.text, "2.1 Fees\n\n1. Adults\n  - over 16\n(b) Children\n\n2.2 Dogs are free.\n\nCats\u2014no.");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kHeading);
}

TEST(Rtf, WhatIsCutOffIsRead) {
  EXPECT_EQ(read_text("a.rtf", "{\\rtf1\\pard\\intbl a\\cell b").text, "a | b");
  EXPECT_EQ(read_text("a.rtf", "{\\rtf1 a{\\header b").text, "a\n\nHeaders and footers\n\nb");
  EXPECT_TRUE(read_document("a.rtf", as_bytes("{\\rtf1 a" + std::string(100000, '\\') + "*\\'")).ok());
  EXPECT_TRUE(read_document("a.rtf", as_bytes("{\\rtf1 a\\*" + std::string(100000, '*'))).ok());
}

TEST(Mail, ASubjectWithoutEndIsCut) {
  std::string subject;
  for (int i = 0; i < 1000; ++i) subject += "=?utf-8?q?=C3=A4?= b ";
  const rag::Document document = read_text("a.eml", "From: a@example.org\nSubject: " + subject + "\n\nHello.\n");
  EXPECT_LE(document.title.size(), 1000u);
  EXPECT_GT(document.title.size(), 990u);
  EXPECT_TRUE(utf8::valid(document.title));
}

TEST(Mail, HeadersInUtf8MayBeCalledAscii) {
  const auto title_of = [](const std::string& word) {
    return read_text("a.eml", "From: a@example.org\nSubject: =?us-ascii?Q?" + word + "?=\n\nHello.\n").title;
  };
  EXPECT_EQ(title_of("Caf=C3=A9"), "Café");
  EXPECT_EQ(title_of("Caf=E9"), "Café");
}

TEST(Mail, HeadersBodyAndAttachments) {
  const std::string message =
      "From: =?UTF-8?B?SsO8cmdlbg==?= <j@example.org>\r\nTo: ann@example.org\r\nSubject: =?iso-8859-1?Q?Caf=E9_?=\r\n"
      " =?iso-8859-1?Q?today?=\r\nDate: Fri, 31 May 2024 10:00:00 +0200\r\nMIME-Version: 1.0\r\n"
      "Content-Type: multipart/mixed; boundary=\"b1\"\r\n\r\npreamble\r\n--b1\r\n"
      "Content-Type: multipart/alternative; boundary=b2\r\n\r\n--b2\r\nContent-Type: text/plain; charset=utf-8\r\n"
      "Content-Transfer-Encoding: quoted-printable\r\n\r\nHello Ann, it is a long=\r\n line with =C3=A4.\r\n\r\n> "
      "quoted\r\n"
      "--b2\r\nContent-Type: text/html\r\n\r\n<p>Hello HTML</p>\r\n--b2--\r\n--b1\r\n"
      "Content-Type: text/markdown; name=\"notes.md\"\r\nContent-Disposition: attachment; filename=\"notes.md\"\r\n"
      "Content-Transfer-Encoding: base64\r\n\r\nIyBOb3Rlcwo=\r\n--b1--\r\n";
  std::vector<ReadItem> items;
  const Status status = read_bytes("a.eml", as_bytes(message), {}, [&](ReadItem item) {
    items.push_back(std::move(item));
    return Status();
  });
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(items.size(), 2u);
  const rag::Document& mail = items[0].document;
  EXPECT_EQ(mail.title, "Café today");
  EXPECT_EQ(mail.author, "Jürgen <j@example.org>");
  EXPECT_EQ(mail.date, "2024-05-31");
  EXPECT_NE(mail.text.find("Hello Ann, it is a long line with ä."), std::string::npos) << mail.text;
  EXPECT_EQ(mail.text.find("HTML"), std::string::npos);
  EXPECT_EQ(mail.blocks.back().kind, BlockKind::kQuote);
  EXPECT_EQ(items[1].member, "notes.md");
  EXPECT_EQ(items[1].document.title, "Notes");
}

TEST(Mail, InvitationsNeedNoFileName) {
  const std::string message =
      "From: a@b.c\r\nSubject: Tea\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n"
      "Content-Type: text/plain\r\n\r\nCome to tea.\r\n--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n"
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Tea in the garden\r\nDTSTART:20260704T160000\r\nEND:VEVENT\r\n"
      "END:VCALENDAR\r\n--b--\r\n";
  std::vector<ReadItem> items;
  const Status status = read_bytes("a.eml", as_bytes(message), {}, [&](ReadItem item) {
    items.push_back(std::move(item));
    return Status();
  });
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].document.text.find("VCALENDAR"), std::string::npos);
  EXPECT_EQ(items[1].member, "invitation.ics");
  EXPECT_NE(items[1].document.text.find("Tea in the garden"), std::string::npos) << items[1].document.text;
}

TEST(Mail, PlainMessagesKeepTheirLines) {
  const rag::Document document =
      read_text("a.eml", "Subject: S\nFrom: a@b.c\n\nFirst paragraph\nof two lines.\n\nSecond.\n");
  ASSERT_EQ(document.blocks.size(), 3u);
  EXPECT_EQ(document.blocks[0].line_begin, 1);
  EXPECT_EQ(document.blocks[0].line_end, 2);
  EXPECT_EQ(document.blocks[1].line_begin, 4);
  EXPECT_EQ(document.blocks[1].line_end, 5);
  EXPECT_EQ(document.blocks[2].line_begin, 7);
}

TEST(Mail, EncodedBodiesHaveNoLines) {
  const rag::Document document =
      read_text("a.eml", "Subject: S\nFrom: a@b.c\nContent-Transfer-Encoding: base64\n\nVGhleSBsZWF2ZS4=\n");
  ASSERT_EQ(document.blocks.size(), 2u);
  for (const rag::Block& block : document.blocks) EXPECT_EQ(block.line_begin, 0);
}

std::string in_two_forms(const std::string& plain, const std::string& html) {
  return "From: a@b.c\nSubject: Order\nContent-Type: multipart/alternative; boundary=B\n\n--B\nContent-Type: "
         "text/plain\n\n" +
         plain + "\n--B\nContent-Type: text/html\n\n" + html + "\n--B--\n";
}

TEST(Mail, AStubDoesNotStandForTheMessage) {
  const std::string html = "<p>Thank you for ordering the samovar. It arrives on 7 May and costs 89 euro.</p>";
  for (const char* stub : {"Your e-mail program does not support HTML. Please view this message online.", "Hello"}) {
    const rag::Document document = read_text("a.eml", in_two_forms(stub, html));
    EXPECT_NE(document.text.find("samovar"), std::string::npos) << stub;
    EXPECT_EQ(document.text.find(stub), std::string::npos) << stub;
  }
  // What says the same in both is read as its author wrote it; so is what the HTML says nothing of.
  const std::string plain = "Thank you for ordering the samovar.\n\nIt arrives on 7 May; it costs 89 euro.";
  EXPECT_NE(read_text("a.eml", in_two_forms(plain, html)).text.find("; it costs"), std::string::npos);
  EXPECT_NE(read_text("a.eml", in_two_forms(plain, "<img src=x>")).text.find("; it costs"), std::string::npos);
}

TEST(Mail, LinesOfQuotationsStayLines) {
  const rag::Document document =
      read_text("a.eml", "Subject: S\nFrom: a@b.c\n\nOn Monday you wrote:\n> What is\n> the price?\nIt is 500.\n");
  ASSERT_EQ(document.blocks.size(), 4U);
  EXPECT_EQ(block_text(document, 1), "On Monday you wrote:");
  EXPECT_EQ(block_text(document, 2), "> What is\n> the price?");
  EXPECT_EQ(document.blocks[2].kind, BlockKind::kQuote);
  EXPECT_EQ(document.blocks[2].line_begin, 5);
  EXPECT_EQ(document.blocks[2].line_end, 6);
  EXPECT_EQ(block_text(document, 3), "It is 500.");
  EXPECT_EQ(document.blocks[3].line_begin, 7);
}

TEST(Mail, MailboxGivesItsMessages) {
  const std::string box =
      "From a@b.c Fri May 31 10:00:00 2024\nSubject: One\n\nText one.\nFrom here on no new message.\n\n"
      "From d@e.f Sat Jun  1 10:00:00 2024\nSubject: Two\n\nText two.\n";
  std::vector<std::string> found;
  ASSERT_TRUE(read_bytes("a.mbox", as_bytes(box), {}, [&](ReadItem item) {
                found.push_back(item.member + ": " + item.document.title);
                return Status();
              }).ok());
  EXPECT_EQ(found, (std::vector<std::string>{"message 1: One", "message 2: Two"}));
}

TEST(Mail, SavedPagesGiveTheirHtml) {
  const rag::Document document =
      read_text("a.mhtml",
                "Subject: A page\nContent-Type: multipart/related; boundary=\"x\"\n\n--x\nContent-Type: text/html\n\n"
                "<html><head><title>Page</title></head><body><p>Saved text.</p></body></html>\n--x--\n");
  EXPECT_EQ(document.format, "mhtml");
  EXPECT_EQ(document.text, "Saved text.");
}

std::vector<ReadItem> items_of(std::string_view name, const std::string& message) {
  std::vector<ReadItem> items;
  const Status status = read_bytes(name, as_bytes(message), {}, [&](ReadItem item) {
    items.push_back(std::move(item));
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return items;
}

// As mailing lists write them, and programs that let pictures stand between the words.
TEST(Mail, ABodyInSeveralPartsIsReadWhole) {
  const std::string message =
      "From: a@b.c\nSubject: Crane\nContent-Type: multipart/mixed; boundary=o\n\n--o\n"
      "Content-Type: multipart/alternative; boundary=i\n\n--i\nContent-Type: text/plain\n\n \n--i\n"
      "Content-Type: text/html\n\n<p>The crane comes on Monday.</p>\n--i--\n--o\n"
      "Content-Type: image/png\nContent-Disposition: inline\n\nxx\n--o\n"
      "Content-Type: text/plain\n\nIt costs 900 EUR.\n--o\n"
      "Content-Type: text/plain\nContent-Disposition: inline; filename=terms.txt\n\nTerms of the yard.\n--o\n"
      "Content-Type: text/plain\n\nUnsubscribe from crane-list.\n--o--\n";
  const std::vector<ReadItem> items = items_of("a.eml", message);
  ASSERT_EQ(items.size(), 2U);
  const std::string& text = items[0].document.text;
  EXPECT_NE(text.find("The crane comes on Monday."), std::string::npos) << text;
  EXPECT_NE(text.find("It costs 900 EUR."), std::string::npos) << text;
  EXPECT_NE(text.find("Unsubscribe"), std::string::npos) << text;
  EXPECT_EQ(text.find("Terms"), std::string::npos) << text;
  EXPECT_EQ(items[1].member, "terms.txt");
}

TEST(Mail, WhatIsPassedOnAndEqualNames) {
  const std::string inner = "From: x@y.z\nSubject: Inner\n\nThe old mail.\n";
  const std::string message =
      "From: a@b.c\nSubject: Fwd\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nSee below.\n"
      "--o\nContent-Type: message/rfc822\n\n" +
      inner + "--o\nContent-Type: message/rfc822\n\n" + inner +
      "--o\nContent-Type: text/plain\nContent-Disposition: attachment; filename=../../etc/a.txt\n\nfile\n--o--\n";
  const std::vector<ReadItem> items = items_of("a.eml", message);
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items[1].member, "message.eml");
  EXPECT_EQ(items[1].document.title, "Inner");
  EXPECT_EQ(items[2].member, "message.eml (2)");  // a document is known by its path: neither takes the other's place
  EXPECT_EQ(items[3].member, "etc/a.txt");
}

TEST(Mail, FileNamesInPieces) {
  const auto name_in = [](const std::string& disposition) {
    const std::vector<ReadItem> items =
        items_of("a.eml",
                 "From: a@b.c\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\ntext\n--o\nContent-Disposition: "
                 "attachment;\n " +
                     disposition + "\n\nfile\n--o--\n");
    return items.size() == 2 ? items[1].member : "none";
  };
  EXPECT_EQ(
      name_in("filename*0*=UTF-8''J%C3%A4hrlicher%20Bericht;\n filename*1*=%20%C3%BCber; filename*2=\" all.txt\""),
      "Jährlicher Bericht über all.txt");
  EXPECT_EQ(name_in("filename*=iso-8859-1'de'%E4.txt; filename=\"a.txt\""), "ä.txt");
  EXPECT_EQ(name_in("filename=\"say \\\"hi\\\"; now.txt\""), "say \"hi\"; now.txt");
  EXPECT_EQ(name_in("filename=two words.txt"), "two words.txt");
}

TEST(Mail, IsKnownWithoutAnExtension) {
  const std::string head = "Received: from x\nSubject: Kept in a file\nFrom: a@b.c\nMIME-Version: 1.0\n";
  EXPECT_EQ(read_text("1718.M5P6.host:2,S", head + "\nText.\n").title, "Kept in a file");
  const std::string box = "From - Mon Nov 24 10:00:00 2026\nX-Mozilla-Status: 0001\n" + std::string(5000, 'x') +
                          ": y\nSubject: Far down\nFrom: a@b.c\n\nText.\n";
  EXPECT_EQ(items_of("Inbox", box).at(0).document.title, "Far down");
  EXPECT_EQ(read_text("note", "From: the kitchen\nTo: all\nSubject: soup\n").format, "text");
}

TEST(Mail, NestedAndTruncatedMessagesEnd) {
  std::string deep;
  for (int i = 0; i < 200; ++i) {
    const std::string b = "b" + std::to_string(i);
    deep += "Content-Type: multipart/mixed; boundary=" + b + "\n\n--" + b + "\n";
  }
  deep += "\ntext at the bottom";
  // What lies deeper than anybody nests parts is text as it stands.
  EXPECT_NE(read_text("a.eml", deep).text.find("text at the bottom"), std::string::npos);
  std::string closed = "text at the bottom";
  for (int i = 0; i < 20; ++i) {
    const std::string b = "b" + std::to_string(i) + "x";
    closed = "Content-Type: multipart/mixed; boundary=" + b + "\n\n--" + b + "\n" + closed + "\n--" + b + "--\n";
  }
  const auto refused = read_document("a.eml", as_bytes(closed));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message().find("nested too deep"), std::string::npos) << refused.status().message();
  const std::string cut = "Subject: x\nContent-Type: multipart/mixed; boundary=q\n\n--q\n\nbody cut";
  EXPECT_NE(read_text("a.eml", cut).text.find("body cut"), std::string::npos);
}

}  // namespace
}  // namespace mneme::readers
