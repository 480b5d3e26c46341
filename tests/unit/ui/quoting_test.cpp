// Words quoted with where they stand: from answers, cards and documents.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/ui/window_fixture.h"
#include "ui/view_model/cited_heading.h"
#include "ui/view_model/document_places.h"
#include "ui/view_model/quotation.h"

namespace mneme::ui {
namespace {

TEST(QuotationTest, WordsStandBeforeWhereTheyAreFrom) {
  EXPECT_EQ(quotation("three years", {"Handbook", "/docs/handbook.pdf", 3, 0, 0}, false),
            "“three years”\n— Handbook (/docs/handbook.pdf, page 3)\n");
  EXPECT_EQ(quotation(" The lease\nends\tin May.\n\n It goes on.\n", {"", "/docs/lease.txt", 0, 4, 7}, false),
            "“The lease ends\tin May.\n\nIt goes on.”\n— lease.txt (/docs/lease.txt, lines 4–7)\n")
      << "lines that ended for want of room go on, paragraphs stay apart";
  EXPECT_EQ(quotation("if (a)\n  b();", {"main.c", "/src/main.c", 0, 9, 9}, true),
            "if (a)\n  b();\n— main.c (/src/main.c, line 9)\n");
  EXPECT_EQ(reference_text({"Two\nlines", "/a\nb.md", 0, 0, 0}), "Two lines (/a b.md)");
}

TEST(QuotationTest, OnlyWhatThePassageSaysIsQuotedEachWithItsLines) {
  SourceView source;
  source.title = "Where to stay";
  source.document = "/d/guide.md";
  source.first_line = 20;
  source.text = "# Where to stay\n- **Hotel Meridian**, Skarvik.\nIt has 34 rooms.\n\n- The Lamp House, five\nrooms.\n";
  EXPECT_EQ(quotations(source, "Hotel Meridian, Skarvik.\n"),
            "“Hotel Meridian, Skarvik.”\n— Where to stay (/d/guide.md, line 21)\n");
  EXPECT_EQ(
      quotations(source, "Where to stay\nHotel Meridian, Skarvik.\nIt has 34 rooms.\nThe Lamp House, five rooms."),
      "“Hotel Meridian, Skarvik. It has 34 rooms.”\n— Where to stay (/d/guide.md, lines 21–22)\n\n"
      "“The Lamp House, five rooms.”\n— Where to stay (/d/guide.md, lines 24–25)\n");
  EXPECT_EQ(quotations(source, "There are thirty-four rooms in Skarvik."), "");
  source.first_line = 0;
  source.page = 7;
  DocumentPlaces places;
  places.passages = {{100, 7, "40:8"}};
  EXPECT_EQ(quotations(source, "It has 34 rooms.", &places, 100),
            "“It has 34 rooms.”\n— Where to stay (/d/guide.md, page 8)\n");
}

TEST(QuotationTest, AnAnswerNamesWhatItsNumbersStandFor) {
  MessageView answer = *with_an_answer()->conversation.messages[1];
  answer.text = "Three years [1].\n";
  answer.sources.push_back(answer.sources[0]);
  answer.sources[1].n = 2;
  answer.sources[1].cited = false;
  EXPECT_EQ(answer_with_references(answer), "Three years [1].\n\n[1] Handbook (/docs/handbook.md, lines 3–5)\n");
}

TEST(CitedHeadingTest, IsTheOneAboveTheLine) {
  const std::string passage =
      "## Stay\n\nMeridian.\n\n### Camping\n\nLyng.\n\n```\n# no heading\n```\n\n## Sights {#see}\n\nNorth Point.\n";
  const auto above = [&](const char* path, const char* words) {
    return heading_above(path, passage, passage.find(words));
  };
  EXPECT_EQ(above("Guide > Stay", "Meridian"), "Guide > Stay");
  EXPECT_EQ(above("Guide > Stay", "Lyng"), "Guide > Stay > Camping");
  EXPECT_EQ(above("Guide > Stay", "# no"), "Guide > Stay > Camping");
  EXPECT_EQ(above("Guide > Stay", "North"), "Guide > Sights");
  EXPECT_EQ(heading_above("Guide > Stay", "Meridian.\n## Sights\nNorth.\n", 20), "Guide > Sights");
  EXPECT_EQ(heading_above("", "#hash\n# Guide #\nwords", 16), "Guide");
  EXPECT_EQ(heading_above("Guide", "", 0), "Guide");
}

TEST(DocumentPlacesTest, LinesAndPagesOfBytes) {
  DocumentPlaces places;
  EXPECT_EQ(places.line_of(7), 0);
  EXPECT_EQ(places.page_of(7), 0);
  places.line_begins = line_begins_of("one\ntwo\n");
  EXPECT_EQ(places.line_of(0), 1);
  EXPECT_EQ(places.line_of(3), 1) << "the line's end is of the line";
  EXPECT_EQ(places.line_of(4), 2);
  places.passages = {{10, 2, "5:3"}, {40, 4, ""}};
  EXPECT_EQ(places.page_of(0), 2);
  EXPECT_EQ(places.page_of(14), 2);
  EXPECT_EQ(places.page_of(15), 3);
  EXPECT_EQ(places.page_of(99), 4);
}

// A Markdown file of seven lines, opened at the second of two like sentences.
class QuotingTest : public WindowTest {
 protected:
  QuotingTest() {
    const std::string text = "# Care\n\nWipe it.\n\n# Repair\n\nThe **warranty** is three years. Wipe it.\n";
    DocumentTextView view;
    view.source = snapshot_->conversation.messages[1]->sources[0];
    view.source.text = text.substr(text.find("# Repair"));
    view.source.line_begin = view.source.line_end = 7;
    view.source.first_line = 5;
    view.format = "markdown";
    view.text = std::make_shared<const std::string>(text);
    view.begin = text.find("# Repair");
    view.end = text.size();
    view.said = "The warranty is three years.";
    auto places = std::make_shared<DocumentPlaces>();
    places->line_begins = line_begins_of(text);
    view.places = places;
    snapshot_->document = view;
    for (int i = 0; i < 3; ++i) frame();
  }
  static std::string copied() {
    const char* text = ImGui::GetClipboardText();
    return text == nullptr ? "" : text;
  }
};

TEST_F(QuotingTest, TheWordsOfTheAnswerAreCopiedWithTheirLineByKeys) {
  press_shifted('C');
  EXPECT_EQ(copied(), "“The warranty is three years.”\n— Handbook (/docs/handbook.md, line 7)\n");
}

TEST_F(QuotingTest, WhatTheAnswerSaysInOtherWordsIsThePassage) {
  snapshot_->document->said = "It lasts for 36 months.";
  frame();
  press_shifted('C');
  EXPECT_EQ(copied(),
            "“# Repair\n\nThe **warranty** is three years. Wipe it.”\n— Handbook (/docs/handbook.md, lines 5–7)\n");
}

TEST_F(QuotingTest, WhatIsSelectedIsCopiedWithItsOwnLine) {
  const DocumentBox& box = drawer_.window().document;
  const auto select = [&](const DocumentPart& part, const std::string& words) {
    const auto& pieces = part.layout.layout().pieces;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const size_t at = pieces[i].text.find(words);
      if (at != std::string::npos) drawer_.window().selection = {&part, i, at, i, at + words.size(), false};
    }
    frame();
    press_shifted('C');
    return copied();
  };
  EXPECT_EQ(select(box.before, "Wipe"), "“Wipe”\n— Handbook (/docs/handbook.md, line 3)\n");
  EXPECT_EQ(select(box.passage, "Wipe it"), "“Wipe it”\n— Handbook (/docs/handbook.md, line 7)\n");
  // From bold letters to others: the file has marks between them.
  const auto& pieces = box.passage.layout.layout().pieces;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].text == "warranty") drawer_.window().selection = {&box.passage, i, 0, i + 1, 9, false};
  }
  frame();
  press_shifted('C');
  EXPECT_EQ(copied(), "“warranty is three”\n— Handbook (/docs/handbook.md, line 7)\n");
}

TEST_F(WindowTest, CopyingIsSaidForAMoment) {
  for (int i = 0; i < 3; ++i) frame();
  press_shifted('X');  // the keyboard is in use from here on, which rings around what it is on show
  const int before = frame();
  press_shifted('C');
  EXPECT_GT(frame(), before);
  EXPECT_GE(drawer_.window().copied_since, 0.0);
  for (int i = 0; i < 120; ++i) frame();
  EXPECT_LT(drawer_.window().copied_since, 0.0);
  EXPECT_EQ(frame(), before);
}

}  // namespace
}  // namespace mneme::ui
