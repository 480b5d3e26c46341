#include "rag/text/documents/asked_place.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

std::string place(std::string_view question) {
  const AskedPlace asked = asked_place(question);
  return asked.word.empty() ? asked.number : asked.word + " " + asked.number;
}

TEST(AskedPlace, SectionsByNumberAndAnnexesByName) {
  EXPECT_EQ(place("What does section 7.3 say?"), "7.3");
  EXPECT_EQ(place("What is section 4 of the agreement about?"), "4");
  EXPECT_EQ(place("Was steht in Abschnitt 2.1 des Vertrags?"), "2.1");
  EXPECT_EQ(place("Que dit l'article 5 ?"), "5");
  EXPECT_EQ(place("Что написано в разделе 3?"), "3");
  EXPECT_EQ(place("What is in Annex E?"), "annex e");
  EXPECT_EQ(place("Was steht in Anhang 2?"), "anhang 2");
}

TEST(AskedPlace, InFurtherLanguages) {
  EXPECT_EQ(place("Wat staat er in artikel 7?"), "7");
  EXPECT_EQ(place("Vad står i bilaga 2?"), "bilaga 2");
  EXPECT_EQ(place("Co mówi paragraf 4.2?"), "4.2");
  EXPECT_EQ(place("Co je v příloze 3?"), "priloze 3");
  EXPECT_EQ(place("Ce spune articolul 9?"), "9");
  EXPECT_TRUE(begins_place({"", "7"}, "Artikel 7: Opzegging"));
  EXPECT_TRUE(begins_place({"", "4.2"}, "Paragraf 4.2 Wypowiedzenie"));
}

TEST(AskedPlace, WhatAsksSomethingElseAsksForNoPlace) {
  for (const char* question : {"Who signs under section 7.3?", "What does the contract say?",
                               "What is section control?", "How long is annex E?", ""}) {
    EXPECT_TRUE(asked_place(question).empty()) << question;
  }
}

TEST(AskedPlace, BeginsWhereItsNumberDoes) {
  const AskedPlace section{"", "7.3"};
  for (const char* line :
       {"7.3 Invoices are payable", "### 7.3 Invoices", "§ 7.3 Rechnungen", "Section 7.3: Invoices", "7.3"}) {
    EXPECT_TRUE(begins_place(section, line)) << line;
  }
  for (const char* line : {"7.31 Others", "17.3 Others", "as section 7.3 says", "7.3a Others", "Room 7.3", ""}) {
    EXPECT_FALSE(begins_place(section, line)) << line;
  }
  const AskedPlace annex{"annex", "e"};
  EXPECT_TRUE(begins_place(annex, "Annex E: Break Fee"));
  EXPECT_TRUE(begins_place(annex, "## ANNEX E"));
  EXPECT_FALSE(begins_place(annex, "Annex Eleven"));
}

}  // namespace
}  // namespace mneme::rag
