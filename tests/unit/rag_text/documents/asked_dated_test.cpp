#include "rag/text/documents/asked_dated.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using By = AskedDated::By;
using std::chrono::sys_days;

const sys_days kToday = std::chrono::year(2026) / 11 / 26;

AskedDated asked(std::string_view question) {
  return asked_dated(question, kToday);
}

TEST(AskedDated, TheNewestAndTheOldest) {
  struct Case {
    const char* question;
    const char* called;
    bool oldest;
    bool one;
  };
  for (const Case& c :
       {Case{"What is my latest invoice?", "invoice", false, true}, Case{"oldest report", "report", true, true},
        Case{"the most recent letter from the bank", "letter bank", false, true},
        Case{"Show me the newest documents", "", false, false},
        Case{"What's the latest electricity bill?", "electricity bill", false, true},
        Case{"my last letter", "letter", false, true}, Case{"list the oldest files", "", true, false},
        Case{"newest email", "email", false, true}, Case{"newest payslip felix", "payslip felix", false, true},
        Case{"Zeig mir die neueste Rechnung", "Rechnung", false, true},
        Case{"Welches ist der älteste Vertrag?", "Vertrag", true, true}}) {
    const AskedDated dated = asked(c.question);
    EXPECT_TRUE(dated.is_asked) << c.question;
    EXPECT_EQ(dated.called, c.called) << c.question;
    EXPECT_EQ(dated.oldest_first, c.oldest) << c.question;
    EXPECT_EQ(dated.only_one, c.one) << c.question;
    EXPECT_EQ(dated.by, By::kItsDate) << c.question;
  }
}

TEST(AskedDated, WhatSomebodyDid) {
  for (const char* question : {"Which document did I change last?", "What did I edit most recently?",
                               "the file I last changed", "Welches Dokument habe ich zuletzt geändert?"}) {
    const AskedDated dated = asked(question);
    EXPECT_TRUE(dated.is_asked && dated.only_one && dated.by == By::kChanged) << question;
    EXPECT_TRUE(dated.called.empty()) << question << " " << dated.called;
  }
  const AskedDated week = asked("files I added this week");
  EXPECT_TRUE(week.is_asked && week.by == By::kTakenIn && !week.only_one);
  EXPECT_EQ(week.period.since, sys_days(std::chrono::year(2026) / 11 / 23));
  const AskedDated letters = asked("Which letters did I write in May 2026?");
  EXPECT_EQ(letters.called, "letters");
  EXPECT_EQ(letters.period.before, sys_days(std::chrono::year(2026) / 6 / 1));
  EXPECT_TRUE(asked("Welche Dateien habe ich diese Woche bearbeitet?").is_asked);
  EXPECT_TRUE(asked("documents modified yesterday").is_asked);
}

TEST(AskedDated, OfAPeriod) {
  const AskedDated year = asked("documents from 2023");
  EXPECT_TRUE(year.is_asked && !year.only_one && year.called.empty());
  EXPECT_EQ(year.period.since, sys_days(std::chrono::year(2023) / 1 / 1));
  EXPECT_EQ(asked("Which letters from the bank are there since June?").called, "letters bank");
  EXPECT_EQ(asked("show me all invoices from last month").called, "invoices");
  EXPECT_TRUE(asked("Dokumente von 2023").is_asked);
}

TEST(AskedDated, AllOfAKind) {
  for (const char* question :
       {"how many payslips do i have", "How many payslips are there?", "list all payslips", "show me the payslips"}) {
    EXPECT_TRUE(asked(question).is_asked) << question;
    EXPECT_EQ(asked(question).called, "payslips") << question;
    EXPECT_FALSE(asked(question).only_one) << question;
  }
  EXPECT_TRUE(asked("how many invoices from brandt").counts);
  EXPECT_EQ(asked("how many invoices from brandt").called, "invoices brandt");
  EXPECT_FALSE(asked("list all invoices").counts);
  for (const char* question : {"how many offers did Priya get", "how many letters has the alphabet", "payslips",
                               "show me the plan", "how many documents are there", "How many recipes use an egg?"})
    EXPECT_FALSE(asked(question).is_asked) << question;
}

TEST(AskedDated, OtherQuestionsAskForNoDates) {
  for (const char* question :
       {"", "What is the latest version of Rust?", "Who wrote the last chapter?", "What is the oldest tree?",
        "When was the invoice written?", "What did the bank change in 2023?", "How do I change the last file?",
        "What happened in 2023?", "What is the last step?", "Which documents mention 2023?",
        "What did I pay for the electricity last month?", "documents about the flood", "What is the contract of 2023?",
        "Which files are added by git add?", "When was the lease last changed?",
        "How many documents were added last week?", "latest invoice total", "Who changed the document last?"})
    EXPECT_FALSE(asked(question).is_asked) << question << " " << asked(question).called;
}

}  // namespace
}  // namespace mneme::rag
