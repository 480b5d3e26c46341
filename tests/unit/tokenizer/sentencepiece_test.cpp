#include <gtest/gtest.h>

#include "base/random.h"
#include "base/utf8.h"
#include "tests/unit/tokenizer/vocabularies.h"

namespace mneme::engine {
namespace {

using testing::add;
using testing::make;
using testing::sentencepiece_vocabulary;

const std::vector<std::string> kPieces = {"▁t", "he", "▁the", "▁a", "in", "▁", "t", "h", "e", "a", "i", "n", "c", "▁c"};

std::vector<std::string> texts_of(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::string> pieces;
  for (const TokenId id : tokenizer.encode(text)) pieces.push_back(tokenizer.token_bytes(id));
  return pieces;
}

// Merges the adjacent pair whose joined piece scores best, leftmost among equals, until none is a piece.
std::vector<std::string> naive_bpe(const Vocabulary& v, std::string_view text) {
  std::vector<std::string> symbols;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    utf8::next(text, at);
    symbols.emplace_back(text.substr(begin, at - begin));
  }
  while (true) {
    size_t best = 0;
    float best_score = -1e30f;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      for (TokenId id = 0; id < v.size(); ++id) {
        if (v.kinds[id] == TokenKind::kNormal && v.tokens[id] == symbols[i] + symbols[i + 1] &&
            v.scores[id] > best_score) {
          best = i;
          best_score = v.scores[id];
        }
      }
    }
    if (best_score == -1e30f) return symbols;
    symbols[best] += symbols[best + 1];
    symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(best) + 1);
  }
}

TEST(SentencePiece, EncodesWithASpaceFirst) {
  const auto tokenizer = make(sentencepiece_vocabulary(kPieces));
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(texts_of(*tokenizer, "the cat"), (std::vector<std::string>{" the", " c", "a", "t"}));
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("the cat")), "the cat");
  EXPECT_TRUE(tokenizer->encode("").empty());
}

TEST(SentencePiece, ContinuationHasNoSpaceOfItsOwn) {
  const auto tokenizer = make(sentencepiece_vocabulary(kPieces));
  ASSERT_NE(tokenizer, nullptr);
  const auto ids = tokenizer->encode_continuation("the");
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_EQ(tokenizer->token_bytes(ids[0]), "t");
}

TEST(SentencePiece, UnknownCharactersFallBackToBytes) {
  const auto tokenizer = make(sentencepiece_vocabulary(kPieces));
  ASSERT_NE(tokenizer, nullptr);
  for (const char* text : {"é", "the 日本 cat", "\U0001F600", " two  spaces ", "line\nbreak\ttab"}) {
    EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text);
  }
}

TEST(SentencePiece, MalformedBytesSurvive) {
  const auto tokenizer = make(sentencepiece_vocabulary(kPieces));
  ASSERT_NE(tokenizer, nullptr);
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (uint64_t i = random.below(40); i > 0; --i) text += static_cast<char>(random.below(256));
    EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text);
  }
}

TEST(SentencePiece, SpecialTokensNeverComeFromText) {
  const auto tokenizer = make(sentencepiece_vocabulary(kPieces));
  ASSERT_NE(tokenizer, nullptr);
  for (const char* text : {"<s>", "</s>", "<unk>", "<|q|>", "a<|q|>the</s>", "<0x0A>"}) {
    const auto ids = tokenizer->encode(text);
    for (const TokenId id : ids) EXPECT_FALSE(tokenizer->is_special(id)) << text;
    EXPECT_EQ(tokenizer->decode(ids), text);
  }
  EXPECT_EQ(tokenizer->find_special("<|q|>"), 3);
  EXPECT_EQ(tokenizer->find_special("<|q"), kNoToken);
  EXPECT_EQ(tokenizer->find_special("the"), kNoToken);
  EXPECT_EQ(tokenizer->special_text(1), "<s>");
}

TEST(SentencePiece, EqualsNaiveMergingOnRandomText) {
  Random random(11);
  std::vector<std::string> pieces = {"▁", "a", "b", "c"};
  for (int i = 0; i < 60; ++i) {
    // Pieces are joins of two others, as training makes them.
    const std::string joined = pieces[random.below(pieces.size())] + pieces[random.below(pieces.size())];
    if (std::find(pieces.begin(), pieces.end(), joined) == pieces.end()) pieces.push_back(joined);
  }
  const Vocabulary vocabulary = sentencepiece_vocabulary(pieces);
  const auto tokenizer = make(vocabulary);
  ASSERT_NE(tokenizer, nullptr);
  for (int round = 0; round < 100; ++round) {
    std::string text, marked;
    for (uint64_t i = random.below(60); i > 0; --i) {
      const char c = " abc"[random.below(4)];
      text += c;
      marked += c == ' ' ? "▁" : std::string(1, c);
    }
    std::vector<std::string> got;
    for (const TokenId id : tokenizer->encode_continuation(text)) got.push_back(vocabulary.tokens[id]);
    EXPECT_EQ(got, naive_bpe(vocabulary, marked)) << text;
  }
}

TEST(SentencePiece, UnigramVocabularies) {
  Vocabulary vocabulary = sentencepiece_vocabulary(kPieces);
  vocabulary.model = "t5";
  vocabulary.remove_extra_whitespaces = true;
  const auto tokenizer = make(vocabulary);
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("  the   cat ")), "the cat");
}

TEST(SentencePiece, HostileVocabulariesAreRepairedOrRefused) {
  Vocabulary vocabulary = sentencepiece_vocabulary(kPieces);
  add(vocabulary, "he", TokenKind::kNormal, -3);  // duplicate
  add(vocabulary, "", TokenKind::kNormal);
  add(vocabulary, "", TokenKind::kUserDefined);
  add(vocabulary, "<unk>", TokenKind::kUnknown);
  add(vocabulary, std::string("nul\0nul", 7), TokenKind::kNormal);
  add(vocabulary, "\xff\xfe", TokenKind::kNormal);
  add(vocabulary, "<0xZZ>", TokenKind::kByte);
  add(vocabulary, std::string(100000, 'x'), TokenKind::kNormal, -std::numeric_limits<float>::infinity());
  const auto tokenizer = make(vocabulary);
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("the cat")), "the cat");

  Vocabulary empty;
  empty.model = "llama";
  EXPECT_EQ(empty.check().code(), StatusCode::kCorruption);
  Vocabulary short_scores = sentencepiece_vocabulary(kPieces);
  short_scores.scores.pop_back();
  EXPECT_EQ(short_scores.check().code(), StatusCode::kCorruption);
  Vocabulary other = sentencepiece_vocabulary(kPieces);
  other.model = "rwkv";
  ASSERT_TRUE(other.check().ok());
  EXPECT_EQ(Tokenizer::make(other).status().code(), StatusCode::kUnsupported);
}

TEST(SentencePiece, NoUnknownTokenIsNoCrash) {
  Vocabulary vocabulary;
  vocabulary.model = "llama";
  add(vocabulary, "a", TokenKind::kNormal);
  add(vocabulary, "▁", TokenKind::kNormal);
  const auto tokenizer = make(vocabulary);
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("aza")), "aa");
}

TEST(SentencePiece, ALongTextWithoutSpacesIsNotQuadratic) {
  const auto tokenizer = make(sentencepiece_vocabulary(kPieces));
  ASSERT_NE(tokenizer, nullptr);
  const std::string text(1 << 20, 'a');
  EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text);
}

}  // namespace
}  // namespace mneme::engine
