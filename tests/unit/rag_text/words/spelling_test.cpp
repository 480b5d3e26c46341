#include "rag/text/words/spelling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/random.h"
#include "base/utf8.h"
#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

std::vector<double> scores_of(std::string_view question, const std::vector<std::string>& texts, bool saturated,
                              int width = 3) {
  const SpellingQuery query(question, width);
  std::vector<SpellingCounts> counts;
  for (const std::string& text : texts) counts.push_back(query.count(text));
  return query.scores(counts, saturated);
}

TEST(Spelling, MeetInflectionsThatStemsMiss) {
  const auto scores =
      scores_of("Who proposed it?", {"The proposal was his.", "The harbour was full.", "Nothing."}, false);
  EXPECT_GT(scores[0], scores[1]);
  EXPECT_GT(scores[0], scores[2]);
}

TEST(Spelling, AreTheSameWhateverCaseMarksAndPunctuation) {
  const auto scores = scores_of("Café au lait", {"CAFE, au-lait!", "tea", "water"}, false);
  EXPECT_NEAR(scores[0], 1.0, 1e-9);
}

TEST(Spelling, KnowScriptsWithoutSpaces) {
  const auto scores = scores_of("红烧肉怎么做", {"红烧肉的做法", "东京的天气", "番茄炒蛋"}, true);
  EXPECT_GT(scores[0], scores[1]);
  EXPECT_EQ(scores[2], 0.0);
}

TEST(Spelling, SaturatedScoresFallWithLength) {
  const std::string filler = " and much else that is beside the point here, again and again and again";
  const auto scores = scores_of("red kettle", {"red kettle", "red kettle" + filler, "blue"}, true);
  EXPECT_GT(scores[0], scores[1]);
  EXPECT_GT(scores[1], scores[2]);
}

TEST(Spelling, NothingToCompareGivesZeros) {
  EXPECT_EQ(scores_of("red", {}, true).size(), 0u);
  for (const double score : scores_of("?", {"a", ""}, true)) EXPECT_EQ(score, 0.0);
}

// Against the definition, on random strings.
TEST(Spelling, CoverageEqualsTheDefinition) {
  Random random(3);
  const auto text = [&](size_t length) {
    std::string made;
    for (size_t i = 0; i < length; ++i) made += "ab c"[random.below(4)];
    return made;
  };
  for (int round = 0; round < 80; ++round) {
    const size_t width = 1 + static_cast<size_t>(round) % 4;
    const auto set_of = [&](const std::string& s) {
      const std::string folded = " " + folded_text(s) + " ";
      std::set<std::string> set;
      for (size_t i = 0; i + width <= folded.size(); ++i) set.insert(folded.substr(i, width));
      return set;
    };
    const std::string question = text(12);
    const std::vector<std::string> texts = {text(30), text(5), text(60)};
    const auto scores = scores_of(question, texts, false, static_cast<int>(width));
    std::vector<double> expected(texts.size());
    double total = 0;
    for (const std::string& run : set_of(question)) {
      double holders = 0;
      for (const std::string& t : texts) holders += set_of(t).contains(run) ? 1 : 0;
      if (holders == 0) continue;
      const double weight = std::log(1.0 + (3.0 - holders + 0.5) / (holders + 0.5));
      total += weight;
      for (size_t i = 0; i < texts.size(); ++i) expected[i] += set_of(texts[i]).contains(run) ? weight : 0;
    }
    for (size_t i = 0; i < texts.size(); ++i) EXPECT_NEAR(scores[i], total > 0 ? expected[i] / total : 0, 1e-9);
  }
}

}  // namespace
}  // namespace mneme::rag
