#include "rag/text/asked/attribute.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedAttribute, IsTheNounThatIsToldOfSomething) {
  EXPECT_EQ(asked_attribute("What was the total of the receipt?"), "total");
  EXPECT_EQ(asked_attribute("What was the receipt total?"), "total");
  EXPECT_EQ(asked_attribute("What is the VIN of the Jeep?"), "vin");
  EXPECT_EQ(asked_attribute("What is the Jeep's VIN?"), "vin");
  EXPECT_EQ(asked_attribute("What is the odometer reading of the Jeep?"), "odometer");
  EXPECT_EQ(asked_attribute("What is it?"), "");
  EXPECT_EQ(asked_attribute("総額はいくら"), "");
  EXPECT_EQ(asked_attribute(""), "");
}

TEST(AskedAttribute, IsStatedUnderItsVeryName) {
  constexpr auto kAsked = "What was the total of the receipt?";
  EXPECT_TRUE(states_attribute("TOTAL $821.14", "total", kAsked));
  EXPECT_TRUE(states_attribute("Total: 821,14 EUR", "total", kAsked));
  EXPECT_TRUE(states_attribute("Receipt total 12.50", "total", kAsked));
  EXPECT_FALSE(states_attribute("Total points: 3,247", "total", kAsked)) << "of something else";
  EXPECT_FALSE(states_attribute("Receipt 4711", "total", kAsked));
  EXPECT_FALSE(states_attribute("Total", "total", kAsked)) << "tells nothing";
  EXPECT_FALSE(states_attribute("Total 3 of all the things that we have bought here", "total", kAsked)) << "a sentence";
  EXPECT_TRUE(states_attribute("VIN 1C4RJFBG2NC123456", "vin", "What is the VIN of the Jeep?"));
  EXPECT_TRUE(states_attribute("Claim # SF-1008", "number", "What is the claim number of Diaz?"));
  EXPECT_FALSE(states_attribute("Policy # SF-1008", "number", "What is the claim number of Diaz?"));
  EXPECT_FALSE(states_attribute("# 12", "number", "What is the claim number of Diaz?"));
  EXPECT_FALSE(states_attribute("Rent 2024", "rent", "What was the rent in 2024?")) << "the question's own number";
  EXPECT_FALSE(states_attribute("", "total", kAsked));
  EXPECT_FALSE(states_attribute("12", "", ""));
}

}  // namespace
}  // namespace mneme::rag
