// What a model's file says of its vocabulary: which tokens begin, end and mark a text, and what is no token's business.
#include "engine/tokenizer/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/gguf/gguf_file.h"
#include "engine/gguf/gguf_writer.h"

namespace mneme::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Change = std::function<void(gguf::GgufWriter&)>;

constexpr int32_t kNormal = 1;
constexpr int32_t kUnknown = 2;
constexpr int32_t kControl = 3;
constexpr int32_t kUserDefined = 4;

// A file of these tokens and what else `add` says.
Result<Vocabulary> read(const std::string& model, const std::vector<std::string>& tokens,
                        const std::vector<int32_t>& kinds, const Change& add = {}) {
  gguf::GgufWriter writer;
  writer.add_text("tokenizer.ggml.model", model);
  writer.add_texts("tokenizer.ggml.tokens", tokens);
  if (!kinds.empty()) writer.add_i32s("tokenizer.ggml.token_type", kinds);
  if (add) add(writer);
  const std::vector<std::byte> bytes = writer.finish();
  const auto file = gguf::GgufFile::parse(bytes, "some.gguf");
  EXPECT_TRUE(file.ok()) << file.status().message();
  return Vocabulary::read(*file);
}

const std::vector<std::string> kTokens = {"<unk>", "<s>", "</s>", "a", "b", "<|eot|>", "<|im_end|>", "<|im_end|> "};
const std::vector<int32_t> kKinds = {kUnknown, kControl, kControl, kNormal, kNormal, kControl, kControl, kNormal};

TEST(Vocabulary, AnswersEndAtEveryTokenThatEndsATurn) {
  const auto all = read("llama", kTokens, kKinds, [](gguf::GgufWriter& writer) {
    writer.add_u32("tokenizer.ggml.bos_token_id", 1);
    writer.add_u32("tokenizer.ggml.eos_token_id", 2);
    writer.add_u32("tokenizer.ggml.eot_token_id", 5);
    writer.add_u32("tokenizer.ggml.eom_token_id", 2);
  });
  ASSERT_TRUE(all.ok()) << all.status().message();
  EXPECT_EQ(all->bos, 1);
  EXPECT_EQ(all->eos, 2);
  EXPECT_EQ(all->unknown, 0) << "by its kind";
  EXPECT_THAT(all->end_of_generation, ElementsAre(2, 5, 6)) << "each once; what the file forgot, by its spelling";
  // A word that is spelled so ends nothing.
  std::vector<int32_t> kinds = kKinds;
  kinds[6] = kNormal;
  EXPECT_THAT(read("llama", kTokens, kinds)->end_of_generation, IsEmpty());
  kinds[6] = kUserDefined;
  EXPECT_THAT(read("llama", kTokens, kinds)->end_of_generation, ElementsAre(6));
}

TEST(Vocabulary, IdsOfTokensThatAreNotThereAreNone) {
  for (const uint32_t id : {8u, 1000u, 0xffffffffu}) {
    const auto read_with = read("llama", kTokens, kKinds, [&](gguf::GgufWriter& writer) {
      for (const char* key : {"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id",
                              "tokenizer.ggml.eot_token_id", "tokenizer.ggml.unknown_token_id"})
        writer.add_u32(key, id);
    });
    ASSERT_TRUE(read_with.ok()) << read_with.status().message();
    EXPECT_EQ(read_with->bos, kNoToken) << id;
    EXPECT_EQ(read_with->eos, kNoToken) << id;
    EXPECT_EQ(read_with->unknown, 0) << id << ": by its kind";
    EXPECT_THAT(read_with->end_of_generation, ElementsAre(6)) << id;
  }
}

