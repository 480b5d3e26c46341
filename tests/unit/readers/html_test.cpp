#include <gtest/gtest.h>

#include <string>

#include "rag/readers/markup/html_nesting.h"
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

// What closes nothing is looked for an opening no further back than the last.
TEST(Html, XhtmlOfNothingButEndsOfElementsTakesItsTime) {
  std::string page = "<?xml version=\"1.0\"?><html><body><p>hello</p><a/>";
  for (int i = 0; i < 2'000'000; ++i) page += "/>";
  EXPECT_TRUE(read_text("a.xhtml", page).text.starts_with("hello"));
}

TEST(Html, PageOfFurnitureOnlyIsReadAnyway) {
  EXPECT_EQ(read_text("a.html", "<html><body><div id=\"menu\"><p>All there is.</p></div></body></html>").text,
            "All there is.");
}

// Words of names are as likely a subject as furniture.
TEST(Html, BlocksWithSentencesAreTextWhateverTheyAreCalled) {
  const rag::Document document = read_text(
      "a.html",
      "<body class=\"has-sidebar\"><div class=\"site-content with-sidebar\"><h1>Trattoria</h1><p>Open from noon.</p>"
      "<div id=\"menu\"><h2>Menu</h2><p>Risotto 14 euro</p></div><section id=\"social-security\"><h2>Social "
      "security</h2><p>The employer pays 21 percent.</p></section><section id=\"share-options\"><p>They vest after "
      "four "
      "years.</p></section><div id=\"share-price\">12.40 euro</div></div><div>Copyright 2024</div></body>");
  for (const char* text : {"Open from noon.", "Risotto 14 euro", "21 percent", "vest after four", "12.40 euro"}) {
    EXPECT_NE(document.text.find(text), std::string::npos) << text;
  }
}

TEST(Html, NavigationAndNoticesAreLeftOutByTheirNames) {
  const std::string links =
      "<a href=a>Home page of the firm</a> <a href=b>Products and services</a> <a href=c>About our people</a>";
  const std::string page =
      "<div class=\"site-menu\"><div>" + links +
      "</div></div><h1>Valves</h1><p>The valve opens at nine bar and closes "
      "at seven, as tests of last spring have shown.</p><div class=\"share\">Share this</div><div class=\"toc\"><h2>On "
      "this page</h2>" +
      links + "</div>";
  const rag::Document document = read_text("a.html", page);
  EXPECT_EQ(document.text,
            "Valves\n\nThe valve opens at nine bar and closes at seven, as tests of last spring have shown.");
}

TEST(Html, MainPartsHoldMostOfThePage) {
  const std::string short_words = "<p>Short introduction to the machine, written for those in a hurry.</p>";
  std::string sections;
  for (int i = 0; i < 6; ++i) {
    sections += "<section><h2>Part</h2><p>Grease the bearing every week with lithium soap.</p></section>";
  }
  const rag::Document teaser = read_text("a.html", "<article>" + short_words + "</article>" + sections);
  EXPECT_NE(teaser.text.find("lithium soap"), std::string::npos);
  EXPECT_NE(teaser.text.find("Short introduction"), std::string::npos);
  // Most of the text in what is usually furniture: then all of it is read.
  const rag::Document all = read_text("a.html", "<h1>Pumps</h1><aside>" + sections + "</aside>");
  EXPECT_NE(all.text.find("lithium soap"), std::string::npos);
  // What is left out beside the main part is told where it is much.
  const rag::Document main = read_text("a.html", "<main>" + sections + "</main><footer>" + sections + "</footer>");
  ASSERT_EQ(main.notes.size(), 1U);
  EXPECT_EQ(main.notes[0], "50 % of the page's text was left out as navigation and the like");
  EXPECT_TRUE(read_text("a.html", "<main>" + sections + "</main><footer>Imprint</footer>").notes.empty());
}

TEST(Html, RaisedAndLoweredTextIsNoPartOfANumber) {
  const auto text_of = [](const std::string& html) { return read_text("a.html", "<p>" + html + "</p>").text; };
  EXPECT_EQ(text_of("It holds 10<sup>6</sup> litres on 25 m<sup>2</sup>."), "It holds 10⁶ litres on 25 m².");
  EXPECT_EQ(text_of("The rate was 21<sup><a href=x>3</a></sup> percent<sup>[4]</sup>."),
            "The rate was 21³ percent[4].");
  EXPECT_EQ(text_of("2<sup>-3</sup> bar, e<sup>-2t</sup>, x<sup>n</sup>, 5<sup>3, 4</sup>"),
            "2⁻³ bar, e^(-2t), xⁿ, 5³, ⁴");
  EXPECT_EQ(text_of("H<sub>2</sub>O, 101<sub>2</sub>, x<sub>i</sub>"), "H2O, 101₂, xi");
  EXPECT_EQ(text_of("the 1<sup>st</sup>, le 2<sup>e</sup>, Brand<sup>TM</sup>, <sup>1</sup>/<sub>2</sub>"),
            "the 1st, le 2e, BrandTM, 1/2");
}

