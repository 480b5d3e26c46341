#include <gtest/gtest.h>

#include <string>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::expect_well_formed;
using test::kinds;
using test::read_text;

TEST(Html, MainTextWithoutFurniture) {
  const rag::Document document = read_text("page.html", R"(<!doctype html>
<html><head><title>The  Page</title><meta name="author" content="Ann"><meta property="article:published_time"
content="2024-05-31T08:00:00Z"><script>var x = "never";</script><style>.a{}</style></head>
<body><nav><a href="/">Home</a></nav><div class="site-sidebar">Links</div>
<main><h1>Heading</h1>
<p>First <b>bold</b> text
over two lines.</p>
<ul><li>one<ul><li>nested</li></ul></li><li>two</li></ul>
<table><tr><th>Name</th><th>Age</th></tr><tr><td>Bob</td><td>3</td></tr></table>
<pre>code
  kept</pre><blockquote><p>quoted</p></blockquote>
<p hidden>invisible</p></main><footer>Imprint</footer></body></html>)");
  EXPECT_EQ(document.title, "The Page");
  EXPECT_EQ(document.author, "Ann");
  EXPECT_EQ(document.date, "2024-05-31T08:00:00Z");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kListItem,
                                          BlockKind::kListItem, BlockKind::kListItem, BlockKind::kTableRow,
                                          BlockKind::kTableRow, BlockKind::kCode, BlockKind::kQuote}));
  EXPECT_EQ(block_text(document, 1), "First bold text over two lines.");
  EXPECT_EQ(document.blocks[1].line_begin, 6);
  EXPECT_EQ(document.blocks[1].line_end, 7);
  EXPECT_EQ(block_text(document, 3), "  - nested");
  EXPECT_EQ(block_text(document, 6), "Bob | 3");
  EXPECT_EQ(block_text(document, 7), "code\n  kept");
  for (const char* absent : {"never", "Home", "Links", "Imprint", "invisible"}) {
    EXPECT_EQ(document.text.find(absent), std::string::npos) << absent;
  }
  expect_well_formed(document, false);
}

TEST(Html, EntitiesAndDeclaredEncoding) {
  EXPECT_EQ(read_text("a.html", "<p>a&nbsp;&lt;b&gt; &amp;&#228;</p>").text, "a <b> &ä");
  EXPECT_EQ(read_text("a.html", "<html><meta charset=\"windows-1252\"><p>caf\xe9 \x80</p>").text, "café €");
}

TEST(Html, XhtmlWithEmptyElements) {
  const rag::Document document = read_text(
      "a.xhtml",
      "<?xml version=\"1.0\"?><html><head><script src=\"a\"/><title>T</title></head><body><p/><p>x</p></body></html>");
  EXPECT_EQ(document.title, "T");
  EXPECT_EQ(document.text, "x");
}

TEST(Html, PageOfFurnitureOnlyIsReadAnyway) {
  EXPECT_EQ(read_text("a.html", "<html><body><div id=\"menu\"><p>All there is.</p></div></body></html>").text,
            "All there is.");
}

TEST(Html, LayoutTablesAreReadAsText) {
  const rag::Document document = read_text(
      "a.html", "<table><tr><td><table><tr><td>a</td><td>b</td></tr></table><p>A paragraph.</p></td></tr></table>");
  EXPECT_EQ(document.text, "a | b\n\nA paragraph.");
}

TEST(Html, CellsOverSeveralRowsAndColumns) {
  const rag::Document document = read_text(
      "a.html",
      "<table><tr><th>Team</th><th>Mon</th><th>Tue</th></tr><tr><td rowspan=2>Red</td><td colspan=2>early</td></tr>"
      "<tr><td></td><td>late</td></tr><tr><td>Blue</td><td>late</td><td rowspan=999999>early</td></tr></table>"
      "<table><tr><td colspan=9>One wide cell.</td></tr></table>");
  EXPECT_EQ(document.text, "Team | Mon | Tue\nRed | early\nRed | | late\nBlue | late | early\n\nOne wide cell.");
}

TEST(Html, LinesThatTheAuthorEndedStayLines) {
  const rag::Document document =
      read_text("a.html",
                "<h1>Harbour<br>Office</h1><p>12 Quay Road<br>\n  Northmouth<br/></p><p>One.<br><br>Two.</p>"
                "<ul><li>Monday<br>9 to 5</ul><table><tr><td>a<br>b</td><td>c</td></tr></table>");
  EXPECT_EQ(document.text,
            "Harbour Office\n\n12 Quay Road\nNorthmouth\n\nOne.\n\nTwo.\n\n- Monday\n  9 to 5\n\na b | c");
  expect_well_formed(document, false);
}

TEST(Html, DeepNestingNeitherCrashesNorHangs) {
  for (const char* tag : {"<div>", "<b>", "<table><tr><td>", "<blockquote>", "<ul><li>", "<svg>", "<font><p>"}) {
    std::string page;
    for (int i = 0; i < 30'000; ++i) page += tag;
    page += "text";
    ReadLimits limits;
    limits.time = std::chrono::milliseconds(300);
    const auto document = read_document("deep.html", as_bytes(page), limits);
    if (!document.ok()) {
      EXPECT_FALSE(document.status().message().empty()) << tag;
    }
  }
}

}  // namespace
}  // namespace mneme::readers
