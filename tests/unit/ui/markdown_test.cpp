#include "ui/widgets/markdown.h"

#include <utility>

#include <gtest/gtest.h>

#include "ui/widgets/excerpt.h"
#include "ui/widgets/html_tags.h"
#include "ui/widgets/quoted_markdown.h"

namespace mneme::ui {
namespace {

std::string text_of(const std::vector<Inline>& inlines) {
  std::string text;
  for (const Inline& in : inlines) text += in.text;
  return text;
}

TEST(Markdown, BlocksKeepKindAndText) {
  const auto blocks =
      parse_markdown("# Title\n\nWords **bold** and `code`.\n\n1. first\n2. second\n   - inner\n\n> quoted\n\n---\n");
  ASSERT_EQ(blocks.size(), 7u);
  EXPECT_EQ(blocks[0].kind, MarkdownKind::kHeading);
  EXPECT_EQ(blocks[0].level, 1);
  EXPECT_EQ(text_of(blocks[1].inlines), "Words bold and code.");
  EXPECT_EQ(blocks[2].marker, "1.");
  EXPECT_EQ(blocks[3].marker, "2.");
  EXPECT_EQ(blocks[4].level, 2);
  EXPECT_EQ(blocks[5].kind, MarkdownKind::kQuote);
  EXPECT_EQ(blocks[6].kind, MarkdownKind::kRule);
}

TEST(Markdown, ItemsHaveTheNumbersThatAreWritten) {
  const auto markers = [](const char* text) {
    std::string all;
    for (const MarkdownBlock& block : parse_markdown(text)) all += block.marker + " ";
    return all;
  };
  EXPECT_EQ(markers("2. Rub it with salt. [1]\n8. Steam it. [1]\n"), "2. 8. ");
  EXPECT_EQ(markers("1. a\n1. b\n\n   7) c\n\n- d\n"), "1. 1. 7. • ");
  EXPECT_EQ(markers("3. a\n\n```\n9. no item\n```\n\n5. b\n"), "3.  5. ");
  EXPECT_EQ(markers("A line\n12. that goes on.\n\n2. a\n3. b\n"), " 2. 3. ");
  EXPECT_EQ(markers("2. a\n3. b\n\nA line\n12. that goes on.\n"), "2. 3.  ");
}

TEST(Markdown, CitationsBecomeChips) {
  const auto blocks = parse_markdown("It is so [1], and [12] too; not [0], [x] or [1000].");
  std::vector<int> found;
  for (const Inline& in : blocks.at(0).inlines) {
    if (in.citation > 0) found.push_back(in.citation);
  }
  EXPECT_EQ(found, (std::vector<int>{1, 12}));
  EXPECT_EQ(text_of(blocks[0].inlines), "It is so [1], and [12] too; not [0], [x] or [1000].");
}

// A quoted answer shows what the document says, not what its characters would mean in Markdown.
TEST(Markdown, QuotationsShowTheirCharacters) {
  for (const char* text : {"Nutzer\\*innen und Käufer*innen zahlen. [1]", "5 * 3 and a*b*c, __init__ and foo_bar_",
                           "`a` <b>tag</b> &amp; $x$", "# no heading", "> no quotation", "~~not struck~~"}) {
    const auto blocks = parse_markdown(as_quoted(text));
    ASSERT_EQ(blocks.size(), 1u) << text;
    EXPECT_EQ(blocks[0].kind, MarkdownKind::kParagraph) << text;
    EXPECT_EQ(text_of(blocks[0].inlines), text);
    for (const Inline& in : blocks[0].inlines) EXPECT_TRUE(!in.bold && !in.italic && !in.code) << text;
  }
  EXPECT_EQ(parse_markdown(as_quoted("It is so. [1]"))[0].inlines.back().citation, 1);
  const auto code = parse_markdown(as_quoted("```\nint *a_b;\n```\n- 2 * 3\n- 4 * 5\n"));
  ASSERT_EQ(code.size(), 3u);
  EXPECT_EQ(text_of(code[0].inlines), "int *a_b;\n");
  EXPECT_EQ(code[1].marker, "•");
  EXPECT_EQ(text_of(code[1].inlines), "2 * 3");
}

TEST(Markdown, AQuotedListEndsWithItsLastItem) {
  const auto blocks = parse_markdown(as_quoted("3. Fill it. [1]\n4. Rinse it. [1]\nGreen tea is best at 70. [2]\n"));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].marker, "3.");
  EXPECT_EQ(text_of(blocks[1].inlines), "Rinse it. [1]");
  EXPECT_EQ(blocks[2].kind, MarkdownKind::kParagraph);
  EXPECT_EQ(text_of(blocks[2].inlines), "Green tea is best at 70. [2]");
  const auto goes_on = parse_markdown(as_quoted("- one\n  and more\n- two\n"));
  ASSERT_EQ(goes_on.size(), 2u) << "an indented line belongs to its item";
}

