#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.h"
#include "engine/tokenizer/tokenizer.h"
#include "rag/prompt/prompt_builder.h"
#include "rag/prompt/prompt_layout.h"

namespace mneme::rag {
namespace {

using ::testing::HasSubstr;

// A token per byte; BOS is 256.
class ByteTokenizer final : public engine::Tokenizer {
 public:
  std::vector<engine::TokenId> encode(std::string_view text) const override {
    std::vector<engine::TokenId> ids;
    for (const unsigned char c : text) ids.push_back(c);
    return ids;
  }
  std::string decode(std::span<const engine::TokenId> ids, bool /*show_special*/) const override {
    std::string text;
    for (const engine::TokenId id : ids) text += id < 256 ? std::string(1, static_cast<char>(id)) : "<bos>";
    return text;
  }
  std::string token_bytes(engine::TokenId id) const override {
    return id < 256 ? std::string(1, static_cast<char>(id)) : "";
  }
  int vocab_size() const override { return 257; }
  bool is_special(engine::TokenId id) const override { return id == 256; }
  engine::TokenId find_special(std::string_view /*text*/) const override { return engine::kNoToken; }
  std::string special_text(engine::TokenId /*id*/) const override { return "<bos>"; }
  size_t match_special(std::string_view /*text*/, engine::TokenId& /*id*/) const override { return 0; }
  engine::TokenId bos() const override { return 256; }
  engine::TokenId eos() const override { return engine::kNoToken; }
  bool add_bos() const override { return true; }
  bool is_end_of_generation(engine::TokenId /*id*/) const override { return false; }
};

class PromptTest : public ::testing::Test {
 protected:
  Result<Prompt> build(const PromptRequest& request) {
    const PromptLayout& layout = PromptLayout::embedded();
    auto frame = prompt_frame(tokenizer_, nullptr, layout);
    EXPECT_TRUE(frame.ok());
    return build_prompt(tokenizer_, *frame, layout, request);
  }
  std::string text(const Prompt& prompt) { return tokenizer_.decode(prompt.all_ids(), true); }

  ByteTokenizer tokenizer_;
};

TEST(PromptText, FillsOnceAndLiterally) {
  auto label = PromptText::parse("[{n}] {title}\n");
  ASSERT_TRUE(label.ok());
  EXPECT_EQ(label->fill({{"n", "{title}"}, {"title", "{n}"}}), "[{title}] {n}\n");
  EXPECT_FALSE(PromptText::parse("{open").ok());
}

TEST(PromptLayout, TheEmbeddedOneIsWhole) {
  const PromptLayout& layout = PromptLayout::embedded();
  EXPECT_GE(layout.version, 1);
  EXPECT_FALSE(layout.system.empty());
  EXPECT_TRUE(layout.says_no(layout.no_answer));
  EXPECT_TRUE(layout.says_no(layout.no_answer_short));
  EXPECT_FALSE(layout.says_no("The documents name three piers."));
  EXPECT_FALSE(PromptLayout::parse("version = 1").ok());
  EXPECT_FALSE(PromptLayout::parse("= x").ok());
}

TEST_F(PromptTest, PiecesStandInTheOrderOfTheLayout) {
  PromptRequest request;
  request.passages = {{"A", "first passage"}, {"B", "second passage"}};
  request.history = {{"before?", "so."}};
  request.instructions = "Be kind.";
  request.question = "and now?";
  request.budget_tokens = 4000;
  const auto prompt = build(request);
  ASSERT_TRUE(prompt.ok());
  const std::string all = text(*prompt);
  size_t last = 0;
  for (const char* piece : {"<bos>", "[1] A\n", "first passage", "[2] B\n", "second passage", "Be kind.", "before?",
                            "so.", "and now?", "Answer:"}) {
    const size_t at = all.find(piece, last);
    ASSERT_NE(at, std::string::npos) << piece << " in " << all;
    last = at;
  }
  EXPECT_EQ(prompt->chunk_tokens, 13 + 14);
  EXPECT_EQ(prompt->n_passages, 2);
  EXPECT_EQ(prompt->prefix.front(), 256);
  EXPECT_TRUE(prompt->plan.segments.back().question);
  EXPECT_EQ(prompt->plan.segments.back().chunk, -1);
}

TEST_F(PromptTest, NumbersAreOutsideTheCachedTokens) {
  PromptRequest request;
  request.passages = {{"A", "same text"}, {"B", "same text"}};
  request.question = "?";
  request.budget_tokens = 4000;
  const auto prompt = build(request);
  ASSERT_TRUE(prompt.ok());
  std::vector<std::vector<engine::TokenId>> chunks;
  for (const auto& segment : prompt->plan.segments) {
    if (segment.chunk >= 0) chunks.push_back(segment.ids);
  }
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0], chunks[1]);
}

