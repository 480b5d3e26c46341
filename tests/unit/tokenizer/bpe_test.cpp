#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/gguf/gguf_file.h"
#include "engine/gguf/gguf_writer.h"
#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/pre_tokenizer_patterns.h"
#include "tests/unit/tokenizer/vocabularies.h"

namespace mneme::engine {
namespace {

using testing::add;
using testing::bpe_vocabulary;
using testing::make;

std::vector<std::string> split(std::string_view name, std::string_view text) {
  auto pre = PreTokenizer::open(name);
  EXPECT_TRUE(pre.ok()) << name;
  std::vector<uint32_t> ends;
  (*pre)->split(text, ends);
  std::vector<std::string> words;
  size_t begin = 0;
  for (const uint32_t end : ends) {
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  EXPECT_EQ(begin, text.size());
  return words;
}

using Words = std::vector<std::string>;

TEST(PreTokenizer, Gpt2) {
  EXPECT_EQ(split("gpt-2", "Hello world's 123 foo-bar  x\n\ny"),
            (Words{"Hello", " world", "'s", " 123", " foo", "-", "bar", " ", " x", "\n", "\n", "y"}));
}

TEST(PreTokenizer, Llama3TakesThreeDigitsAndCaseInsensitiveContractions) {
  EXPECT_EQ(split("llama-bpe", "I'LL pay 12345.\n\n  ok"),
            (Words{"I", "'LL", " pay", " ", "123", "45", ".\n\n", " ", " ok"}));
}

TEST(PreTokenizer, Qwen2TakesOneDigit) {
  EXPECT_EQ(split("qwen2", "x=42\t\tok (y)"), (Words{"x", "=", "4", "2", "\t", "\tok", " (", "y", ")"}));
}

TEST(PreTokenizer, Qwen35KeepsMarksWithTheirLetters) {
  EXPECT_EQ(split("qwen35", "I'LL e\u0301te\u0301 42 (\u0915\u094d\u0937)!"),
            (Words{"I", "'LL", " e\u0301te\u0301", " ", "4", "2", " (", "\u0915\u094d\u0937", ")!"}));
  EXPECT_EQ(split("qwen2", "e\u0301te"), (Words{"e", "\u0301te"}));
}

TEST(PreTokenizer, SmollmSplitsDigitsFirst) {
  EXPECT_EQ(split("smollm", "a 12 b"), (Words{"a", " ", "1", "2", " b"}));
}

TEST(PreTokenizer, Tekken) {
  EXPECT_EQ(split("tekken", "HelloWorld API/x"), (Words{"Hello", "World", " API", "/x"}));
}

TEST(PreTokenizer, Gpt4oKeepsContractionsWithTheirWord) {
  EXPECT_EQ(split("gpt-4o", "don't 1234"), (Words{"don't", " ", "123", "4"}));
  EXPECT_EQ(split("kimi-k2", "don't 1234"), (Words{"don't", " ", "123", "4"}));
  EXPECT_EQ(split("kimi-k2", "見る看HelloWorld見/\n"), (Words{"見", "る", "看", "Hello", "World", "見", "/\n"}));
}

TEST(PreTokenizer, Falcon) {
  EXPECT_EQ(split("falcon", "a+b 12345"), (Words{"a", "+", "b", " ", "123", "45"}));
}

TEST(PreTokenizer, DeepseekCoder) {
  EXPECT_EQ(split("deepseek-coder", "int 漢字x=1;\n"), (Words{"int", " ", "漢字", "x", "=", "1", ";", "\n"}));
}

TEST(PreTokenizer, SuperbpeGroupsDigitsFromTheRight) {
  EXPECT_EQ(split("superbpe", "n 1234567 m"), (Words{"n ", "1", "234", "567", " m"}));
  EXPECT_EQ(split("superbpe", "123 12½ ½1234 456½1234 ١٢٣٤"),
            (Words{"123", " ", "12½", " ", "½1", "234", " ", "456½1", "234", " ", "١", "٢٣٤"}));
}

TEST(PreTokenizer, EveryNamedRuleCompilesAndKeepsAllBytes) {
  const std::string names = pre_tokenizer_names();
  const std::string text =
      "It's 12,345 — naïve “quotes” 日本語テスト です。\r\n\r\n\tcode_x += 3.14;   \u00a0\u3000 ende ";
  size_t begin = 0;
  while (begin < names.size()) {
    size_t end = names.find(", ", begin);
    if (end == std::string::npos) end = names.size();
    std::string joined;
    for (const std::string& word : split(names.substr(begin, end - begin), text)) joined += word;
    EXPECT_EQ(joined, text);
    begin = end + 2;
  }
}

// As converters name them in files of architectures that docs/models.md promises.
TEST(PreTokenizer, NamesThatConvertersWriteAreKnown) {
  for (const char* name :
       {"exaone", "exaone4", "llada-moe", "bailingmoe2", "glm4", "chatglm-bpe", "kormo", "mellum", "qwen35"})
    EXPECT_NE(find_pre_tokenizer_rule(name), nullptr) << name;
}

TEST(PreTokenizer, UnknownNameIsNamed) {
  const auto result = PreTokenizer::open("no-such-rule");
  ASSERT_EQ(result.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(result.status().message().find("no-such-rule"), std::string::npos);
}

TEST(PreTokenizer, LongRunsAreNotQuadratic) {
  for (const char* name : {"gpt-2", "llama-bpe", "qwen2", "qwen35", "tekken", "gpt-4o", "deepseek-v3", "deepseek-llm",
                           "superbpe", "gemma4"}) {
    for (const std::string& unit : {std::string(" "), std::string("\n"), std::string("a"), std::string("1"),
                                    std::string("!"), std::string("A"), std::string(" \n"), std::string("日")}) {
      std::string text;
      while (text.size() < 300000) text += unit;
      text += "end";
      std::string joined;
      for (const std::string& word : split(name, text)) joined += word;
      EXPECT_EQ(joined, text) << name;
    }
  }
}

// Gemma 4: no words, merges over characters of a whole line, visible spaces, bytes for what has no token.
TEST(CharacterBpe, MergesOverSpacesAndFallsBackToBytes) {
  const std::string mark = "\u2581";
  const auto tokenizer = make(testing::character_vocabulary(
      {"a", "b", "é", mark, "\n", "\n\n"}, {{"a", mark}, {"a" + mark, "b"}, {mark, mark}, {"b", "é"}}));
  ASSERT_NE(tokenizer, nullptr);
  const auto pieces = [&](std::string_view text) {
    std::vector<std::string> out;
    for (const TokenId id : tokenizer->encode(text)) out.push_back(tokenizer->token_bytes(id));
    return out;
  };
  EXPECT_EQ(pieces("a b"), (Words{"a b"})) << "a merge may go over a space";
  EXPECT_EQ(pieces("a" + mark + "b"), (Words{"a b"})) << "a visible space is one";
  EXPECT_EQ(pieces("b  b"), (Words{"b", "  ", "b"}));
  EXPECT_EQ(pieces("bé"), (Words{"bé"}));
  EXPECT_EQ(pieces("aü"), (Words{"a", "\xc3", "\xbc"})) << "no token: its bytes";
  EXPECT_EQ(pieces("a\n\nb"), (Words{"a", "\n\n", "b"})) << "line feeds together where they are a token";
  EXPECT_EQ(pieces("\n\n\n"), (Words{"\n", "\n", "\n"}));
  EXPECT_EQ(pieces("\xff"), (Words{"\xff"}));
  for (const std::string text : {"a b é\n\n\n ü  日本", "\xc3", ""}) {
    EXPECT_EQ(tokenizer->decode(tokenizer->encode(text), false), text);
  }
  EXPECT_TRUE(tokenizer->add_bos());
}

// Random merges over a small alphabet, as training would make them.
std::vector<std::pair<std::string, std::string>> random_merges(Random& random, int count, std::string_view alphabet) {
  std::vector<std::string> pieces;
  for (const char c : alphabet) pieces.emplace_back(1, c);
  std::vector<std::pair<std::string, std::string>> merges;
  while (static_cast<int>(merges.size()) < count) {
    const auto& left = pieces[random.below(pieces.size())];
    const auto& right = pieces[random.below(pieces.size())];
    if (std::find(pieces.begin(), pieces.end(), left + right) != pieces.end() || left.size() + right.size() > 12)
      continue;
    merges.emplace_back(left, right);
    pieces.push_back(left + right);
  }
  return merges;
}

TEST(MergeTable, EqualsNaiveMergingAtEveryLength) {
  Random random(3);
  const auto merges = random_merges(random, 80, "abcd");
  std::vector<std::string> pieces = {"a", "b", "c", "d"};
  const auto id_of = [&](const std::string& text) {
    return static_cast<TokenId>(std::find(pieces.begin(), pieces.end(), text) - pieces.begin());
  };
  for (const auto& [left, right] : merges) pieces.push_back(left + right);
  MergeTable table(merges.size());
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const auto& [left, right] = merges[rank];
    table.add(id_of(left), id_of(right), {static_cast<int32_t>(rank), id_of(left + right)});
  }
  for (const size_t length : {0, 1, 2, 3, 10, 47, 48, 49, 50, 200, 1000}) {
    std::vector<TokenId> symbols;
    for (size_t i = 0; i < length; ++i) symbols.push_back(static_cast<TokenId>(random.below(4)));
    std::vector<TokenId> expected = symbols;
    while (true) {
      size_t best = 0;
      MergeTable::Merge merge;
      for (size_t i = 0; i + 1 < expected.size(); ++i) {
        const auto found = table.find(expected[i], expected[i + 1]);
        if (found.rank < merge.rank) {
          merge = found;
          best = i;
        }
      }
      if (merge.rank == MergeTable::kNone) break;
      expected[best] = merge.merged;
      expected.erase(expected.begin() + static_cast<ptrdiff_t>(best) + 1);
    }
    table.merge_word(symbols);
    EXPECT_EQ(symbols, expected) << length;
  }
}

TEST(Bpe, MergesByRank) {
  const auto tokenizer = make(bpe_vocabulary("gpt-2", {{"h", "e"}, {"l", "l"}, {"he", "ll"}, {" ", "w"}}));
  ASSERT_NE(tokenizer, nullptr);
  std::vector<std::string> pieces;
  for (const TokenId id : tokenizer->encode("hello world")) pieces.push_back(tokenizer->token_bytes(id));
  EXPECT_EQ(pieces, (std::vector<std::string>{"hell", "o", " w", "o", "r", "l", "d"}));
}

TEST(Bpe, WholeWordsComeFirstWhereTheModelSaysSo) {
  // "abc" is a token that no merge path reaches.
  auto vocabulary = bpe_vocabulary("llama-bpe", {{"b", "c"}});
  add(vocabulary, "abc", TokenKind::kNormal);
  const auto llama = make(vocabulary);
  vocabulary.pre = "gpt-2";
  const auto gpt2 = make(vocabulary);
  EXPECT_EQ(llama->encode("abc").size(), 1u);
  EXPECT_EQ(gpt2->encode("abc").size(), 2u);
}

TEST(Bpe, AnyBytesRoundTrip) {
  Random random(5);
  const auto merges = random_merges(random, 200, "etaoin shr\n");
  for (const char* pre : {"gpt-2", "llama-bpe", "qwen2", "smollm", "tekken", "deepseek-llm", "falcon", "bloom"}) {
    const auto tokenizer = make(bpe_vocabulary(pre, merges));
    ASSERT_NE(tokenizer, nullptr);
    for (int round = 0; round < 60; ++round) {
      std::string text;
      for (uint64_t i = random.below(3000); i > 0; --i) {
        text += random.below(8) == 0 ? static_cast<char>(random.below(256)) : "etaoin shr\n"[random.below(11)];
      }
      EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text);
    }
  }
}

TEST(Bpe, RepeatedWordsEncodeAsTheFirst) {
  Random random(9);
  const auto tokenizer = make(bpe_vocabulary("gpt-2", random_merges(random, 100, "abcde")));
  std::string text;
  std::vector<TokenId> expected;
  for (int i = 0; i < 3000; ++i) {
    std::string word = " ";
    for (uint64_t n = 1 + random.below(4); n > 0; --n) word += static_cast<char>('a' + random.below(5));
    text += word;
    for (const TokenId id : tokenizer->encode(word)) expected.push_back(id);
  }
  EXPECT_EQ(tokenizer->encode(text), expected);
}

TEST(Bpe, MarkersAreTextButAddedTextIsFound) {
  auto vocabulary = bpe_vocabulary("gpt-2", {{"a", "b"}});
  add(vocabulary, "    ", TokenKind::kUserDefined);
  add(vocabulary, "  ", TokenKind::kUserDefined);
  add(vocabulary, "<think>", TokenKind::kUserDefined);
  vocabulary.chat_template = "{{ '<think>' }}";
  const auto tokenizer = make(vocabulary);
  ASSERT_NE(tokenizer, nullptr);
  const TokenId four = tokenizer->vocab_size() - 3;
  const TokenId think = tokenizer->vocab_size() - 1;
  EXPECT_EQ(tokenizer->encode("      x"), (std::vector<TokenId>{four, four + 1, 'x'}));
  for (const char* text : {"<|im_start|>", "<|endoftext|>", "a<think>b"}) {
    const auto ids = tokenizer->encode(text);
    for (const TokenId id : ids) EXPECT_FALSE(tokenizer->is_special(id));
    EXPECT_EQ(tokenizer->decode(ids), text);
  }
  // The template may write it, text not; people see it.
  EXPECT_EQ(tokenizer->find_special("<think>"), think);
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{think}), "<think>");
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{tokenizer->eos()}), "");
  EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{tokenizer->eos()}, true), "<|endoftext|>");
  EXPECT_TRUE(tokenizer->is_end_of_generation(tokenizer->find_special("<|im_end|>")));
  EXPECT_FALSE(tokenizer->is_end_of_generation(think));
}

