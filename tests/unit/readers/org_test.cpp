#include <gtest/gtest.h>

#include <string>

#include "rag/readers/document_builder.h"
#include "rag/readers/org/org_lines.h"
#include "rag/readers/org/org_words.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::expect_well_formed;
using test::kinds;
using test::read_text;

std::string words(std::string_view text) {
  return OrgWords().text(text);
}

TEST(OrgWords, LinksEmphasisAndFormulasAreRead) {
  EXPECT_EQ(words("a *bold*, /slanted/ and =verb *x*= ~code~ +gone+ word"),
            "a bold, slanted and verb *x* code gone word");
  EXPECT_EQ(words("a/b/c, 2*3*4, snake_case_name, path/to"), "a/b/c, 2*3*4, snake_case_name, path/to");
  EXPECT_EQ(words("[[https://example.org][the *manual*]] [[file:plan.pdf]] [[*Heading]] [[id:1-2]]x"),
            "the manual plan.pdf Heading x");
  EXPECT_EQ(words("\\(a^2\\) and $x$ cost $5 and $7"), "a² and x cost $5 and $7");
  EXPECT_EQ(words("\\alpha \\rightarrow{}b C:\\to \\unknown"), "α →b C:\\to \\unknown");
  EXPECT_EQ(words("<<place>>here, line\\\\\nnext"), "here, line" + std::string(kLineBreak) + "next");
}

TEST(OrgWords, DaysAreInWords) {
  EXPECT_EQ(words("on <2026-03-15 Sun>."), "on Sunday, 15 March 2026.");
  EXPECT_EQ(words("[2026-03-15 So 10:00-11:30]"), "Sunday, 15 March 2026, 10:00 to 11:30");
  EXPECT_EQ(words("<2026-03-15 Sun 10:00 +1w -3d>"), "Sunday, 15 March 2026, 10:00, every week");
  EXPECT_EQ(words("<2026-03-15 Sun .+2m>"), "Sunday, 15 March 2026, every 2 months");
  EXPECT_EQ(words("<2026-03-15>--<2026-03-17>"), "Sunday, 15 March 2026 to Tuesday, 17 March 2026");
  EXPECT_EQ(words("<2026-02-31> [1] <b>"), "<2026-02-31> [1] <b>");
}

TEST(OrgLines, HeadlinesAndTheirMarks) {
  OrgTodoWords todo;
  todo.take("ASK(a@/!) | SETTLED");
  const OrgHeadline headline = org_headline("** ASK [#B] COMMENTARY on tags  :home:it's:", todo);
  EXPECT_EQ(headline.level, 2);
  EXPECT_EQ(headline.todo, "ASK");
  EXPECT_EQ(headline.priority, "B");
  EXPECT_EQ(headline.title, "COMMENTARY on tags  :home:it's:");
  EXPECT_EQ(org_headline("* Title :home:urgent:", todo).tags, ":home:urgent:");
  EXPECT_FALSE(headline.is_comment);
  EXPECT_TRUE(org_headline("* COMMENT Old", todo).is_comment);
  EXPECT_EQ(org_headline("*bold* text", todo).level, 0);
}

constexpr std::string_view kNotes = R"(#+TITLE: House renovation
#+AUTHOR: Ruth Amsel
#+DATE: <2026-02-03 Tue>
#+OPTIONS: toc:nil

Notes on the house
in Mill Lane.

* TODO [#A] Replace the *boiler*                 :heating:urgent:
  DEADLINE: <2026-03-15 Sun> SCHEDULED: <2026-03-01 Sun>
  :PROPERTIES:
  :CUSTOM_ID: boiler
  :END:
  :LOGBOOK:
  CLOCK: [2026-02-01 Sun 10:00]--[2026-02-01 Sun 11:00] =>  1:00
  :END:
  The pressure is 1.8 bar.[fn:1]
** DONE Offers
   CLOSED: [2026-02-10 Tue 18:20]
   #+CAPTION: What it costs
   | Firm  | Price |
   |-------+-------|
   | <l>   | <6>   |
   | Huber |  8900 |
   #+TBLFM: $2=1
** Things to buy
   - [X] insulation
   - [ ] vessel,
     25 litres
     1. blue
   - thermostat :: with /Zigbee/
* COMMENT Old ideas
  Paint it purple.
** Deeper
   Also purple.
* Garden
# a comment
  #+BEGIN_QUOTE
  Plant in
  autumn.
  #+END_QUOTE
  #+BEGIN_SRC sh :results output
  echo "water"
  ,* star
  #+END_SRC
  : at six
  \begin{equation}
  a_1 = 2
  \end{equation}
[fn:1] As the manual
says.
[fn:2] Nothing calls this.
)";