// Whatever kinds a file gives them.
TEST(Vocabulary, WhatBeginsOrEndsATextIsNeverPartOfOne) {
  const auto plain =
      read("llama", kTokens, std::vector<int32_t>(kTokens.size(), kNormal), [](gguf::GgufWriter& writer) {
        writer.add_u32("tokenizer.ggml.bos_token_id", 1);
        writer.add_u32("tokenizer.ggml.eos_token_id", 2);
        writer.add_u32("tokenizer.ggml.unknown_token_id", 0);
      });
  ASSERT_TRUE(plain.ok()) << plain.status().message();
  EXPECT_EQ(plain->kinds[0], TokenKind::kUnknown);
  EXPECT_EQ(plain->kinds[1], TokenKind::kControl);
  EXPECT_EQ(plain->kinds[2], TokenKind::kControl);
  EXPECT_EQ(plain->kinds[3], TokenKind::kNormal);
  for (TokenId id = 0; id < plain->size(); ++id) EXPECT_EQ(is_marker(*plain, id), id < 3) << id;
}

// Whether texts begin with BOS and end with EOS, as the file says or as its kind has it.
TEST(Vocabulary, MarkersAroundTextsAreThoseOfTheKindUnlessTheFileSaysOtherwise) {
  struct Case {
    const char* model;
    const char* pre;
    bool bos;
    bool eos;
  };
  for (const Case& one : {Case{"llama", "", true, false}, Case{"t5", "", true, true}, Case{"bert", "", true, true},
                          Case{"gpt2", "llama-bpe", true, false}, Case{"gpt2", "tekken", true, false},
                          Case{"gpt2", "falcon3", true, false}, Case{"gpt2", "gpt-2", false, false},
                          Case{"gpt2", "qwen2", false, false}}) {
    const auto pre = [&](gguf::GgufWriter& writer) { writer.add_text("tokenizer.ggml.pre", one.pre); };
    const auto as_it_is = read(one.model, kTokens, kKinds, pre);
    ASSERT_TRUE(as_it_is.ok()) << as_it_is.status().message();
    EXPECT_EQ(as_it_is->add_bos, one.bos) << one.model << " " << one.pre;
    EXPECT_EQ(as_it_is->add_eos, one.eos) << one.model << " " << one.pre;
    for (const bool said : {false, true}) {
      const auto otherwise = read(one.model, kTokens, kKinds, [&](gguf::GgufWriter& writer) {
        pre(writer);
        writer.add_bool("tokenizer.ggml.add_bos_token", said);
        writer.add_bool("tokenizer.ggml.add_eos_token", said);
      });
      const bool always = std::string(one.model) == "bert";  // converters disagree about its flags
      EXPECT_EQ(otherwise->add_bos, said || always) << one.model;
      EXPECT_EQ(otherwise->add_eos, said || always) << one.model;
    }
  }
}

TEST(Vocabulary, EncodersHaveASeparatorBetweenTheTextsOfAPair) {
  const auto with = [&](const std::string& model, const Change& add) {
    const auto vocabulary = read(model, kTokens, kKinds, [&](gguf::GgufWriter& writer) {
      writer.add_u32("tokenizer.ggml.eos_token_id", 2);
      if (add) add(writer);
    });
    return vocabulary->pair_separator;
  };
  const Change names_one = [](gguf::GgufWriter& writer) { writer.add_u32("tokenizer.ggml.seperator_token_id", 4); };
  EXPECT_EQ(with("t5", {}), 2);
  EXPECT_EQ(with("t5", names_one), 4);
  EXPECT_EQ(with("t5", [](gguf::GgufWriter& writer) { writer.add_bool("tokenizer.ggml.add_sep_token", false); }),
            kNoToken);
  EXPECT_EQ(with("llama", names_one), kNoToken);
}

TEST(Vocabulary, FlagsAndTemplateAreTaken) {
  const auto plain = read("llama", kTokens, kKinds);
  EXPECT_TRUE(plain->add_space_prefix);
  EXPECT_FALSE(plain->remove_extra_whitespaces);
  EXPECT_EQ(plain->chat_template, "");
  EXPECT_TRUE(read("t5", kTokens, kKinds)->remove_extra_whitespaces);
  const auto said = read("t5", kTokens, kKinds, [](gguf::GgufWriter& writer) {
    writer.add_bool("tokenizer.ggml.add_space_prefix", false);
    writer.add_bool("tokenizer.ggml.remove_extra_whitespaces", false);
    writer.add_i32s("tokenizer.ggml.precompiled_charsmap", {1, 0, 255, 7});
    writer.add_text("tokenizer.chat_template", "{{ messages }}");
  });
  EXPECT_FALSE(said->add_space_prefix);
  EXPECT_FALSE(said->remove_extra_whitespaces);
  EXPECT_EQ(said->precompiled_charsmap, std::string("\x01\x00\xff\x07", 4));
  EXPECT_EQ(said->chat_template, "{{ messages }}");
}

