// What an answer says with a source, and where the source says it.
#include "rag/answering/citations/cited_words.h"
#include "rag/answering/citations/cited_place.h"
#include "rag/answering/exchange/answer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mneme::rag {
namespace {

TEST(CitedWordsTest, WhatAnAnswerSaysWithASource) {
  const std::string answer =
      "It has a lid [2]. The warranty is **three years** [1][3].\nIt is blue [10]. Three more [1]";
  EXPECT_EQ(words_citing(answer, 2), "It has a lid\n");
  EXPECT_EQ(words_citing(answer, 1), ". The warranty is **three years**\n. Three more\n");
  EXPECT_EQ(words_citing(answer, 3), words_citing("It [2]. The warranty is **three years** [3]", 3));
  EXPECT_EQ(words_citing(answer, 10), "It is blue\n");
  EXPECT_EQ(words_citing(answer, 7), "");
  EXPECT_EQ(words_citing("[1]", 1), "");
  EXPECT_EQ(words_citing("Twice [1] [2][1]. Then [1", 1), "Twice\n") << "a row of citations says its words once";
}

TEST(CitedWordsTest, OneMarkMayNameSeveralSources) {
  constexpr std::string_view kAnswer = "The Elbe is long [1, 3]. The Oder is not [2-4] [5]; see [a, 2].";
  EXPECT_EQ(words_citing(kAnswer, 1), "The Elbe is long\n");
  EXPECT_EQ(words_citing(kAnswer, 2), ". The Oder is not\n");
  EXPECT_EQ(words_citing(kAnswer, 3), "The Elbe is long\n. The Oder is not\n");
  EXPECT_EQ(words_citing(kAnswer, 5), ". The Oder is not\n");
  EXPECT_EQ(words_citing(kAnswer, 6), "");
}

// A model that goes round in circles, or a page of marks that was quoted: no more is made of it than there is.
TEST(CitedWordsTest, RowsOfCitationsCostNoMoreThanTheirLength) {
  std::string answer = std::string(100'000, 'x');
  for (int i = 0; i < 100'000; ++i) answer += "[1]";
  EXPECT_EQ(words_citing(answer, 1), std::string(100'000, 'x') + "\n");
}

TEST(CitedWordsTest, AListIsCitedAsAWhole) {
  EXPECT_EQ(words_citing("Before.\n\nDescaling:\n1. Fill it.\n2. Rinse it. [1]", 1),
            "Descaling:\n1. Fill it.\n2. Rinse it.\n");
  EXPECT_EQ(words_citing("- butter [2]\n- flour\n- milk [1]", 1), "\n- flour\n- milk\n") << "since the one before";
  EXPECT_EQ(words_citing("A line.\nAnother line. [1]", 1), "Another line.\n") << "no list";
  EXPECT_EQ(words_citing("1) one\n\n2) two [1]", 1), "2) two\n");
}

TEST(CitedWordsTest, WhatALongerStretchSaysIsNotMarkedElsewhere) {
  const std::string text = "Hold it for three seconds to begin. Hold TEMP for five seconds to clear the message.";
  const std::vector<Stretch> found = shared_stretches(text, "Hold TEMP for five seconds to clear the message.");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(text.substr(found[0].begin, found[0].end - found[0].begin),
            "Hold TEMP for five seconds to clear the message");
  EXPECT_EQ(shared_stretches("the blue door; the blue door", "the blue door").size(), 2u) << "the same twice is twice";
}

TEST(CitedWordsTest, RowsOfSingleWordsAreSaidWhereOneLineHasEveryCell) {
  const std::string table = "Item\tPrice\nNut\t4\nWasher\t1\n\nWasher, 1: prose\n| Bolt | 3 |\n";
  const auto rows = [&](const std::string& said) {
    std::vector<std::string> found;
    for (const Stretch& s : said_rows(table, said)) found.push_back(table.substr(s.begin, s.end - s.begin));
    return found;
  };
  using Rows = std::vector<std::string>;
  EXPECT_EQ(rows("Item: Washer; Price: 1\n"), Rows{"Washer\t1"}) << "the names of the columns alone are no row";
  EXPECT_EQ(rows("Item: Bolt; Price: 3\nItem: Nut; Price: 4\n"), (Rows{"Nut\t4", "| Bolt | 3 |"}));
  EXPECT_EQ(rows("Item: Nut; Price: 1\n"), Rows{}) << "cells of two rows";
  EXPECT_EQ(rows("Item: Nut\nPrice: 4\n"), Rows{}) << "in two lines";
  EXPECT_EQ(rows(""), Rows{});
}

TEST(CitedWordsTest, SharedWordsAreFoundThroughMarksAndLineBreaks) {
  const auto shared = [](const std::string& text, const std::string& said) {
    std::vector<std::string> parts;
    for (const Stretch& s : shared_stretches(text, said)) parts.push_back(text.substr(s.begin, s.end - s.begin));
    return parts;
  };
  using Parts = std::vector<std::string>;
  EXPECT_EQ(shared("The kettle has a **warranty of\nthree years**; keep it.", "a Warranty of three years."),
            Parts{"a **warranty of\nthree years"});
  EXPECT_EQ(shared("one two three, and later four five six", "four five six. One two three."),
            (Parts{"one two three", "four five six"}));
  EXPECT_EQ(shared("It was built in 1934 with 34 rooms.", "Rooms: many"), Parts{}) << "one word is too little";
  EXPECT_EQ(shared("It was built in 1934 with 340 rooms.", "340"), Parts{"340"}) << "unless it is all that was said";
  EXPECT_EQ(shared("somewhere else", "where else there is"), Parts{}) << "words are taken whole";
  EXPECT_EQ(shared("鲈鱼洗净，腌制十分钟。再蒸八分钟。", "腌制十分钟"), Parts{"腌制十分钟"});
  EXPECT_EQ(shared("", "anything at all"), Parts{});
  EXPECT_EQ(shared("anything at all", ""), Parts{});
  EXPECT_EQ(shared(std::string(100000, 'x'), std::string(100000, 'x')), Parts{})
      << "no word ends where what counts ends";
}

TEST(CitedWordsTest, TheFirstLineThatIsSaid) {
  const std::string text = "## Care\n\nWipe it.\n\n- Warranty: it is three years.\n";
  EXPECT_EQ(text.substr(first_line_said(text, "It is three years")), "- Warranty: it is three years.\n");
  EXPECT_EQ(first_line_said(text, "nothing of that"), 0u);
  EXPECT_EQ(first_line_said("It is three years.", "it is three years"), 0u);
  EXPECT_EQ(first_line_said("", ""), 0u);
}

TEST(FirstLineSaid, AHeadingThatIsRepeatedIsNotTheLine) {
  const std::string text = "Known limits\n\nIt is slow.\nThe ceiling counts memory when it is asked for.\n";
  EXPECT_EQ(text.substr(first_line_said(text, "Known limits: The ceiling counts memory when it is asked for.")),
            "The ceiling counts memory when it is asked for.\n");
}

TEST(FirstLineSaid, ARowIsWhatAllOfItsCellsAreSaidOf) {
  const std::string text =
      "# Tool rental price list\n\nWeek by week.\n\n| Tool | Day | Week |\n|---|---|---|\n| Drill | 12 € | 50 € |\n"
      "| Saw | 12 € | 140 € |\n";
  const auto line = [&](std::string_view said) {
    const size_t begin = first_line_said(text, said);
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(line("Tool: Saw; Day: 12 €; Week: 140 €"), "| Saw | 12 € | 140 € |");
  EXPECT_EQ(line("Tool: Drill; Day: 12 €; Week: 50 €"), "| Drill | 12 € | 50 € |");
  EXPECT_EQ(line("Tool rental price list: Tool: Saw; Day: 12 €; Week: 140 €"), "| Saw | 12 € | 140 € |")
      << "a heading longer than the row counts nothing";
  EXPECT_EQ(line("Tool rental price list:"), "# Tool rental price list") << "unless nothing else is said";
}

TEST(CitedPlace, IsTheLineOfTheFile) {
  Citation citation;
  citation.n = 1;
  Hit& hit = citation.source;
  hit.text = "date,category,amount\n2025-09-12,boiler service,96.00\n2025-10-28,theatre tickets,78.00";
  hit.line_start = 5;
  hit.line_end = 7;
  const CitedPlace place = cited_place(citation, "date: 2025-10-28; category: theatre tickets; amount: 78.00 [1]");
  EXPECT_EQ(place.line, 7) << "not the head, which says the names of the columns";
  EXPECT_EQ(hit.text.substr(place.byte), "2025-10-28,theatre tickets,78.00");
  EXPECT_EQ(cited_place(citation, "[1]").line, 0) << "nothing is said";
  hit.line_end = 9;
  EXPECT_EQ(cited_place(citation, "2025-10-28, theatre tickets [1]").line, 0)
      << "lines of the file that the passage has not";
  hit.line_start = hit.line_end = 0;
  EXPECT_EQ(cited_place(citation, "2025-10-28, theatre tickets [1]").line, 0);
}

TEST(CitedPlace, CodeBetweenFencesIsWhatIsSaid) {
  Citation citation;
  citation.n = 1;
  Hit& hit = citation.source;
  hit.text = "// joins lines\n\nvoid clear();\n\nint join(Lines lines) {\n  return lines.size();\n}";
  hit.line_start = 40;
  hit.line_end = 46;
  const std::string_view answer = "```\nint join(Lines lines) {\n  return lines.size();\n}\n```\n[1]";
  EXPECT_EQ(cited_place(citation, answer).line, 44);
  EXPECT_EQ(words_citing("```\n```\n[1]", 1), "");
  EXPECT_EQ(words_citing("\n```\n[1]", 1), "");
}

// Which row it was is not found by its words: "12" stands in two of them.
TEST(CitedPlace, OfQuotationsIsTheirs) {
  Citation citation;
  citation.n = 1;
  citation.source.text = "Prices\n\na 12\nb 12\nc 30";
  citation.source.line_start = 11;
  citation.source.line_end = 15;
  citation.source.page = 2;
  citation.source.page_marks = "13:3";
  citation.quotes = {{13, 17}};
  CitedPlace place = cited_place(citation, "Prices: 12 [1]");
  EXPECT_EQ(place.byte, 13u);
  EXPECT_EQ(place.line, 14);
  EXPECT_EQ(place.last_line, 14);
  EXPECT_EQ(place.page, 3);
  citation.quotes.push_back({8, 12});
  place = cited_place(citation, "Prices: 12 [1]\nPrices: 12 [1]");
  EXPECT_EQ(place.byte, 13u) << "the best one";
  EXPECT_EQ(place.line, 13) << "from the first line that is quoted";
  EXPECT_EQ(place.last_line, 14) << "to the last";
  citation.source.line_end = 20;
  EXPECT_EQ(cited_place(citation, "").line, 0) << "lines of the file that the passage has not";
}

TEST(CitedPlace, IsThePageOfTheWords) {
  Citation citation;
  citation.n = 1;
  Hit& hit = citation.source;
  hit.text = "The first page ends here.\n\nA second page tells of mills.\n\nThe fourth tells of rivers.";
  hit.page = 11;
  hit.page_marks = "27:12 58:14";
  EXPECT_EQ(cited_place(citation, "The first page ends here. [1]").page, 11);
  EXPECT_EQ(cited_place(citation, "A second page tells of mills. [1]").page, 12);
  EXPECT_EQ(cited_place(citation, "The fourth tells of rivers. [1]").page, 14);
  EXPECT_EQ(cited_place(citation, "[1]").page, 11) << "nothing is said";
}

}  // namespace
}  // namespace mneme::rag
