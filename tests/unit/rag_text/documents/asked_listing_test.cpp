#include "rag/text/documents/asked_listing.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using What = AskedListing::What;

TEST(AskedListing, DocumentsThatSpeakOfSomething) {
  struct Case {
    const char* question;
    const char* text;
  };
  for (const Case& c :
       {Case{"Which documents mention the crane?", "crane"},
        Case{"what files talk about walrus operators", "walrus operators"},
        Case{"List all my notes about tides", "tides"}, Case{"Which of my papers are about the roof?", "roof"},
        Case{"In which documents is there something? Which do contain rust", ""},
        Case{"Show me documents containing \"late fee\"", "late fee"},
        Case{"Where is Margaret Osei mentioned?", "Margaret Osei"}, Case{"Welche Dokumente erwähnen den Kran?", "Kran"},
        Case{"Wo wird der Kran erwähnt?", "Kran"}}) {
    const AskedListing listing = asked_listing(c.question);
    EXPECT_EQ(listing.what == What::kAbout, *c.text != '\0') << c.question;
    EXPECT_EQ(listing.text, c.text) << c.question;
  }
}

TEST(AskedListing, OneThatIsCalledSomething) {
  EXPECT_EQ(asked_listing("Show me the invoice of ACME").text, "invoice of ACME");
  EXPECT_EQ(asked_listing("where is my rental contract?").text, "rental contract");
  EXPECT_EQ(asked_listing("Zeig mir den Mietvertrag").text, "Mietvertrag");
  EXPECT_EQ(asked_listing("find the medical report").what, What::kNamed);
}

TEST(AskedListing, WhatThereIs) {
  for (const char* question : {"How many documents are there?", "What files do you have?", "list all my documents",
                               "What is indexed?", "Wie viele Dateien gibt es?"})
    EXPECT_EQ(asked_listing(question).what, What::kHeld) << question;
}

TEST(AskedListing, OtherQuestionsListNothing) {
  for (const char* question :
       {"", "Which documents do I need for a passport?", "Which documents are about to expire?", "Where is the key?",
        "How many files can be open?", "What does the contract say about pets?", "Which PEP introduced f-strings?",
        "where is the file that the invoice mentions stored by the program when it crashes",
        "How do I find large files?", "What are the documents about?", "Which letter mentions the roof?"})
    EXPECT_EQ(asked_listing(question).what, What::kNone) << question << " " << asked_listing(question).text;
}

TEST(AskedListing, WhatSpeaksOfSomethingInEveryLanguage) {
  struct Case {
    const char* question;
    const char* matter;
  };
  for (const Case& c : {Case{"Which documents mention the cellar?", "cellar"},
                        Case{"Welche Dokumente erwähnen den Keller?", "Keller"},
                        Case{"Quels documents mentionnent la cave ?", "cave"},
                        Case{"¿Qué documentos mencionan el sótano?", "sótano"},
                        Case{"Quali documenti menzionano la cantina?", "cantina"},
                        Case{"Quais documentos mencionam o porão?", "porão"},
                        Case{"Welke documenten noemen de kelder?", "kelder"},
                        Case{"Vilka dokument nämner källaren?", "källaren"},
                        Case{"Hvilke dokumenter nævner kælderen?", "kælderen"},
                        Case{"Hvilke dokumenter nevner kjelleren?", "kjelleren"},
                        Case{"Które dokumenty wspominają o piwnicy?", "piwnicy"},
                        Case{"Které dokumenty zmiňují sklep?", "sklep"},
                        Case{"Які документи згадують підвал?", "підвал"},
                        Case{"В каких документах упоминается подвал?", "подвал"},
                        Case{"Hangi belgelerde bodrumdan bahsediliyor?", "bodrumdan"},
                        Case{"Ce documente menționează pivnița?", "pivnița"},
                        Case{"Mely dokumentumok említik a pincét?", "pincét"},
                        Case{"Missä asiakirjoissa mainitaan kellari?", "kellari"},
                        Case{"ما المستندات التي تذكر القبو؟", "القبو"},
                        Case{"어떤 문서가 지하실을 언급하나요?", "지하실"},
                        Case{"哪些文件提到地下室？", "地下室"},
                        Case{"地下室に触れている文書はどれですか？", "地下室"},
                        Case{"documents about the flood", "flood"},
                        Case{"su hakkındaki belgeler", "su"}}) {
    const AskedListing listing = asked_listing(c.question);
    EXPECT_EQ(listing.what, AskedListing::What::kAbout) << c.question;
    EXPECT_EQ(listing.text, c.matter) << c.question;
  }
}

TEST(AskedListing, WhatThereIsInSeveralLanguages) {
  for (const char* question :
       {"Combien de documents ai-je ?", "¿Cuántos documentos tengo?", "Quanti documenti ho?",
        "Hoeveel documenten heb ik?", "Hur många dokument har jag?", "Сколько у меня документов?"})
    EXPECT_EQ(asked_listing(question).what, AskedListing::What::kHeld) << question;
}

// A letter is "list" in Polish.
TEST(AskedListing, AWordOfAnotherLanguageIsNoDocument) {
  EXPECT_EQ(asked_listing("Show me the list of packages").what, AskedListing::What::kNone);
  EXPECT_EQ(asked_listing("Find the level of the water").what, AskedListing::What::kNone);
  EXPECT_EQ(asked_listing("Pokaż list z banku").what, AskedListing::What::kNamed);
}

}  // namespace
}  // namespace mneme::rag
