// What somebody wants to do who asks how.
#include "rag/text/asked/action.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mneme::rag {
namespace {

TEST(AskedAction, FollowsWhoWantsIt) {
  EXPECT_EQ(asked_action("How do I make a file executable?"), "make");
  EXPECT_EQ(asked_action("Is there a way to find large files?"), "find");
  EXPECT_EQ(asked_action("What is the make of the car?"), "");
  EXPECT_EQ(asked_action(""), "");
}

TEST(AskedAction, InstructionsSayItInOtherVerbs) {
  const auto like = like_actions("see");
  EXPECT_NE(std::find(like.begin(), like.end(), "display"), like.end());
  EXPECT_EQ(std::find(like.begin(), like.end(), "see"), like.end());
  EXPECT_TRUE(like_actions("bake").empty());
}

TEST(AskedAction, WhoOnlyLooksWantsToKnow) {
  EXPECT_TRUE(only_looks("see"));
  EXPECT_FALSE(only_looks("delete"));
  EXPECT_FALSE(only_looks(""));
}

TEST(AskedAction, WhatIsAskedAsManualsHaveIt) {
  EXPECT_EQ(commanded_action("rename a git branch"), "rename");
  EXPECT_EQ(asked_action("Extract a tar file"), "extract");
  for (const char* text : {"Extract", "Copy of the contract?", "show the invoices", "the rename of a branch", ""})
    EXPECT_EQ(commanded_action(text), "") << text;
  EXPECT_TRUE(makes_something("bake"));
  EXPECT_FALSE(makes_something("rename"));
}

}  // namespace
}  // namespace mneme::rag
