#include "rag/text/variants/synonyms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mneme::rag {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> words_with_synonyms(const std::string& text) {
  std::vector<std::string> words;
  for (const SynonymSpot& spot : synonym_spots(text)) words.push_back(text.substr(spot.begin, spot.end - spot.begin));
  return words;
}

TEST(Synonyms, StandForEachOtherWhateverTheInflection) {
  EXPECT_THAT(synonyms_of("warranty"), Contains("guarantee"));
  EXPECT_THAT(synonyms_of("engines"), Contains("motor"));
  EXPECT_THAT(synonyms_of("guarantee"), Contains("warranty"));
  EXPECT_THAT(synonyms_of("guarantee"), Not(Contains("guarantee")));
  EXPECT_THAT(synonyms_of("terminate"), Contains("kill")) << "a word of two lines";
  EXPECT_THAT(synonyms_of("terminate"), Contains("cancel"));
  EXPECT_THAT(synonyms_of("zebra"), IsEmpty());
  EXPECT_THAT(synonyms_of(""), IsEmpty());
}

TEST(Synonyms, AreFoundInQuestions) {
  EXPECT_THAT(words_with_synonyms("How long is the warranty of the car?"), ::testing::ElementsAre("warranty", "car"));
  EXPECT_THAT(words_with_synonyms("Who is the president of Flat?"), IsEmpty()) << "written as a name";
  EXPECT_THAT(words_with_synonyms("Warranty?"), ::testing::ElementsAre("Warranty")) << "the first is always a capital";
  EXPECT_THAT(words_with_synonyms("水泵的保修期是多久？"), ::testing::ElementsAre("保修"));
  EXPECT_THAT(words_with_synonyms(""), IsEmpty());
  EXPECT_THAT(words_with_synonyms("\xff\xfe 🙂 ?!"), IsEmpty());
}

TEST(Synonyms, GermanNounsAreNoNames) {
  EXPECT_THAT(words_with_synonyms("Wer ist die Vermieterin?"), ::testing::ElementsAre("Vermieterin"));
  EXPECT_THAT(words_with_synonyms("Who is the Vermieterin?"), IsEmpty());
}

}  // namespace
}  // namespace mneme::rag
