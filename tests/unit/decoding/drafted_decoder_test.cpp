#include "engine/decoding/drafted_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "base/random.h"
#include "engine/transformer/sampler.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"

namespace mneme::testing {
namespace {

using engine::DraftedDecoder;
using engine::LanguageModel;
using engine::Sequence;
using engine::TokenId;
using ::testing::ElementsAreArray;

std::unique_ptr<LanguageModel> open_model(const RandomModel& description) {
  const std::string path = write_temporary(random_gguf(description), "model.gguf");
  auto model = LanguageModel::open(path, {.device = {.device = "cpu", .n_threads = 2}});
  std::remove(path.c_str());
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : nullptr;
}

std::unique_ptr<Sequence> sequence_of(LanguageModel& model, const std::vector<TokenId>& ids, int max_tokens = 2048) {
  auto sequence = model.new_sequence(max_tokens);
  EXPECT_TRUE(sequence.ok());
  EXPECT_TRUE((*sequence)->append(ids).ok());
  return std::move(*sequence);
}

// A text that says the same things again and again, with other words between.
std::vector<TokenId> repetitive_ids(uint64_t seed, size_t n) {
  Random random(seed);
  std::vector<TokenId> ids;
  while (ids.size() < n) {
    const auto phrase = static_cast<TokenId>(random.below(6) * 12);
    for (TokenId i = 0; i < 9; ++i) ids.push_back(phrase + i);
    if (random.below(2) == 0) ids.push_back(static_cast<TokenId>(random.below(97)));
  }
  ids.resize(n);
  return ids;
}

std::vector<float> copy(std::span<const float> logits) {
  return {logits.begin(), logits.end()};
}

struct Kind {
  const char* name;
  RandomModel description;
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

class DraftedDecoding : public ::testing::TestWithParam<Kind> {};

// The caller's text is given, so drafts are right, half right and wrong; every token's logits are those of decoding
// token by token, to the last bit. The prompt ends where pages and parts of attention end soon.
TEST_P(DraftedDecoding, GivesTheBitsOfSingleSteps) {
  const auto model = open_model(GetParam().description);
  ASSERT_NE(model, nullptr);
  const std::vector<TokenId> text = repetitive_ids(3, 1660);
  const std::vector<TokenId> prompt(text.begin(), text.begin() + 1500);
  const auto single = sequence_of(*model, prompt);
  const auto drafted = sequence_of(*model, prompt);
  DraftedDecoder decoder(*model, *drafted, 7);
  for (size_t i = prompt.size(); i < text.size(); ++i) {
    ASSERT_TRUE(single->append(std::span(&text[i], 1)).ok());
    ASSERT_TRUE(decoder.append(text[i], never_cancelled()).ok());
    ASSERT_EQ(copy(single->logits()), copy(decoder.logits())) << "token " << i;
  }
  EXPECT_LT(decoder.counts().steps, 80);
  EXPECT_EQ(decoder.counts().steps + decoder.counts().accepted, 160);
  EXPECT_GT(decoder.counts().drafted, decoder.counts().accepted);
  decoder.finish();
  EXPECT_THAT(drafted->tokens(), ElementsAreArray(text));
}

using gguf::TensorType;

INSTANTIATE_TEST_SUITE_P(
    Kinds, DraftedDecoding,
    ::testing::Values(
        Kind{"F32", {}}, Kind{"F16", {.type = TensorType::kF16}}, Kind{"BF16", {.type = TensorType::kBF16}},
        Kind{"Q8_0", {.head_dim = 32, .type = TensorType::kQ8_0}}, Kind{"Q4_0", {.type = TensorType::kQ4_0}},
        Kind{"Q4_K", {.dim = 256, .n_heads = 8, .head_dim = 32, .ffn_dim = 512, .type = TensorType::kQ4_K}},
        Kind{"Q6_K", {.dim = 256, .n_heads = 8, .head_dim = 32, .ffn_dim = 512, .type = TensorType::kQ6_K}},
        Kind{"manyqueries", {.n_heads = 8, .n_kv_heads = 1, .head_dim = 64}},
        Kind{"windows", {.architecture = "gemma2", .n_layers = 4, .context = 2048, .window = 1100}},
        Kind{"narrowwindows", {.architecture = "gemma3", .n_layers = 8, .head_dim = 32, .window = 16}},
        Kind{"experts", {.architecture = "qwen3moe", .n_experts = 8, .n_experts_used = 2}},
        Kind{"latent", {.architecture = "deepseek2", .n_heads = 12, .q_rank = 32}},
        Kind{"fused", {.architecture = "phi3"}},
        Kind{"sharedkeys",
             {.architecture = "gemma4",
              .n_layers = 7,
              .n_kv_heads = 1,
              .head_dim = 32,
              .window = 16,
              .window_step = 3,
              .window_head_dim = 16,
              .shared_kv = 4,
              .shared_ffn = 128,
              .layer_input_dim = 24}},
        Kind{"expertsbeside",
             {.architecture = "gemma4",
              .n_layers = 3,
              .head_dim = 32,
              .n_experts = 8,
              .n_experts_used = 2,
              .window = 16,
              .window_step = 3,
              .full_kv_heads = 1,
              .keys_as_values = true}}),
    [](const auto& info) { return std::string(info.param.name); });

struct Text {
  std::vector<TokenId> tokens;
  engine::DraftCounts counts;
};

Text generate(LanguageModel& model, const std::vector<TokenId>& prompt, float temperature, int max_drafted,
              bool samples_in_steps = false) {
  const auto sequence = sequence_of(model, prompt);
  engine::Sampler sampler({.temperature = temperature, .seed = 4});
  DraftedDecoder decoder(model, *sequence, max_drafted);
  if (samples_in_steps) decoder.sample_in_steps(sampler);
  Text text;
  for (int i = 0; i < 60; ++i) {
    text.tokens.push_back(samples_in_steps ? decoder.sample(sampler) : sampler.sample(decoder.logits()));
    EXPECT_TRUE(decoder.append(text.tokens.back(), never_cancelled()).ok());
  }
  text.counts = decoder.counts();
  return text;
}

TEST(DraftedDecoder, TheTextIsTheSameWhateverTheSampling) {
  const auto model = open_model({.seed = 2});
  ASSERT_NE(model, nullptr);
  for (const float temperature : {0.0f, 0.05f, 1.0f}) {
    const std::vector<TokenId> prompt = repetitive_ids(8, 300);
    const Text drafted = generate(*model, prompt, temperature, 7);
    const Text single = generate(*model, prompt, temperature, 0);
    EXPECT_EQ(drafted.tokens, single.tokens) << temperature;
    EXPECT_EQ(single.counts.steps, 60);
    EXPECT_EQ(single.counts.drafted, 0);
    EXPECT_LE(drafted.counts.steps, 60);
    for (const int max_drafted : {0, 7}) {
      const Text in_steps = generate(*model, prompt, temperature, max_drafted, true);
      EXPECT_EQ(in_steps.tokens, single.tokens) << temperature << " " << max_drafted;
    }
  }
}

// As where something else than the sampler decides on a token.
TEST(DraftedDecoder, WhatWasDrawnBeforeAnotherTokenIsNotGivenAfterIt) {
  const auto model = open_model({.seed = 3});
  ASSERT_NE(model, nullptr);
  const std::vector<TokenId> prompt = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  int n_told_apart = 0;
  for (TokenId first = 1; first < 8; ++first) {
    const auto plain = sequence_of(*model, prompt);
    const auto sequence = sequence_of(*model, prompt);
    engine::Sampler sampler({.temperature = 0});
    DraftedDecoder decoder(*model, *sequence, 7);
    decoder.sample_in_steps(sampler);
    TokenId drawn_before = engine::kNoToken;
    for (const TokenId token : {TokenId{90}, first, first + 1}) {
      drawn_before = sampler.sample(plain->logits());
      ASSERT_TRUE(decoder.append(token, never_cancelled()).ok());
      ASSERT_TRUE(plain->append(std::span(&token, 1)).ok());
    }
    EXPECT_GT(decoder.counts().drafted, 0) << "the last step drew nothing";
    const TokenId expected = sampler.sample(plain->logits());
    EXPECT_EQ(decoder.sample(sampler), expected) << first;
    n_told_apart += drawn_before != expected ? 1 : 0;
  }
  EXPECT_GT(n_told_apart, 0) << "or nothing is shown";
}

TEST(DraftedDecoder, FinishLeavesTheTextAlone) {
  const auto model = open_model({});
  ASSERT_NE(model, nullptr);
  const std::vector<TokenId> prompt = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3};
  const auto sequence = sequence_of(*model, prompt);
  {
    DraftedDecoder decoder(*model, *sequence, 7);
    ASSERT_TRUE(decoder.append(4, never_cancelled()).ok());
    EXPECT_GT(decoder.counts().drafted, 0);
    EXPECT_GT(sequence->n_tokens(), 13);
    EXPECT_EQ(decoder.n_tokens(), 13);
  }
  EXPECT_EQ(sequence->n_tokens(), 13);
  // And what comes next is as if there had been no draft.
  const auto other = sequence_of(*model, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 50});
  ASSERT_TRUE(sequence->append(std::vector<TokenId>{50}).ok());
  EXPECT_THAT(sequence->tokens(), ElementsAreArray(other->tokens()));
}

// docs/engine.md, "Drafts": two equal tokens are often a coincidence.
TEST(DraftedDecoder, ALongerMatchIsTrustedFurther) {
  const auto model = open_model({});
  ASSERT_NE(model, nullptr);
  const std::vector<TokenId> text = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const auto drafted_after = [&](int match, int max_drafted) {
    std::vector<TokenId> ids = text;
    ids.push_back(90);
    ids.insert(ids.end(), text.begin(), text.begin() + match - 1);
    const auto sequence = sequence_of(*model, ids);
    DraftedDecoder decoder(*model, *sequence, max_drafted);
    EXPECT_TRUE(decoder.append(text[static_cast<size_t>(match) - 1], never_cancelled()).ok());
    return decoder.counts().drafted;
  };
  EXPECT_EQ(drafted_after(1, 7), 0);
  EXPECT_EQ(drafted_after(2, 7), 1);
  EXPECT_EQ(drafted_after(3, 7), 3);
  EXPECT_EQ(drafted_after(4, 7), 3);
  EXPECT_EQ(drafted_after(5, 7), 7);
  EXPECT_EQ(drafted_after(5, 2), 2);
  EXPECT_EQ(drafted_after(5, 100), 7);
}

TEST(DraftedDecoder, DraftsStopWhereTheContextEnds) {
  const auto model = open_model({});
  ASSERT_NE(model, nullptr);
  const auto sequence = sequence_of(*model, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}, 14);
  DraftedDecoder decoder(*model, *sequence, 7);
  ASSERT_TRUE(decoder.append(4, never_cancelled()).ok());
  EXPECT_EQ(decoder.counts().drafted, 1);
  ASSERT_TRUE(decoder.append(90, never_cancelled()).ok());
  EXPECT_EQ(decoder.append(91, never_cancelled()).code(), StatusCode::kResource);
  EXPECT_EQ(decoder.n_tokens(), 14);
}