// What only templates may produce: a document that spells it has written text.
TEST(Vocabulary, UserDefinedTokensAreMarkersWhereTheyAreSpelledSo) {
  const std::vector<std::string> tokens = {
      "<|tool|>", "<tool>", "[INST]", "<start_of_turn>", "<EOT>", "tool", "<|", "<>", "    ", "<b", "[/b]"};
  const auto vocabulary =
      read("llama", tokens, std::vector<int32_t>(tokens.size(), kUserDefined),
           [](gguf::GgufWriter& writer) { writer.add_text("tokenizer.chat_template", "{{ '[INST]' + m }}"); });
  ASSERT_TRUE(vocabulary.ok()) << vocabulary.status().message();
  std::vector<std::string> markers;
  for (TokenId id = 0; id < vocabulary->size(); ++id)
    if (is_marker(*vocabulary, id)) markers.push_back(tokens[static_cast<size_t>(id)]);
  EXPECT_THAT(markers, ElementsAre("<|tool|>", "[INST]", "<start_of_turn>", "<EOT>"));
}

TEST(Vocabulary, KindsAndScoresMayBeMissingOrOdd) {
  const auto bare = read("gpt2", kTokens, {});
  ASSERT_TRUE(bare.ok()) << bare.status().message();
  EXPECT_EQ(bare->kinds, std::vector<TokenKind>(kTokens.size(), TokenKind::kNormal));
  EXPECT_EQ(bare->scores, std::vector<float>(kTokens.size(), 0.0f));
  const auto odd = read("llama", kTokens, {0, 1, 6, 7, -1, 3, 99, 5}, [](gguf::GgufWriter& writer) {
    writer.add_f32s("tokenizer.ggml.scores", {NAN, INFINITY, -1, 2, 3, 4, 5, 6});
  });
  ASSERT_TRUE(odd.ok()) << odd.status().message();
  using enum TokenKind;
  EXPECT_THAT(odd->kinds,
              ElementsAre(kUnused, TokenKind::kNormal, kByte, kUnused, kUnused, TokenKind::kControl, kUnused, kUnused));
  constexpr float kLowest = std::numeric_limits<float>::lowest();
  EXPECT_THAT(odd->scores, ElementsAre(kLowest, kLowest, -1, 2, 3, 4, 5, 6));
}

TEST(Vocabulary, WhatDoesNotFitTogetherIsRefusedWithItsReason) {
  const auto refused = [](const Result<Vocabulary>& vocabulary, const char* why) {
    EXPECT_EQ(vocabulary.status().code(), StatusCode::kCorruption) << why;
    EXPECT_NE(vocabulary.status().message().find(why), std::string::npos) << vocabulary.status().message();
    EXPECT_NE(vocabulary.status().message().find("some.gguf"), std::string::npos) << vocabulary.status().message();
  };
  refused(read("llama", {}, {}), "empty token list");
  refused(read("llama", kTokens, {1, 1}), "8 tokens but 2 types");
  refused(
      read("llama", kTokens, kKinds, [](gguf::GgufWriter& writer) { writer.add_f32s("tokenizer.ggml.scores", {1}); }),
      "1 scores");
  refused(read("llama", kTokens, {},
               [](gguf::GgufWriter& writer) { writer.add_text("tokenizer.ggml.token_type", "none"); }),
          "not numbers");
  refused(read("llama", kTokens, kKinds,
               [](gguf::GgufWriter& writer) { writer.add_texts("tokenizer.ggml.scores", {"a"}); }),
          "not numbers");
}

}  // namespace
}  // namespace mneme::engine