// ModernBERT has BERT's markers around a byte-level vocabulary.
TEST(Bpe, EncodersMayNameTheirMarkersAsBertDoes) {
  gguf::GgufWriter writer;
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(byte_character(static_cast<unsigned char>(byte)));
  tokens.insert(tokens.end(), {"[CLS]", "[SEP]"});
  std::vector<int32_t> kinds(256, 1);
  kinds.insert(kinds.end(), {3, 3});
  writer.add_text("tokenizer.ggml.model", "gpt2");
  writer.add_text("tokenizer.ggml.pre", "modern-bert");
  writer.add_texts("tokenizer.ggml.tokens", tokens);
  writer.add_i32s("tokenizer.ggml.token_type", kinds);
  writer.add_texts("tokenizer.ggml.merges", {"a b"});
  writer.add_u32("tokenizer.ggml.cls_token_id", 256);
  writer.add_u32("tokenizer.ggml.seperator_token_id", 257);
  writer.add_bool("tokenizer.ggml.add_bos_token", true);
  writer.add_bool("tokenizer.ggml.add_eos_token", true);
  const std::vector<std::byte> bytes = writer.finish();
  const auto file = gguf::GgufFile::parse(bytes, "modern.gguf");
  ASSERT_TRUE(file.ok()) << file.status().message();
  const auto tokenizer = Tokenizer::open(*file);
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
  EXPECT_TRUE((*tokenizer)->add_bos() && (*tokenizer)->add_eos());
  EXPECT_EQ((*tokenizer)->bos(), 256);
  EXPECT_EQ((*tokenizer)->eos(), 257);
}

