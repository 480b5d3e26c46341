// What of a page is told: articles without what stands around them, pages of links, formulas, titles and dates.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::block_text;
using test::read_text;

void expect_told(const rag::Document& document, std::initializer_list<const char*> told) {
  for (const char* text : told) EXPECT_NE(document.text.find(text), std::string::npos) << text;
}

void expect_left_out(const rag::Document& document, std::initializer_list<const char*> left_out) {
  for (const char* text : left_out) EXPECT_EQ(document.text.find(text), std::string::npos) << text;
}

constexpr const char* kStory =
    "<p>The ferry to Northmouth was taken out of service on Monday because a crack was found in the hull.</p>"
    "<ul><li><a href=/hull>The report on the hull</a></ul>"
    "<p>Passengers are carried by two smaller boats until the repair is done, the harbour office said.</p>";

constexpr const char* kAround =
    "<div class=teasers><p>Ten recipes with rhubarb that everybody in the village should try out this spring.</p>"
    "<p>Our critic saw the new play at the Old Mill and came home rather disappointed by all of it.</p></div>";

std::string article(const std::string& head, const std::string& body) {
  return "<html><head><title>Ferry out of service | The Northmouth Gull</title>" + head + "</head><body><div>" + body +
         "</div></body></html>";
}

TEST(HtmlPages, OfAnArticleWhatItsProgramMarksIsRead) {
  const std::string story = std::string("<h1>Ferry out of service</h1><div class=by>By Ann Bell</div></header>");
  for (const char* body : {"<div itemprop=articleBody>", "<div class='text entry-content'>"}) {
    const rag::Document document =
        read_text("a.html", article("<meta property=og:type content=article>",
                                    std::string("<p>Log in</p><header>") + story + body + kStory + "</div>" + kAround));
    expect_told(document,
                {"Ferry out of service", "By Ann Bell", "crack was found", "report on the hull", "two smaller boats"});
    expect_left_out(document, {"rhubarb", "critic", "Log in"});
    ASSERT_EQ(document.notes.size(), 1U);
  }
}

TEST(HtmlPages, OfAnArticleWithoutMarksTheElementWithItsSentencesIsRead) {
  const std::string ld = "<script type=\"application/ld+json\">{\"@type\": \"NewsArticle\"}</script>";
  const rag::Document document = read_text(
      "a.html", article(ld, std::string("<div class=top><p>Subscribe now</p></div><div class=x><h1>Ferry</h1>") +
                                kStory + kStory + "<div class=share-links>Tell your friends</div>" +
                                "<p style='display: none'>Your browser is too old.</p></div><div>Weather: 12 C</div>"));
  expect_told(document, {"crack was found", "two smaller boats"});
  expect_left_out(document, {"Subscribe now", "Tell your friends", "browser is too old", "Weather"});
}

TEST(HtmlPages, WhatReadersWroteBelowAnArticleIsNoneOfIt) {
  const std::string comments =
      "<div id=comments><p>I have always said that this ferry was much too old for the waves of the outer harbour.</p>"
      "<p>And who is going to pay for all of this, I should like to know, if not we who live here.</p></div>";
  const std::string page = std::string("<h1>Ferry</h1>") + kStory + comments + comments;
  expect_left_out(read_text("a.html", article("<meta property=og:type content=article>", page)), {"too old", "pay"});
  expect_told(read_text("a.html", article("", page)), {"crack was found", "too old", "who is going to pay"});
  // A chapter about comments.
  const std::string chapter =
      "<section id=comments><h2>Comments</h2><p>A comment begins with two strokes and is passed over "
      "by the compiler.</p></section>";
  expect_told(read_text("a.html", article("<meta property=og:type content=article>", kStory + chapter)),
              {"two strokes"});
}

// A page that does not say that it is an article is read whole, whatever its classes are called.
TEST(HtmlPages, OtherPagesAreReadWhole) {
  const rag::Document document =
      read_text("a.html", article("", std::string("<div class=entry-content>") + kStory + "</div>" + kAround));
  expect_told(document, {"crack was found", "rhubarb", "critic"});
}

TEST(HtmlPages, ListsOfLinksInTheTextAreToldThoseAroundItAreNot) {
  const std::string links =
      "<ul><li><a href=hull.html>How a hull is examined by divers</a><li><a href=deck.html>How a deck is laid of "
      "planks of "
      "larch</a></ul>";
  const std::string menu =
      "<ul><li><a href=/>Home page of the harbour office</a><li><a href=/prices>Prices of the ferries and of all the "
      "berths</a></ul>";
  const rag::Document document = read_text("a.html", "<div><div>" + menu + "</div><div><h1>Boats</h1>" + kStory +
                                                         "<h2>See also</h2>" + links + "</div></div>");
  expect_told(document, {"examined by divers", "planks of larch"});
  expect_left_out(document, {"Prices of the ferries"});
}