TEST_F(PromptTest, WhatDoesNotFitIsLeftOutAndSaid) {
  PromptRequest request;
  const std::string long_text(500, 'x');
  for (int i = 0; i < 5; ++i) request.passages.push_back({"T", long_text});
  request.question = "?";
  request.budget_tokens = 1500;
  auto prompt = build(request);
  ASSERT_TRUE(prompt.ok());
  EXPECT_LE(prompt->n_tokens(), 1500);
  EXPECT_EQ(prompt->n_passages, 2);
  ASSERT_FALSE(prompt->notes.empty());
  EXPECT_THAT(prompt->notes[0], HasSubstr("3 of 5"));

  request.budget_tokens = 400;
  prompt = build(request);
  ASSERT_TRUE(prompt.ok());
  EXPECT_EQ(prompt->n_passages, 1);
  EXPECT_LE(prompt->n_tokens(), 400);

  request.budget_tokens = 20;
  EXPECT_EQ(build(request).status().code(), StatusCode::kResource);
}

TEST_F(PromptTest, EveryBudgetIsKeptAndUsed) {
  PromptRequest request;
  for (int i = 0; i < 3; ++i) request.passages.push_back({"T", std::string(100, static_cast<char>('x' + i))});
  request.history = {{"earlier?", "yes"}};
  request.instructions = "Be brief.";
  request.question = "?";
  request.budget_tokens = 100'000;
  const Prompt whole = *build(request);
  ASSERT_EQ(whole.n_passages, 3);
  ASSERT_TRUE(whole.notes.empty());
  int n_before = 0;
  for (int budget = 1; budget <= whole.n_tokens(); ++budget) {
    request.budget_tokens = budget;
    const auto prompt = build(request);
    if (!prompt.ok()) {
      EXPECT_EQ(n_before, 0) << "more room is never too little, budget " << budget;
      continue;
    }
    EXPECT_LE(prompt->n_tokens(), budget);
    EXPECT_EQ(prompt->notes.empty(), budget == whole.n_tokens()) << budget << ": what is left out is said";
    EXPECT_EQ(prompt->text_hashes.size(), static_cast<size_t>(prompt->n_passages));
    EXPECT_GE(prompt->n_tokens(), n_before - 40) << "a turn that comes in takes no passage out, budget " << budget;
    n_before = prompt->n_tokens();
  }
  EXPECT_EQ(n_before, whole.n_tokens());
}

TEST_F(PromptTest, LongTitlesAreCutBetweenCharactersAndHaveOneLine) {
  const auto title_of = [&](const std::string& title) {
    PromptRequest request;
    request.passages = {{title, "text"}};
    request.question = "?";
    request.budget_tokens = 4000;
    const std::string all = text(*build(request));
    const size_t begin = all.find("[1] ") + 4;
    return all.substr(begin, all.find('\n', begin) - begin);
  };
  for (const std::string& character : {std::string("e"), std::string("é"), std::string("家"), std::string("🐟")}) {
    for (size_t n_before = 0; n_before < 4; ++n_before) {
      std::string title(n_before, '-');
      while (title.size() < 300) title += character;
      const std::string cut = title_of(title);
      EXPECT_TRUE(title.starts_with(cut));
      EXPECT_TRUE(utf8::valid(cut)) << cut;
      EXPECT_GT(cut.size(), 200 - character.size());
      EXPECT_LE(cut.size(), 200u);
    }
  }
  const std::string fits = std::string(198, '-') + "é";
  EXPECT_EQ(title_of(fits), fits);
  EXPECT_EQ(title_of("two\nlines\tof it"), "two lines of it");
}

TEST_F(PromptTest, OldTurnsGoFirst) {
  PromptRequest request;
  for (int i = 0; i < 10; ++i) request.history.push_back({"question " + std::to_string(i), std::string(50, 'a')});
  request.question = "?";
  request.budget_tokens = 1000;
  const auto prompt = build(request);
  ASSERT_TRUE(prompt.ok());
  const std::string all = text(*prompt);
  EXPECT_THAT(all, HasSubstr("question 9"));
  EXPECT_EQ(all.find("question 0"), std::string::npos);
  EXPECT_FALSE(prompt->notes.empty());
}

}  // namespace
}  // namespace mneme::rag
