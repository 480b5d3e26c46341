#include "rag/text/words/script_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<double> shares_of(std::string_view question, const std::vector<std::string_view>& texts) {
  return ScriptRuns(question).shares(texts);
}

TEST(ScriptRunsTest, AChangeOfScriptIsABorder) {
  EXPECT_THAT(script_runs("歴史という書籍を著した人物は、ヘロドトスと誰か?"),
              ElementsAre("歴史", "書籍", "人物", "ヘロドトス"))
      << "one ideograph, as 著 and 誰, is no run";
  EXPECT_THAT(script_runs("1928年にIBM社がＵＳＢ３を"), ElementsAre("1928", "ibm", "usb", "3"));
  EXPECT_THAT(script_runs("ジョン・スミスの人々"), ElementsAre("ジョン・スミス", "人々"));
  EXPECT_THAT(script_runs("平泉と平泉"), ElementsAre("平泉"));
  EXPECT_THAT(script_runs("ひらがな"), IsEmpty());
  EXPECT_THAT(script_runs(""), IsEmpty());
  EXPECT_THAT(script_runs("\xff\xfe"), IsEmpty());
}

TEST(ScriptRunsTest, RareAndLongRunsWeighMore) {
  // Of three texts "鉄道" is in all, "東京" in one: ln(1 + .5/3.5) * 2 against ln(1 + 2.5/1.5) * 2.
  const auto shares = shares_of("東京の鉄道", {"東京の鉄道", "大阪の鉄道", "名古屋の鉄道"});
  const double common = std::log(1.0 + 0.5 / 3.5);
  const double rare = std::log(1.0 + 2.5 / 1.5);
  EXPECT_DOUBLE_EQ(shares[0], 1.0);
  EXPECT_DOUBLE_EQ(shares[1], common / (common + rare));
  EXPECT_DOUBLE_EQ(shares[2], shares[1]);
  // Equally rare: by length, up to six characters.
  const auto by_length = shares_of("東京とマサチューセッツ", {"東京", "マサチューセッツ"});
  EXPECT_DOUBLE_EQ(by_length[0], 2.0 / 8.0);
  EXPECT_DOUBLE_EQ(by_length[1], 6.0 / 8.0);
}

TEST(ScriptRunsTest, WhatNoTextHoldsSaysNothing) {
  EXPECT_THAT(shares_of("東京は何年", {"東京", "大阪"}), ElementsAre(1.0, 0.0)) << "何年 asks";
  EXPECT_THAT(shares_of("東京", {"大阪", ""}), ElementsAre(0.0, 0.0));
  EXPECT_THAT(shares_of("はい", {"はい"}), ElementsAre(0.0));
  EXPECT_THAT(shares_of("東京", {}), IsEmpty());
}

TEST(ScriptRunsTest, WidthAndCaseDoNotMatter) {
  EXPECT_THAT(shares_of("ＩＢＭの", {"ibm", "IBM", "ＩＢＭ", "I B M"}), ElementsAre(1.0, 1.0, 1.0, 0.0));
}

TEST(ScriptRunsTest, SharesOfRandomTextsAreFromZeroToOne) {
  std::mt19937 random(3);
  const std::string_view pieces[] = {"東", "京", "の", "カ", "ー", "a", "7", "。", " ", "\xe6"};
  const auto text = [&] {
    std::string made;
    for (unsigned n = random() % 20; n > 0; --n) made += pieces[random() % std::size(pieces)];
    return made;
  };
  for (int i = 0; i < 500; ++i) {
    const std::string question = text();
    const std::string texts[] = {text(), question, text()};
    const auto shares = shares_of(question, {texts[0], texts[1], texts[2]});
    for (const double share : shares) EXPECT_TRUE(share >= 0.0 && share <= 1.0 + 1e-12) << question;
    if (!script_runs(question).empty()) {
      EXPECT_NEAR(shares[1], 1.0, 1e-12) << "it holds itself: " << question;
    }
  }
}

}  // namespace
}  // namespace mneme::rag
