// Tables whose reader says that they are tables.
#include "rag/quoting/outline/records.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"
#include "rag/quoting/outline/passage_outline.h"
#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

using Fields = std::vector<std::string>;

TEST(Records, AreParted) {
  EXPECT_EQ(separator_of_records("a,b,c\n1,\"x;y;z\",3\n"), ',');
  EXPECT_EQ(separator_of_records("a;b\n1,5;2\n3,5;4\n"), ';');
  EXPECT_EQ(separator_of_records("a\tb\n1\t2\n"), '\t');
  EXPECT_EQ(separator_of_records("one line, of two"), ',');
  EXPECT_EQ(separator_of_records("words\nof nothing\n"), '\0');
  EXPECT_EQ(separator_of_records(""), '\0');
}

TEST(Records, FieldsMayHoldWhatPartsThem) {
  EXPECT_EQ(record_fields("Berg,\"Rings twice, waits\",0101", ','), (Fields{"Berg", "Rings twice, waits", "0101"}));
  EXPECT_EQ(record_fields("disk;\"3.5\"\" or\n  5.25\"\"\";", ';'), (Fields{"disk", "3.5\" or 5.25\""}));
  EXPECT_EQ(record_fields("6\" pipe,\"never closed,2", ','), (Fields{"6\" pipe", "never closed", "2"}));
  EXPECT_EQ(record_fields(",,", ','), Fields{});
}

TEST(Records, RowsMayHoldSentences) {
  const std::string_view text =
      "Date,Person,Vaccine,Doctor\n2019-05-03,Tobias,measles,Dr. Seidl\n2020-11-12,Mia,\"measles, mumps\n(first)\",Dr. "
      "Seidl. Next in May.\n\n2021-01-02,Mia,tetanus,Dr. Roth\n";
  const PassageOutline outline(text, "health vaccinations\nvaccinations\nDate,Person,Vaccine,Doctor", "vaccinations",
                               TextForm::kProse, true);
  ASSERT_EQ(outline.parts().size(), 4u);
  EXPECT_EQ(outline.parts()[0].span.kind, SentenceKind::kTableHead);
  EXPECT_EQ(outline.text_of(1), "Date: 2019-05-03; Person: Tobias; Vaccine: measles; Doctor: Dr. Seidl");
  EXPECT_EQ(outline.text_of(2),
            "Date: 2020-11-12; Person: Mia; Vaccine: measles, mumps (first); Doctor: Dr. Seidl. Next in May.");
  EXPECT_EQ(outline.text_of(3), "Date: 2021-01-02; Person: Mia; Vaccine: tetanus; Doctor: Dr. Roth");
}

TEST(Records, NamesOfColumnsMayBeNumbersAndStandAbove) {
  const PassageOutline first("City,2024,2025\nOslo,3,4\n", "a.csv\nCity,2024,2025", "a", TextForm::kProse, true);
  ASSERT_EQ(first.parts().size(), 2u);
  EXPECT_EQ(first.parts()[0].span.kind, SentenceKind::kTableHead);
  EXPECT_EQ(first.text_of(1), "City: Oslo; 2024: 3; 2025: 4");
  const PassageOutline next("Anna,cook\nBert,\"guard. Night\"\n", "a.csv\nName,Work", "a", TextForm::kProse, true);
  ASSERT_EQ(next.parts().size(), 2u);
  EXPECT_EQ(next.parts()[0].span.kind, SentenceKind::kRow) << "without a number, and yet no names";
}

TEST(Records, TheRowAskedForIsQuotedAlone) {
  const std::string_view text =
      "Date,Person,Vaccine,Doctor\n2019-05-03,Tobias,measles,Dr. Seidl\n2020-11-12,Mia,measles,Dr. Seidl\n";
  const auto quotes = quote_sentences("When did Mia get the measles vaccine?",
                                      std::vector<QuotePassage>{{.text = text,
                                                                 .context = "vaccinations\nDate,Person,Vaccine,Doctor",
                                                                 .title = "vaccinations",
                                                                 .of_records = true}});
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Date: 2020-11-12; Person: Mia; Vaccine: measles; Doctor: Dr. Seidl");
  EXPECT_EQ(quotes[0].byte_begin, text.find("2020"));
}

TEST(Records, OfAnyBytesAreSound) {
  constexpr std::string_view kPieces[] = {"\"",   "\"\"", ",",  ";", "\t",    "|", "\n",
                                          "\r\n", "a",    "12", " ", "sep=;", "é"};
  Random random(7);
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += kPieces[random.below(std::size(kPieces))];
    const char separator = separator_of_records(text);
    if (separator == '\0') continue;
    size_t end = 0;
    for (const Sentence& row : split_records(text, separator)) {
      EXPECT_GE(row.byte_begin, end) << text;
      EXPECT_GT(row.byte_end, row.byte_begin) << text;
      end = row.byte_end;
      record_fields(std::string_view(text).substr(row.byte_begin, row.byte_end - row.byte_begin), separator);
    }
    EXPECT_LE(end, text.size());
  }
}

}  // namespace
}  // namespace mneme::rag