TEST(Org, ReadsAsItsReadersSeeIt) {
  const rag::Document document = read_text("house.org", kNotes);
  EXPECT_EQ(document.format, "org");
  EXPECT_EQ(document.title, "House renovation");
  EXPECT_EQ(document.author, "Ruth Amsel");
  EXPECT_EQ(document.date, "2026-02-03");
  EXPECT_EQ(document.text,
            "Notes on the house in Mill Lane.\n\n"
            "Replace the boiler\n\n- Status: TODO\n- Priority: A\n- Tags: heating, urgent\n"
            "- Deadline: Sunday, 15 March 2026\n- Scheduled: Sunday, 1 March 2026\n\n"
            "The pressure is 1.8 bar.\n\nFootnote: As the manual says.\n\n"
            "Offers\n\n- Status: DONE\n- Closed: Tuesday, 10 February 2026, 18:20\n\n"
            "Caption: What it costs\n\nFirm | Price\nHuber | 8900\n\n"
            "Things to buy\n\n- [X] insulation\n- [ ] vessel, 25 litres\n  1. blue\n- thermostat: with Zigbee\n\n"
            "Garden\n\nPlant in autumn.\n\n  echo \"water\"\n  * star\n\nat six\n\na₁ = 2\n\n"
            "Footnote: Nothing calls this.");
  EXPECT_EQ(document.blocks[0].line_begin, 6);
  EXPECT_EQ(document.blocks[0].line_end, 7);
  EXPECT_EQ(block_text(document, 7), "The pressure is 1.8 bar.");
  EXPECT_EQ(document.blocks[7].line_begin, 17);
  EXPECT_EQ(document.blocks[1].heading_level, 1);
  expect_well_formed(document, false);
}

TEST(Org, BlocksHaveTheirKinds) {
  EXPECT_EQ(
      kinds(read_text("a.org", "* H\n#+begin_quote\nq\n#+end_quote\n#+begin_example\ne\n#+end_example\n| a | b |\n")),
      (std::vector{BlockKind::kHeading, BlockKind::kQuote, BlockKind::kCode, BlockKind::kTableRow}));
}

TEST(Org, BrokenOnesEnd) {
  for (const std::string_view body :
       {"#+BEGIN_SRC\nnever ends", ":PROPERTIES:\nnever ends", "\\begin{x}\nnever ends", "[fn:1", "[[", "*", "* ", "- ",
        "|", "| a", "#+", "#+:", ":", "<2026-03-15", "[fn:1] [fn:1]", "text[fn:2]\n[fn:2] a[fn:2]", "\\\\", "$$"}) {
    const auto document = read_document("a.org", as_bytes("text\n" + std::string(body)));
    ASSERT_TRUE(document.ok()) << body;
    expect_well_formed(*document, false);
  }
  std::string marks = "x";
  for (int i = 0; i < 200'000; ++i) marks += " *a [[/b $c";
  EXPECT_TRUE(read_document("a.org", as_bytes(marks)).ok());
  EXPECT_TRUE(read_document("a.org", as_bytes("x" + std::string(300'000, '['))).ok());
}

TEST(Org, AFileOfSettingsAloneIsReadAsItIsWritten) {
  const rag::Document document = read_text("a.org", "#+TITLE: Only a title\n# and a comment\n");
  EXPECT_EQ(document.title, "Only a title");
  EXPECT_EQ(block_text(document, 0), "#+TITLE: Only a title\n# and a comment");
}

}  // namespace
}  // namespace mneme::readers
