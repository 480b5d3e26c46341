// Where quotations of a place lie: in which passage, and from where to where.
#include "rag/quoting/place_quotes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/quoting/gist_quotes.h"
#include "rag/quoting/outline/passage_outline.h"

namespace mneme::rag {
namespace {

std::string span_of(std::string_view text, const QuotedSentence& quote) {
  return std::string(text.substr(quote.byte_begin, quote.byte_end - quote.byte_begin));
}

// What begins there comes first, what the heading above says goes on behind it.
TEST(PlaceQuotes, SayWhichPassageBeginsThePlaceAndWhichGoesOn) {
  const std::vector<std::string> texts = {
      "7.2 Deliveries\n\nGoods are sent on Mondays.\n",
      "They are paid within a month.\n",
      "Goods that are late cost nothing.\n\n7.3 Invoices\n\nInvoices are sent by mail. Each names its "
      "order.\n\n7.4 Returns\n\nGoods come back in their boxes.\n",
      "Goods are counted.\n",
  };
  const std::vector<std::string> contexts = {"Contract", "Contract\nContract > 7 Payment > 7.3 Invoices", "Contract",
                                             "Contract > 7.3 Invoices > Counting"};
  std::vector<PassageOutline> outlines;
  outlines.reserve(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) outlines.emplace_back(texts[i], contexts[i]);
  const std::vector<QuotedSentence> quotes = quotes_of_place({.word = "", .number = "7.3"}, outlines);
  ASSERT_EQ(quotes.size(), 2u);
  EXPECT_EQ(quotes[0].passage, 2);
  EXPECT_EQ(quotes[0].text, "Invoices are sent by mail. Each names its order.");
  EXPECT_EQ(span_of(texts[2], quotes[0]), "7.3 Invoices\n\nInvoices are sent by mail. Each names its order.");
  EXPECT_EQ(quotes[1].passage, 1);
  EXPECT_EQ(quotes[1].text, "They are paid within a month.");
}

TEST(PlaceQuotes, ItsOwnSectionsBelongToIt) {
  const std::string text =
      "7 Payment\n\n7.1 Invoices\n\nInvoices are sent by mail. 8 Members count them.\n\n8 Returns\n\nGoods come back "
      "in their boxes.\n";
  const std::vector<PassageOutline> outlines = {PassageOutline(text, "Contract")};
  const std::vector<QuotedSentence> quotes = quotes_of_place({.word = "", .number = "7"}, outlines);
  ASSERT_EQ(quotes.size(), 1u);
  EXPECT_EQ(quotes[0].text, "Invoices are sent by mail. 8 Members count them.");
  EXPECT_TRUE(quotes_of_place({.word = "", .number = "9"}, outlines).empty());
}

TEST(GistQuotes, LieWhereTheySay) {
  const std::string before = "A short note of no use at all.\n";
  const std::string text =
      "# Tides\n\n## Abstract\n\nIt rains. Water rises twice a day in most harbours.\n\n## Methods\n\nA pole.\n";
  const std::vector<QuotePassage> passages = {{before, "Tides", "Tides"}, {text, "Tides", "Tides"}};
  const std::vector<QuotedSentence> quotes = quotes_of_gist(passages);
  ASSERT_EQ(quotes.size(), 1u);
  EXPECT_EQ(quotes[0].passage, 1);
  EXPECT_EQ(span_of(text, quotes[0]), "It rains. Water rises twice a day in most harbours.");
}

}  // namespace
}  // namespace mneme::rag