TEST(HtmlPages, ContentsOfABookAreWhatItsFirstPageSays) {
  std::string chapters = "<h1>The Boat Builder</h1><p>Third edition.</p><div class=toc><dl>";
  for (const char* chapter : {"Choosing the timber", "Bending the ribs", "Laying the planks", "Caulking the seams"})
    chapters += std::string("<dt><a href=a.html>") + chapter + "</a></dt>";
  expect_told(read_text("a.html", chapters + "</dl></div>"),
              {"Third edition", "Bending the ribs", "Caulking the seams"});
  // Of a page whose text stands below, they are said by its headings.
  std::string page = "<h1>The Boat</h1><ul>";
  for (const char* part : {"Choosing the timber", "Bending the ribs", "Laying the planks", "Caulking the seams"})
    page += std::string("<li><a href='#p'>") + part + " in the spring</a>";
  expect_left_out(read_text("a.html", page + "</ul>" + kStory + kStory), {"in the spring"});
}

TEST(HtmlPages, LinksToAHeadingAreNoneOfItAndButtonsInItAre) {
  const rag::Document document = read_text(
      "a.html",
      "<h1>Tides<a class=headerlink href='#tides'>\xc2\xb6</a></h1><h2><a class=anchor href='#a'>#</a>Spring</h2>"
      "<h3><button>When is high water?</button></h3><p>At noon. <button>Send</button></p>"
      "<h3>Neap<span class=mw-editsection>[edit]</span></h3><p>See <a href='law.html#5'>\xc2\xa7</a> 5 and C<a "
      "href=cs.html#top>#</a>.</p>");
  EXPECT_EQ(document.text, "Tides\n\nSpring\n\nWhen is high water?\n\nAt noon.\n\nNeap\n\nSee § 5 and C#.");
}

TEST(HtmlPages, ReadingsOfCharactersAreLeftOut) {
  EXPECT_EQ(read_text("a.html",
                      "<p><ruby>\u6f22<rp>(</rp><rt>\u304b\u3093</rt><rp>)</rp>\u5b57<rt>\u3058</rt></ruby>\u306f</p>")
                .text,
            "\u6f22\u5b57\u306f");
}

TEST(HtmlPages, FormulasAreALineOfText) {
  const rag::Document document = read_text(
      "a.html",
      "<p>So <math><semantics><mrow><mi>x</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn>"
      "</mfrac></mrow><annotation encoding='application/x-tex'>x=\\frac{a+1}{2}</annotation></semantics></math> holds, "
      "<math><msqrt><msup><mi>b</mi><mn>2</mn></msup></msqrt><mo>+</mo><msub><mi>v</mi><mn>0</mn></msub></math>.</p>"
      "<p>A resistor of <img class=math alt='10 \\Omega'> and <img alt='$x^2$' src=a.png><img alt='A photo'>, "
      "<script type='math/tex'>\\frac{1}{2}</script>.</p>");
  EXPECT_EQ(block_text(document, 0), "So x=(a+1)/2 holds, √b²+v_0.");
  EXPECT_EQ(block_text(document, 1), "A resistor of 10 Ω and x², 1/2.");
}

TEST(HtmlPages, TitlesWithoutTheNameOfTheSiteAndDatesOfPublication) {
  const auto head_of = [](const std::string& head) {
    return read_text("a.html", "<html><head>" + head + "</head><body><p>Text.</p></body></html>");
  };
  const std::string title = "<title>Storm over the lakes - The Gull</title>";
  EXPECT_EQ(head_of(title).title, "Storm over the lakes - The Gull");
  EXPECT_EQ(head_of(title + "<meta property=og:site_name content='the gull'>").title, "Storm over the lakes");
  EXPECT_EQ(head_of(title + "<meta property=og:title content='Storm over the lakes'>").title, "Storm over the lakes");
  EXPECT_EQ(head_of(title + "<meta property=og:title content=Storm>").title, "Storm over the lakes - The Gull");
  EXPECT_EQ(read_text("a.html", "<h1>Storm</h1><p>Text.</p>").title, "Storm");
  EXPECT_EQ(read_text("a.html", "<p>Text.</p><h2>Notes</h2><p>More.</p>").title, "a");
  EXPECT_EQ(head_of("<script type='application/ld+json'>{\"datePublished\": \"2024-03-05T08:00\"}</script>").date,
            "2024-03-05T08:00");
  EXPECT_EQ(head_of("<meta itemprop=datePublished content=2024-03-05>").date, "2024-03-05");
  EXPECT_EQ(read_text("a.html", "<p>On <time pubdate datetime=2024-03-06>Wednesday</time> it rained.</p>").date,
            "2024-03-06");
  EXPECT_EQ(head_of("<meta property=article:author content='https://gull.example/ann'>").author, "");
}

TEST(HtmlPages, AByteOrderMarkIsNoText) {
  const rag::Document document = read_text(
      "a.html", "\xef\xbb\xbf<html><head><title>Harbour</title></head><body><p>The quay is open.</p></body></html>");
  EXPECT_EQ(document.title, "Harbour");
  EXPECT_EQ(document.text, "The quay is open.");
}

}  // namespace
}  // namespace mneme::readers
