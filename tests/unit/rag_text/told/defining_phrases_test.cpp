#include "rag/text/told/defining_phrases.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mneme::rag {
namespace {

bool looks_for(std::string_view question, std::string_view phrase) {
  const std::vector<std::string> phrases = defining_phrases(question);
  return std::find(phrases.begin(), phrases.end(), phrase) != phrases.end();
}

TEST(DefiningPhrases, SayWhatAThingIs) {
  EXPECT_EQ(defining_phrases("What is ownership in Rust?").front(), "\"ownership is a\"");
  for (const char* phrase :
       {"\"wheel is an\"", "\"wheel are\"", "\"wheels are\"", "\"propose wheel\"", "wheel glossary"})
    EXPECT_TRUE(looks_for("What is a wheel?", phrase)) << phrase;
  EXPECT_EQ(defining_phrases("What is a trait object in Rust?").back(), "\"trait object\"")
      << "where the words of its name stand together";
  EXPECT_EQ(defining_phrases("什么是所有权？").front(), "\"所有权是\"");
  for (const char* question : {"What is the rent of the workshop?", "Who is she?", ""})
    EXPECT_TRUE(defining_phrases(question).empty()) << question;
}

TEST(DefiningPhrases, OneAndManyAreOneThing) {
  EXPECT_TRUE(looks_for("What is a policy?", "\"policies are\""));
  EXPECT_TRUE(looks_for("What is a day?", "\"days are\""));
  EXPECT_TRUE(looks_for("What are lifetimes?", "\"lifetime is a\""));
}

TEST(DefiningPhrases, SayWhoSomebodyIs) {
  EXPECT_TRUE(looks_for("Who is Jack Stapleton?", "\"Stapleton the\""));
  EXPECT_TRUE(looks_for("Who is Jack Stapleton?", "\"named Jack Stapleton\""));
  EXPECT_TRUE(looks_for("What is NATO?", "\"NATO stands for\""));
}

}  // namespace
}  // namespace mneme::rag
