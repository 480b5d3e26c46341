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

}  // namespace
}  // namespace mneme::rag
