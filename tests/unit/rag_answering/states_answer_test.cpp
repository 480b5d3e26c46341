// What is wrong with a thing is told where it is named and a defect beside it.
#include <gtest/gtest.h>

#include "tests/unit/rag_answering/asked_home.h"

namespace mneme::rag {
namespace {

class StatesAnswerTest : public AskedHome {
 protected:
  void SetUp() override {
    AskedHome::SetUp();
    docs_.write("flat.md",
                "# Things to see to in the flat\n\n- floor lamp: flickers when somebody walks past\n- balcony door: "
                "handle comes off\n- sofa: bought in March\n");
    docs_.write("shop.md", "# Shop\n\nA lamp costs 40 euros. The kettle is blue.\n");
    index_all();
  }
};

TEST_F(StatesAnswerTest, OfTheThingItself) {
  EXPECT_EQ(ask({"What is wrong with the lamp?"}).text, "floor lamp: flickers when somebody walks past [1]");
}

TEST_F(StatesAnswerTest, OfAllThatStandsUnderItsName) {
  const std::string text = ask({"What is broken in the flat?"}).text;
  EXPECT_NE(text.find("flickers"), std::string::npos) << text;
  EXPECT_NE(text.find("comes off"), std::string::npos) << text;
  EXPECT_EQ(text.find("sofa"), std::string::npos) << text;
}

TEST_F(StatesAnswerTest, WhatTellsNoDefectDoesNotAnswer) {
  EXPECT_EQ(ask({"What is wrong with the kettle?"}).text.find("blue"), std::string::npos);
}

}  // namespace
}  // namespace mneme::rag
