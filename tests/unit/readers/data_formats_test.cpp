#include <gtest/gtest.h>

#include <string>

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

TEST(Mail, NestedAndTruncatedMessagesEnd) {
  std::string deep;
  for (int i = 0; i < 200; ++i) {
    const std::string b = "b" + std::to_string(i);
    deep += "Content-Type: multipart/mixed; boundary=" + b + "\n\n--" + b + "\n";
  }
  deep += "\ntext at the bottom";
  EXPECT_FALSE(read_document("a.eml", as_bytes(deep)).status().message() == "never");
  EXPECT_TRUE(
      read_document("a.eml", as_bytes("Subject: x\nContent-Type: multipart/mixed; boundary=q\n\n--q\n\nbody cut"))
          .ok());
}

}  // namespace
}  // namespace mneme::readers
