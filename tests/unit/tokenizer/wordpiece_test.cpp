#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/unit/tokenizer/vocabularies.h"

namespace mneme::engine {
namespace {

using testing::add;
using testing::make;

Vocabulary vocabulary_of(const std::vector<std::string>& words, bool hashes) {
  Vocabulary v;
  v.file = "test";
  v.model = "bert";
  v.add_bos = true;
  for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) add(v, special, TokenKind::kNormal);
  for (const std::string& word : words) {
    const bool continues = word.starts_with("##");
    add(v, hashes ? word : continues ? word.substr(2) : "\xe2\x96\x81" + word, TokenKind::kNormal);
  }
  return v;
}

const std::vector<std::string> kWords = {"un", "##aff", "##able", "cafe", "the", ",", "日", "本", "i", "##s", "straße"};

TEST(WordPiece, LongestPiecesFirst) {
  for (const bool hashes : {false, true}) {
    const auto tokenizer = make(vocabulary_of(kWords, hashes));
    ASSERT_NE(tokenizer, nullptr);
    EXPECT_EQ(tokenizer->encode("unaffable"), (std::vector<TokenId>{5, 6, 7}));
    EXPECT_EQ(tokenizer->decode(tokenizer->encode("the unaffable , the")), "the unaffable , the");
  }
}

TEST(WordPiece, NormalisesAsBertDoes) {
  const auto tokenizer = make(vocabulary_of(kWords, false));
  EXPECT_EQ(tokenizer->encode("CAFÉ,the"), (std::vector<TokenId>{8, 10, 9}));
  EXPECT_EQ(tokenizer->encode("日本"), (std::vector<TokenId>{11, 12}));
  EXPECT_EQ(tokenizer->encode("İs"), (std::vector<TokenId>{13, 14}));
  EXPECT_EQ(tokenizer->encode("Straße"), (std::vector<TokenId>{15}));
  EXPECT_EQ(tokenizer->encode("the\u200bthe\tthe\u3000the").size(),
            3u);  // the format character vanishes: "thethe" is unknown
}

TEST(WordPiece, UnknownAndOverlongWordsAreOneToken) {
  const auto tokenizer = make(vocabulary_of(kWords, false));
  EXPECT_EQ(tokenizer->encode("the unzzz"), (std::vector<TokenId>{9, 1}));
  EXPECT_EQ(tokenizer->encode(std::string(101, 'i')), (std::vector<TokenId>{1}));
  EXPECT_EQ(tokenizer->encode(std::string(1 << 20, 'x')), (std::vector<TokenId>{1}));
}

TEST(WordPiece, SpecialTokensNeverComeFromText) {
  const auto tokenizer = make(vocabulary_of(kWords, false));
  for (const TokenId id : tokenizer->encode("[CLS] [MASK] [SEP]")) EXPECT_EQ(id, 1);
  EXPECT_EQ(tokenizer->bos(), 2);
  EXPECT_EQ(tokenizer->eos(), 3);
  EXPECT_EQ(tokenizer->find_special("[SEP]"), 3);
}

TEST(WordPiece, AnyBytesAreHarmless) {
  const auto tokenizer = make(vocabulary_of(kWords, false));
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (uint64_t i = random.below(60); i > 0; --i) text += static_cast<char>(random.below(256));
    for (const TokenId id : tokenizer->encode(text)) EXPECT_LT(id, tokenizer->vocab_size());
  }
}

TEST(WordPiece, RefusesAVocabularyWithoutUnknown) {
  Vocabulary v;
  v.model = "bert";
  add(v, "word", TokenKind::kNormal);
  ASSERT_TRUE(v.check().ok());
  EXPECT_EQ(Tokenizer::make(v).status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace mneme::engine
