#include "rag/retrieval/excerpt_place.h"

#include <gtest/gtest.h>

#include "rag/retrieval/passage_scorer.h"

namespace mneme::rag {
namespace {

std::string filler(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += "Nothing of it is told in sentence number " + std::to_string(i) + ". ";
  return text;
}

std::string excerpt(const std::string& question, const std::string& passage) {
  const size_t begin = excerpt_place(passage, TextForm::kProse, PassageScorer::terms_of(question),
                                     [](std::string_view term) { return term == "light" ? 0.0 : 1.0; });
  return passage.substr(begin, 24);
}

TEST(ExcerptPlace, IsTheSentenceFromWhichMostIsSaidOfWhatWasAskedFor) {
  const std::string passage =
      "The kettle. " + filler(8) + "Descale the kettle monthly. " + filler(8) + "Vinegar will do.";
  EXPECT_EQ(excerpt("How often do I descale the kettle?", passage), "Descale the kettle month");
  EXPECT_EQ(excerpt("Is vinegar good?", passage), "Vinegar will do.");
}

TEST(ExcerptPlace, IsTheBeginningWhereThatSaysAsMuch) {
  EXPECT_EQ(excerpt("kettle", "The kettle. " + filler(8) + "The kettle is red."), "The kettle. Nothing of i");
  EXPECT_EQ(excerpt("unheard words", filler(9)).substr(0, 10), "Nothing of");
  EXPECT_EQ(excerpt("light", filler(9) + "A light.").substr(0, 10), "Nothing of");  // weighs nothing
  EXPECT_EQ(excerpt("", filler(9)).substr(0, 10), "Nothing of");
  EXPECT_EQ(excerpt("kettle", ""), "");
}

TEST(ExcerptPlace, CountsAWordOnce) {
  const std::string passage = filler(6) + "Kettle, kettle, kettle. " + filler(6) + "A red kettle.";
  EXPECT_EQ(excerpt("red kettle", passage), "A red kettle.");
}

TEST(ExcerptPlace, IsFoundInScriptsWithoutSpaces) {
  std::string passage;
  for (int i = 0; i < 12; ++i) passage += "这里什么也没有说明。";
  passage += "水壶每月除垢一次。";
  EXPECT_EQ(excerpt("水壶多久除垢？", passage), "水壶每月除垢一次");
}

}  // namespace
}  // namespace mneme::rag
