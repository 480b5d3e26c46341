#include "rag/text/asked/matter.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using Words = std::vector<std::string>;

TEST(ToldMatter, WhatATextSaysAboutSomething) {
  EXPECT_EQ(told_matter("What does PEP 8 say about line length?"), (Words{"line", "length"}));
  EXPECT_EQ(told_matter("what did the doctor say about the cholesterol"), (Words{"cholesterol"}));
  EXPECT_EQ(told_matter("What is said in the lease about pets?"), (Words{"pets"}));
  EXPECT_EQ(told_matter("What does it say about pets in the lease?"), (Words{"pets"}));
  EXPECT_EQ(told_matter("What are the rules for guests?"), (Words{"guests"}));
  EXPECT_EQ(told_matter("What is the company's policy on remote work?"), (Words{"remote", "work"}));
  EXPECT_EQ(told_matter("Was steht im Mietvertrag über Haustiere?"), (Words{"haustiere"}));
  EXPECT_EQ(told_matter("Welche Regeln gelten für Gäste?"), (Words{"gaste"}));
}

TEST(ToldMatter, OtherQuestionsTellOfNothing) {
  for (const char* question :
       {"What is a rule?", "Who says that the line is too long?", "How do I write about pets?", "What does he say?",
        "What is the capital of Norway?", "Was kostet die Fahrt zum Bahnhof?", "这本书说了什么？", ""})
    EXPECT_TRUE(told_matter(question).empty()) << question;
}

}  // namespace
}  // namespace mneme::rag
