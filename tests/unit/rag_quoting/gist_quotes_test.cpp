#include "rag/quoting/gist_quotes.h"

#include <gtest/gtest.h>

#include "rag/quoting/outline/plain_sentence.h"
#include "rag/quoting/outline/sentences.h"

namespace mneme::rag {
namespace {

std::string gist(std::string_view text, std::string_view title = "Tides") {
  const std::vector<QuotePassage> passages = {{text, title, title}};
  const std::vector<QuotedSentence> quotes = quotes_of_gist(passages);
  return quotes.empty() ? std::string() : quotes[0].text;
}

TEST(GistQuotes, TheAbstractBehindTheTitle) {
  EXPECT_EQ(gist("# Tides\n\nThe committee met three times in all of last year.\n\n## Abstract\n\nWater rises twice a "
                 "day in most "
                 "harbours. We measured when. It was early.\n\n## Methods\n\nA pole was put into the water.\n"),
            "Tides: Water rises twice a day in most harbours. We measured when. It was early.");
}

TEST(GistQuotes, ElseTheFirstSentencesWithShortOnesBeforeThem) {
  EXPECT_EQ(
      gist("12 Harbour Lane\nKelby\n\nDear Ann,\n\nIt rains. The tides have been higher than usual since May. Boats "
           "are tied twice.\n"),
      "It rains. The tides have been higher than usual since May. Boats are tied twice.");
  EXPECT_EQ(gist("![A pole. It stands in the muddy water of a harbour.](pole.png \"It was put there in the spring. It "
                 "is no more there now, alas.\")\n\nTides come and go here twice "
                 "a day.\n"),
            "Tides come and go here twice a day.");
}

TEST(GistQuotes, NotWhoseItIs) {
  EXPECT_EQ(
      gist("THE TIDE LICENCE\n\nCopyright (C) 2007 The Harbour, Inc. Everyone is\npermitted to copy this text.\n\n"
           "Preamble\n\nThe Tide Licence is a free licence for software.\n",
           "Tide licence"),
      "The Tide Licence is a free licence for software.");
}

TEST(GistQuotes, OfWhatHasNoSentencesTheBeginning) {
  EXPECT_EQ(gist("- milk\n- bread\n", "Shopping"), "milk bread");
  EXPECT_TRUE(quotes_of_gist({}).empty());
  EXPECT_EQ(gist(""), "");
}

TEST(PlainSentence, RolesOfReStructuredText) {
  EXPECT_EQ(plain_sentence(":pep:`3107` introduced syntax, see :ref:`the guards <guards>` and :func:`open`."),
            "PEP 3107 introduced syntax, see the guards and open.");
  EXPECT_EQ(plain_sentence("At 10:30:`x` or a: `y` it ends."), "At 10:30:x or a: y it ends.");
}

}  // namespace
}  // namespace mneme::rag