TEST(Markdown, AQuotedItemAloneIsASentence) {
  for (const auto& [quoted, shown] :
       {std::pair{"4. Rinse it. [1]\nThen dry it. [1]", "4. Rinse it. [1]Then dry it. [1]"},
        std::pair{"- Count again.", "Count again."}, std::pair{"1986. That was the year.", "1986. That was the year."},
        std::pair{"2) So it is", "2) So it is"}}) {
    const auto blocks = parse_markdown(as_quoted(quoted));
    ASSERT_EQ(blocks.size(), 1u) << quoted;
    EXPECT_EQ(blocks[0].kind, MarkdownKind::kParagraph) << quoted;
    EXPECT_EQ(text_of(blocks[0].inlines), shown);
  }
}

TEST(Markdown, TagsOfAPageAreNotShownAndCodeIsLeftAlone) {
  EXPECT_EQ(without_tags("<aside markdown=\"1\" class='p'> <img src=\"a>b\" alt=\"x\"/> Words</aside>"), "  Words");
  EXPECT_EQ(without_tags("one<br>two<!-- not\nthis -->!"), "one  \ntwo!");
  for (const char* text :
       {"vector<int> and a < b > c", "`<p>` and ``<b> ` </b>``", "```\n<div>\n```\n", "<p never ends",
        "<!-- neither does this", "<https://example.org>", "`<", "<", "<Component prop>"})
    EXPECT_EQ(without_tags(text), text);
  EXPECT_EQ(without_tags("`a` <P>b</P>"), "`a` b");
}

TEST(Markdown, WhatAFileSaysOfItselfIsALineEach) {
  EXPECT_EQ(without_tags("---\ntitle: Crane\ndate: 2026\n---\nText"), "title: Crane  \ndate: 2026  \n\nText");
  const auto shown = parse_markdown(without_tags("---\ntitle: Nutzer*innen\nabout: <b>*innen</b> [1]\n---\n"));
  EXPECT_EQ(text_of(shown.at(0).inlines), "title: Nutzer*innenabout: <b>*innen</b> [1]") << "no Markdown";
  for (const char* text : {"---\nA line between rules\n---\n", "---\ntitle: never ends\n", "text\n---\na: b\n---\n"})
    EXPECT_EQ(without_tags(text), text);
}

TEST(Markdown, ALinesEndIsNoSpaceBetweenIdeographs) {
  EXPECT_EQ(text_of(parse_markdown("開発から\n本番に")[0].inlines), "開発から本番に");
  EXPECT_EQ(text_of(parse_markdown("開発から\nDevOps")[0].inlines), "開発から DevOps");
  EXPECT_EQ(text_of(parse_markdown("one\ntwo")[0].inlines), "one two");
  EXPECT_EQ(text_of(parse_markdown("**開発**\n本番")[0].inlines), "開発本番");
}

