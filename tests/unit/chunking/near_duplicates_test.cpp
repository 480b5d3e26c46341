#include "rag/chunking/near_duplicates.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/random.h"

namespace mneme::chunking {
namespace {

std::vector<std::string> random_words(Random& random, size_t count) {
  std::vector<std::string> words;
  for (size_t i = 0; i < count; ++i) words.push_back("w" + std::to_string(random.below(5000)));
  return words;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

double exact_similarity(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto triples = [](const std::vector<std::string>& words) {
    std::set<std::string> all;
    for (size_t i = 2; i < words.size(); ++i) all.insert(words[i - 2] + " " + words[i - 1] + " " + words[i]);
    return all;
  };
  const auto left = triples(a);
  const auto right = triples(b);
  size_t common = 0;
  for (const std::string& triple : left) common += right.count(triple);
  return static_cast<double>(common) / static_cast<double>(left.size() + right.size() - common);
}

TEST(NearDuplicates, EstimatesTheShareOfCommonTriples) {
  Random random(3);
  double error = 0;
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    const auto a = random_words(random, 400);
    auto b = a;
    for (uint64_t changes = random.below(120); changes > 0; --changes) b[random.below(b.size())] = "changed";
    error += std::abs(similarity(make_signature(join(a)), make_signature(join(b))) - exact_similarity(a, b));
  }
  EXPECT_LT(error / kRounds, 0.08);
}

TEST(NearDuplicates, FindsEditedCopiesAndNothingElse) {
  Random random(4);
  NearDuplicates known;
  std::vector<std::vector<std::string>> texts;
  for (uint64_t id = 0; id < 400; ++id) {
    texts.push_back(random_words(random, 300));
    EXPECT_EQ(known.add(id, join(texts.back())), std::nullopt);
  }
  int found = 0;
  for (uint64_t id = 0; id < 400; ++id) {
    auto copy = texts[id];
    copy[random.below(copy.size())] = "edited";
    copy[random.below(copy.size())] = "edited";
    const auto earlier = known.add(1000 + id, join(copy));
    found += earlier.has_value();
    if (earlier) {
      EXPECT_EQ(*earlier, id);
    }
  }
  EXPECT_GE(found, 392);
}

TEST(NearDuplicates, TheMostSimilarOneIsMeant) {
  Random random(6);
  const auto original = random_words(random, 300);
  const auto edited = [&](size_t n_edits) {
    auto words = original;
    for (size_t i = 0; i < n_edits; ++i) words[i * 17 + 5] = "edited";
    return join(words);
  };
  NearDuplicates known(0.5);
  EXPECT_EQ(known.add(1, edited(6)), std::nullopt);
  known.add(2, edited(1));
  known.add(3, edited(8));
  EXPECT_EQ(known.add(4, join(original)), 2u);
  EXPECT_EQ(known.add(5, join(original)), 4u);
}

TEST(NearDuplicates, CaseAndPunctuationMakeNoDifference) {
  const std::string text = "The quick brown fox jumps over the lazy dog, and then it sleeps.";
  const std::string other = "THE QUICK   brown fox -- jumps over the lazy dog and then it sleeps";
  EXPECT_EQ(similarity(make_signature(text), make_signature(other)), 1.0);
  EXPECT_GT(similarity(make_signature("今日は天気がいいから散歩しましょう。"),
                       make_signature("今日は天気がいいから散歩しましょう")),
            0.99);
  const std::string dashes = "the quick—brown fox\u00a0jumps…over the lazy dog, and then it sleeps";
  EXPECT_EQ(similarity(make_signature(text), make_signature(dashes)), 1.0);
  EXPECT_EQ(similarity(make_signature("das neue 東京 office liegt in 渋谷 und 新宿 seit mai"),
                       make_signature("das neue東京office liegt in渋谷und新宿seit mai")),
            1.0);
  EXPECT_EQ(similarity(make_signature("short text"), make_signature("short text")), 0.0);
}

// A few words leave most of a signature empty, which must not make them alike.
TEST(NearDuplicates, ShortTextsAreComparedFromEightWordsOn) {
  const std::string seven = "one two three four five six seven";
  EXPECT_EQ(similarity(make_signature(seven), make_signature(seven)), 0.0);
  EXPECT_EQ(similarity(make_signature(seven + " eight"), make_signature(seven)), 0.0);
  EXPECT_EQ(similarity(make_signature(seven + " eight"), make_signature(seven + " eight")), 1.0);
  EXPECT_EQ(similarity(make_signature("the red boat sails to the far harbour today"),
                       make_signature("our new invoice names a sum that nobody owes")),
            0.0);
}

// Text without spaces has words of one character, and signs of its own between them.
TEST(NearDuplicates, TextWithoutSpacesIsComparedByItsCharacters) {
  const std::string text = "租客必须在每月五日之前支付租金，押金为两个月的租金。退租须提前三十天书面通知房东。";
  const std::string other_signs = "租客必须在每月五日之前支付租金 押金为两个月的租金 退租须提前三十天书面通知房东";
  const std::string edited = "租客必须在每月十日之前支付租金，押金为两个月的租金。退租须提前三十天书面通知房东。";
  const std::string another = "停车场早上六点开门，晚上十点关门。访客请在入口处登记，并把车停在二号区域。";
  EXPECT_EQ(similarity(make_signature(text), make_signature(other_signs)), 1.0);
  EXPECT_GT(similarity(make_signature(text), make_signature(edited)), 0.6);
  EXPECT_LT(similarity(make_signature(text), make_signature(another)), 0.1);
  NearDuplicates known;
  EXPECT_EQ(known.add(1, text), std::nullopt);
  EXPECT_EQ(known.add(2, another), std::nullopt);
  EXPECT_EQ(known.add(3, other_signs), 1u);
}

TEST(RepeatedParagraphs, AreCountedOnceAPassage) {
  const std::string notice = "This message is confidential and meant for its addressee and nobody else.";
  RepeatedParagraphs paragraphs;
  for (int i = 0; i < 3; ++i) {
    paragraphs.add("Text number " + std::to_string(i) + ".\n\n" + notice + "\n\n" + notice + "\n\nBest regards");
  }
  EXPECT_EQ(paragraphs.passages_with("This message is CONFIDENTIAL, and meant\nfor its addressee and nobody else"), 3u);
  EXPECT_EQ(paragraphs.passages_with("Text number 1."), 0u);  // too short to be called the same
  EXPECT_EQ(paragraphs.passages_with("Best regards"), 0u);
  EXPECT_EQ(paragraphs.passages_with("This message is meant for its addressee and nobody else, and confidential."), 0u);
  EXPECT_EQ(paragraphs.passages_with("Quite another paragraph of as many words as the notice has."), 0u);
  EXPECT_EQ(paragraphs_of("a\n\n\nb\n\n"), (std::vector<std::string_view>{"a", "\nb"}));
}

}  // namespace
}  // namespace mneme::chunking
