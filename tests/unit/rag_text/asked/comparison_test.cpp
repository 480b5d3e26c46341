// What a question about a difference comes to.
#include "rag/text/asked/comparison.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using Questions = std::vector<std::string>;

TEST(Comparison, EachOfTheTwoIsAskedFor) {
  EXPECT_EQ(compared_definitions("What is the difference between a list and a tuple?"),
            (Questions{"What is a list?", "What is a tuple?"}));
  EXPECT_EQ(compared_definitions("How does horizontal scaling differ from vertical scaling?"),
            (Questions{"What is horizontal scaling?", "What is vertical scaling?"}));
  EXPECT_EQ(compared_definitions("How do a metric and a log differ?"),
            (Questions{"What is a metric?", "What is a log?"}));
  EXPECT_EQ(compared_definitions("TCP vs. UDP"), (Questions{"What is TCP?", "What is UDP?"}));
  EXPECT_EQ(compared_definitions("Compare TCP and UDP"), (Questions{"What is TCP?", "What is UDP?"}));
  EXPECT_EQ(compared_definitions("Was ist der Unterschied zwischen Kilometern und Meilen?"),
            (Questions{"Was ist Kilometern?", "Was ist Meilen?"}));
}

TEST(Comparison, WhatIsSaidBehindIsSaidOfBoth) {
  EXPECT_EQ(compared_definitions("What is the difference between Box and Rc in Rust?"),
            (Questions{"What is Box in Rust?", "What is Rc in Rust?"}));
}

TEST(Comparison, OtherQuestionsCompareNothing) {
  for (const std::string_view question :
       {"What is a list?", "How do I list files and folders?", "How do I compare files and folders?",
        "What makes the difference?", "difference between", "",
        "What is the difference between the one that was here before the flood and another?"}) {
    EXPECT_EQ(compared_definitions(question), Questions()) << question;
  }
}

}  // namespace
}  // namespace mneme::rag