TEST(DraftedDecoder, CancelLeavesTheTextAsItWas) {
  const auto model = open_model({});
  ASSERT_NE(model, nullptr);
  const auto sequence = sequence_of(*model, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3});
  DraftedDecoder decoder(*model, *sequence, 7);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(decoder.append(4, cancel).code(), StatusCode::kCancelled);
  decoder.finish();
  EXPECT_EQ(sequence->n_tokens(), 12);
}

TEST(DraftedDecoder, NoDraftsWhereATokenAloneWouldAttendToLess) {
  const auto model = open_model({.head_dim = 32, .context = 4096});
  ASSERT_NE(model, nullptr);
  const auto sequence = sequence_of(*model, repetitive_ids(6, 1000));
  engine::RetrievalOptions retrieval{.kind = engine::AttentionKind::kAuto};
  retrieval.min_tokens = 1004;
  retrieval.budget.share = 0.2;
  ASSERT_TRUE(sequence->set_retrieval(retrieval).ok());
  EXPECT_TRUE(sequence->attends_to_all(1004));
  EXPECT_FALSE(sequence->attends_to_all(1005));
  DraftedDecoder decoder(*model, *sequence, 7);
  const std::vector<TokenId> text = repetitive_ids(6, 1040);
  for (size_t i = 1000; i < text.size(); ++i) ASSERT_TRUE(decoder.append(text[i], never_cancelled()).ok());
  EXPECT_LE(decoder.counts().drafted, 3);
  EXPECT_TRUE(sequence->retrieval_report().used);
}

}  // namespace
}  // namespace mneme::testing
