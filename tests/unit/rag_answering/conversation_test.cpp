// Where a conversation's questions are looked for: where the talk was, then everywhere; and pages by their number.
#include <gtest/gtest.h>

#include "tests/unit/rag_answering/asked_home.h"

namespace mneme::rag {
namespace {

std::string notebook(const std::vector<std::string>& cells) {
  std::string text = R"({"cells": [)";
  for (const std::string& cell : cells) {
    text += std::string(text.back() == '[' ? "" : ", ") + R"({"cell_type": "markdown", "source": ")" + cell + "\"}";
  }
  return text + "]}";
}

class ConversationTest : public AskedHome {
 protected:
  void SetUp() override {
    AskedHome::SetUp();
    if (HasFatalFailure()) return;
    docs_.write(
        "lease.md",
        "# Tenancy agreement\n\nThe landlord of the workshop is Margaret Osei.\n\n## Deposit\n\nThe tenant pays "
        "a deposit of 1,080 pounds before moving in.\n");
    docs_.write("van.txt",
                "Booking 88213, Larkfield Van Hire\nCollection: Friday 14 May 2027\nDeposit: 250 GBP, blocked on the "
                "card\nThe driver must be 25 years old.\n");
    docs_.write("kettle.md",
                "# Kettle\n\n## Descaling\n\nDescale the kettle when a white layer shows on its floor. With hard water "
                "this is about every six weeks.\n\n1. Fill in water.\n2. Rinse the kettle three times.\n\nNever boil "
                "citric acid: it leaves a deposit that cannot be removed.\n");
    docs_.write("survey.ipynb", notebook({"# Marsh survey\\nOwls were counted.", "Three nests were found in June.",
                                          "The fourth nest was empty."}));
    index_all();
  }
};

TEST_F(ConversationTest, IsLookedForFirstWhereTheTalkWas) {
  EXPECT_TRUE(ask({"Who is the landlord?", "What about the deposit?"}).text.find("1,080") != std::string::npos);
  EXPECT_TRUE(ask({"When do I collect the van?", "What about the deposit?"}).text.find("250") != std::string::npos);
}

TEST_F(ConversationTest, WhatIsAskedOfInPlaceOfAnotherIsSaid) {
  docs_.write("日程.txt", "レンタカー予約\n受け取り：2027年8月7日 9時、函館駅前店\n敷金：10,000円\n");
  index_all();
  const Answer answer = ask({"レンタカーはいつ受け取りますか？", "敷金は？"});
  EXPECT_TRUE(answer.text.starts_with("敷金：10,000円")) << answer.text << " (" << answer.standalone_query << ")";
}

TEST_F(ConversationTest, WhatIsNotToldThereIsLookedForEverywhere) {
  const Answer answer = ask({"Who is the landlord?", "And how old must the driver be?"});
  EXPECT_TRUE(answer.text.find("25 years") != std::string::npos) << answer.text;
}

TEST_F(ConversationTest, AQuestionOfSomethingElseIsNotAnsweredFromTheTalk) {
  docs_.write("cake.md",
              "# Plum cake\n\n## Ingredients\n\n- 4 eggs\n- 260 g wheat flour\n\n## Method\n\nBake the cake for 55 "
              "minutes.\n");
  docs_.write(
      "minutes.txt",
      "MINUTES\n\nThe channel has silted up to 3.1 metres; the ferry needs 2.8 metres.\n\nNext meeting: Friday 9 "
      "May 2031, in the net loft.\n");
  docs_.write("dishwasher.md", "# Dishwasher\n\n## Warranty\n\nThe warranty of the dishwasher is two years.\n");
  docs_.write("invoice.md",
              "# Invoice\n\n| Description | Amount |\n|---|---|\n| Hosting, 12 months | 240 GBP |\n"
              "| Website redesign | 3,400 GBP |\n");
  index_all();
  const auto said = [&](const std::vector<std::string>& questions, std::string_view words) {
    const Answer answer = ask(questions);
    EXPECT_NE(answer.text.find(words), std::string::npos) << questions.back() << " -> " << answer.text;
  };
  said({"When is the next meeting?", "How many eggs do I need for the cake?"}, "4 eggs");
  said({"When is the next meeting?", "How long does the cake bake?"}, "55 minutes");
  said({"What is the warranty of the dishwasher?", "How much is the hosting?"}, "240 GBP");
  said({"What is the warranty of the dishwasher?", "What is the price of the website redesign?"}, "3,400 GBP");
  said({"When do I collect the van?", "How much flour goes in?"}, "260 g");
  EXPECT_FALSE(ask({"When do I collect the van?", "What is the price of the bicycle?"}).in_documents);
  EXPECT_FALSE(ask({"What is the warranty of the dishwasher?", "How old is Oscar?"}).in_documents);
  EXPECT_FALSE(ask({"When do I collect the van?", "Wie alt ist Mia?"}).in_documents);
}

TEST_F(ConversationTest, AChineseQuestionBehindAJapaneseOneIsItsOwn) {
  docs_.write("租房合同.txt", "房屋租赁合同\n\n租金每月人民币4800元。\n押金为4800元。\n");
  docs_.write("賃貸契約.txt", "賃貸借契約書\n\n賃料は月額92,000円とする。\n敷金は賃料の1か月分とする。\n");
  index_all();
  const Answer other = ask({"租金每月多少钱？", "賃料はいくらですか？"});
  EXPECT_NE(other.text.find("92,000"), std::string::npos) << other.text;
  const Answer same = ask({"租金每月多少钱？", "押金呢？"});
  EXPECT_TRUE(same.text.starts_with("押金为4800元")) << same.text;
}

TEST_F(ConversationTest, WhatPointsBackIsNotLookedForByItself) {
  docs_.write("offsite.md", "# Offsite\n\n- Seehof: 129 euros a night\n- Berghotel: 98 euros a night\n");
  docs_.write("minutes.md", "# Minutes\n\nThe cheapest storage for the thumbnails is on tape.\n");
  index_all();
  const Answer answer = ask({"Which hotels are there for the offsite?", "Which one is the cheapest?"});
  EXPECT_EQ(answer.text.find("thumbnails"), std::string::npos) << answer.text;
}

TEST_F(ConversationTest, ThanksAreAnsweredWithoutASearch) {
  const Answer answer = ask({"Who is the landlord?", "Ok, thanks!"});
  EXPECT_EQ(answer.text, "You are welcome.");
  EXPECT_TRUE(answer.in_documents) << "nothing was refused";
  EXPECT_TRUE(answer.sources.empty());
  EXPECT_EQ(ask({"Hallo!"}).text, "Hallo! Was möchten Sie wissen?");
  EXPECT_NE(ask({"Who is the landlord?", "Thanks!", "What about the deposit?"}).text.find("1,080"), std::string::npos)
      << "the talk goes on behind it";
}

TEST_F(ConversationTest, ThisStandsForTheSentenceBefore) {
  const Answer answer = ask({"How often do I descale the kettle?"});
  EXPECT_TRUE(answer.text.starts_with("With hard water this is about every six weeks.")) << answer.text;
}

TEST_F(ConversationTest, PagesAreFoundByTheirNumber) {
  const Answer named = ask({"What is on page 2 of the marsh survey?"});
  EXPECT_TRUE(named.text.starts_with("Three nests were found in June. [1]")) << named.text;
  ASSERT_EQ(named.citations.size(), 1U);
  EXPECT_EQ(named.citations.front().source.page, 2);
  EXPECT_EQ(named.citations.front().source.text.find("fourth"), std::string::npos);
  EXPECT_TRUE(ask({"Which owls were counted?", "What is on page 3?"}).text.starts_with("The fourth nest was empty."));
  EXPECT_TRUE(ask({"What is on page 3?"}).text.starts_with("The fourth nest was empty.")) << "only one has pages";
  EXPECT_FALSE(ask({"What is on page 9 of the marsh survey?"}).in_documents);
}

TEST_F(ConversationTest, ADocumentIsToldOfAsAWhole) {
  EXPECT_EQ(ask({"What is the lease about?"}).text,
            "Tenancy agreement: The landlord of the workshop is Margaret Osei. [1]");
  EXPECT_TRUE(ask({"How often do I descale the kettle?", "Summarize it"}).text.starts_with("Descale the kettle"));
  const Answer unknown = ask({"Summarize this document"});
  EXPECT_FALSE(unknown.in_documents);
  ASSERT_FALSE(unknown.notes.empty());
  EXPECT_NE(unknown.notes[0].find("which document"), std::string::npos);
  EXPECT_NE(ask({"What is the deposit about?"}).text.find("1,080"), std::string::npos) << "no document is called so";
}

TEST_F(ConversationTest, DocumentsAreListed) {
  const Answer about = ask({"Which documents mention a deposit?"});
  EXPECT_EQ(about.sources.size(), 3U) << about.text;
  EXPECT_EQ(about.citations.size(), 3U);
  EXPECT_NE(about.text.find("Tenancy agreement: The tenant pays a deposit of 1,080 pounds before moving in. ["),
            std::string::npos)
      << about.text;
  EXPECT_EQ(about.text.find("Marsh survey"), std::string::npos);
  docs_.write("roof-offer.txt", "Offer 17\nTiles: 4,100 GBP\n");
  index_all();
  const Answer named = ask({"Where is the offer for the roof?"});
  ASSERT_EQ(named.citations.size(), 1U) << named.text;
  EXPECT_TRUE(named.citations[0].source.document.ends_with("roof-offer.txt"));
  const Answer held = ask({"How many documents are there?"});
  EXPECT_NE(held.text.find("documents: 5, passages: 5, from "), std::string::npos) << held.text;
  EXPECT_FALSE(ask({"Which documents mention elephants?"}).in_documents) << "a question like others";
}

TEST_F(ConversationTest, DocumentsThatAreCitedAreToldOnce) {
  Citation cited;
  cited.cited = true;
  cited.source.document = "/a";
  Citation other = cited;
  other.source.document = "/b";
  other.cited = false;
  EXPECT_EQ(cited_documents(std::vector{cited, other, cited}), std::vector<std::string>{"/a"});
}

}  // namespace
}  // namespace mneme::rag