TEST(Bpe, HostileVocabulariesAreRefusedOrHarmless) {
  auto vocabulary = bpe_vocabulary("gpt-2", {{"a", "b"}});
  vocabulary.merges = {"", " ", "  ", "a", "a ", " b", "a b c", "x y", "a b", "a b", "\xff \xff"};
  const auto tokenizer = make(vocabulary);
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(tokenizer->encode("ab").size(), 1u);

  Vocabulary no_merges = bpe_vocabulary("gpt-2", {});
  ASSERT_TRUE(no_merges.check().ok());
  EXPECT_EQ(Tokenizer::make(no_merges).status().code(), StatusCode::kCorruption);

  Vocabulary no_bytes;
  no_bytes.model = "gpt2";
  add(no_bytes, "word", TokenKind::kNormal);
  no_bytes.merges = {"a b"};
  ASSERT_TRUE(no_bytes.check().ok());
  EXPECT_EQ(Tokenizer::make(no_bytes).status().code(), StatusCode::kCorruption);

  const TokenId out_of_range[] = {-5, 1 << 30};
  EXPECT_EQ(tokenizer->decode(out_of_range), "");
  EXPECT_FALSE(tokenizer->is_special(-1));
}

TEST(Bpe, ALongTextWithoutSpacesIsNotQuadratic) {
  Random random(4);
  const auto tokenizer = make(bpe_vocabulary("llama-bpe", random_merges(random, 100, "ab")));
  std::string text;
  while (text.size() < 1u << 20) text += random.below(2) ? 'a' : 'b';
  EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text);
}

}  // namespace
}  // namespace mneme::engine