TEST(Html, OrderedListsShowTheirNumbers) {
  EXPECT_EQ(read_text("a.html",
                      "<ol start=4><li>Key.<li>Deposit.<ol type=a><li>by card<li>by cash</ol><li>Rubbish.<ul><li>paper"
                      "</ul></ol>")
                .text,
            "4. Key.\n5. Deposit.\n  a. by card\n  b. by cash\n6. Rubbish.\n  - paper");
  EXPECT_EQ(read_text("a.html", "<ol type=I><li value=9>one<li>two</ol><p>x</p><ol reversed><li>b<li>a</ol>").text,
            "IX. one\nX. two\n\nx\n\n2. b\n1. a");
  EXPECT_EQ(read_text("a.html", "<ol style='list-style-type: lower-alpha' start=26><li>z<li>aa</ol>").text,
            "z. z\naa. aa");
  EXPECT_EQ(
      read_text("a.html", "<ol style='list-style: none'><li>a</ol><p>x</p><ol><li><p>one</p><p>more</p><li>b</ol>")
          .text,
      "- a\n\nx\n\n1. one\n- more\n2. b");
}

TEST(Html, ParagraphsSetAsHeadingsAreHeadings) {
  const rag::Document document =
      read_text("a.html",
                "<p><font size=\"+3\"><b>Boats</b></font></p><p><b><a name=x><font size=5> Times </font></a></b></p>"
                "<p><font size=5>Large, not bold.</font></p><p><b>Bold, not large.</b></p>"
                "<p><font size=5><b>Note:</b></font> the rest is plain.</p><p><font size=2><b>Small</b></font></p>");
  ASSERT_EQ(document.blocks.size(), 6u);
  EXPECT_EQ(document.blocks[0].heading_level, 2);
  EXPECT_EQ(document.blocks[1].heading_level, 3);
  for (size_t i = 2; i < 6; ++i) EXPECT_EQ(document.blocks[i].kind, rag::BlockKind::kParagraph) << i;
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

TEST(Html, WhyNothingOfADeepPageIsRead) {
  std::string page;
  for (int i = 0; i < 3000; ++i) page += "<ins>";
  const auto document = read_document("a.html", as_bytes(page + "text"));
  ASSERT_FALSE(document.ok());
  EXPECT_NE(document.status().message().find("nested more than 1000 deep"), std::string::npos)
      << document.status().message();
}

TEST(Html, ElementsThatAreNeverClosedAreReadAll) {
  std::string page = "<body>\n";
  for (int i = 0; i < 5000; ++i) {
    page += "<DIV class='a>b'\n><span>Line " + std::to_string(i) + "<p>It says " + std::to_string(i) + ".</p>\n";
  }
  const auto document = read_document("a.html", as_bytes(page));
  ASSERT_TRUE(document.ok()) << document.status().message();
  for (const int i : {0, 399, 400, 401, 4999}) {
    const std::string n = std::to_string(i);
    EXPECT_NE(document->text.find("Line " + n + "\n\nIt says " + n + "."), std::string::npos) << i;
  }
  EXPECT_EQ(document->blocks.back().line_begin, 2 + 2 * 4999 + 1);
  EXPECT_TRUE(document->notes.empty()) << document->notes.front();
}

TEST(Html, OnlyWhatIsNestedTooDeepIsTakenFlat) {
  std::string flat;
  std::string page;
  for (size_t i = 0; i < kDeepestNesting; ++i) page += "<div>";
  const std::string deep = page + "a<div>b</div><span\nid=1>c</span></div><p>d";
  EXPECT_EQ(without_deep_nesting(deep, flat), page + "a<p>b<p>\nc</div><p>d");
  flat.clear();
  // None of these is open so deep.
  std::string wide;
  for (int i = 0; i < 1000; ++i)
    wide += "<div><p>a<li>b</div></span><!-- <div> --><script>'<div>'</script><br title=\"<div>\">";
  EXPECT_EQ(without_deep_nesting(wide, flat).data(), wide.data());
  for (const char* broken : {"", "<", "<div", "<div title='", "</", "<!--", "<script>", "<div>< div><3"}) {
    EXPECT_EQ(without_deep_nesting(broken, flat), broken);
  }
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