TEST(Markdown, QuotationsStandOneALine) {
  const auto blocks = parse_markdown("A first one,\ngoing on. [1]\nA second. [2]\n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(text_of(blocks[0].inlines), "A first one, going on. [1]A second. [2]");
  std::vector<std::string> begun;
  for (const Inline& in : blocks[0].inlines) {
    if (in.line_break) begun.push_back(in.text);
  }
  EXPECT_EQ(begun, std::vector<std::string>{"A second. "});
}

TEST(Markdown, TablesHaveRowsAndCells) {
  const auto blocks = parse_markdown("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n");
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_EQ(blocks[0].rows.size(), 3u);
  EXPECT_EQ(text_of(blocks[0].rows[2][1]), "4");
}

TEST(Markdown, CodeIsVerbatim) {
  const auto blocks = parse_markdown("```cpp\nint a[1];\n**not bold**\n```\n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].language, "cpp");
  EXPECT_EQ(blocks[0].inlines.at(0).text, "int a[1];\n**not bold**\n");
}

TEST(Markdown, ControlAndDirectionTricksAreShown) {
  EXPECT_EQ(printable("a\x1b[31mb\x07"), "a[31mb");
  EXPECT_EQ(printable("safe\u202Egpj.exe"), "safe\uFFFDgpj.exe");
}

TEST(Markdown, DeepNestingIsBounded) {
  parse_markdown(std::string(20000, '>') + " x");
}

TEST(Markdown, InlineMathsIsReadable) {
  const auto blocks = parse_markdown("So $E = mc^2$ and $\\frac{a+b}{2} \\leq \\sqrt{x_i}$.");
  EXPECT_EQ(text_of(blocks.at(0).inlines), "So E = mc² and (a+b)/2 ≤ √xᵢ.");
}

TEST(Markdown, AmountsInDollarsAreNoMaths) {
  for (const std::string text :
       {"1 @ $349.99 Member Discount $-50.00 & $299.99 USB", "between $5 and $6", "$5/$6 each", "costs $ 5 or 6 $"}) {
    EXPECT_EQ(text_of(parse_markdown(text).at(0).inlines), text);
  }
  EXPECT_EQ(text_of(parse_markdown("for $5, if $x^2$ holds").at(0).inlines), "for $5, if $x^2$ holds")
      << "the first two signs stand for each other; nothing is lost";
}

TEST(Markdown, ExcerptsAreWithoutMarks) {
  EXPECT_EQ(plain_excerpt("## Title\n\nSome **bold** text.\n\n- one\n- two\n", 200),
            "Title\nSome bold text.\n• one\n• two");
  EXPECT_EQ(plain_excerpt("As :pep:`8` says, :func:`open <a.open>` at 10:30, see :doc:`there.\n", 200),
            "As PEP 8 says, open at 10:30, see :doc:`there.");
  EXPECT_EQ(plain_excerpt("| a | b |\n|---|---|\n| 1 | 2 |\n", 200), "a  ·  b\n1  ·  2");
  EXPECT_EQ(plain_excerpt("| 1 | 2 |\n| 3 | 4 |\n\nText.", 200), "1  ·  2\n3  ·  4\nText.")
      << "its head is above the cut";
  EXPECT_EQ(plain_excerpt("| 1 | 2 |", 200), "1  ·  2");
  EXPECT_EQ(plain_excerpt("=====\nOwls\n=====\n\nText.\n\n===\n", 200), "Owls\nText.");
  EXPECT_EQ(plain_excerpt("Owls\n=====\nText = a", 200), "Owls\nText = a");
  EXPECT_EQ(
      plain_excerpt("Nests\n=====\n\n=====  ====\nSite   Pairs\n=====  ====\nNorth  2\nEast   10\n=====  ====\n\nText.",
                    200),
      "Nests\nSite  ·  Pairs\nNorth  ·  2\nEast  ·  10\nText.");
  EXPECT_EQ(plain_excerpt("The **price**{: data-type=\"term\"} and {: not closed", 200), "The price and {: not closed");
  EXPECT_EQ(plain_excerpt("One  \ntwo", 200), "One\ntwo") << "a forced break";
  EXPECT_EQ(plain_excerpt("---\ntitle: Owls\nweight: 2\n---\n\nText.", 200), "Text.");
  EXPECT_EQ(plain_excerpt("---\ntitle: Owls\nweight: 2\n---\n", 200), "title: Owls\nweight: 2") << "there is no more";
  EXPECT_EQ(plain_excerpt("One. Two.\n\nThree and four", 9), "One. Two…");
  EXPECT_EQ(plain_excerpt("One. Two.\n\nThree and four", 10), "One. Two…");
  EXPECT_EQ(plain_excerpt("Decision (four votes for, one against): no.", 23), "Decision (four votes…") << "whole words";
  EXPECT_EQ(plain_excerpt("Decision (four votes for, one against): no.", 25), "Decision (four votes for…");
  EXPECT_EQ(plain_excerpt("鲈鱼洗净，腌制十分钟。再蒸八分钟。", 12), "鲈鱼洗净…");
  const std::string cut = plain_excerpt(std::string(1000, 'x'), 50);
  EXPECT_EQ(cut, std::string(50, 'x') + "…");
}

TEST(Markdown, ExcerptsOfCodeAreItsLines) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(code_excerpt("    int a = 1;\n    if (a > 0) {\n    \t* b *\n    }\n\n", 9),
            (Lines{"int a = 1;", "if (a > 0) {", "    * b *", "}"}));
  EXPECT_EQ(code_excerpt("a\n  b\nc\nd\n", 2), (Lines{"a", "  b", "…"}));
  EXPECT_EQ(code_excerpt("a\n\n\nb", 3), (Lines{"a", "…"})) << "no blank lines before the end";
  EXPECT_EQ(code_excerpt("a\nb", 2), (Lines{"a", "b"}));
  EXPECT_EQ(code_excerpt("", 3), Lines{});
  EXPECT_EQ(code_excerpt("\n\n", 3), Lines{});
  EXPECT_EQ(code_excerpt("a\x1b[31mb", 3), Lines{"a[31mb"});
}

}  // namespace
}  // namespace mneme::ui
