// What of a prompt is taken out because a chat's sequence, or its stored context, has it already.
#include "rag/kv_reuse/remaining_prompt.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace mneme::rag {
namespace {

using engine::PromptSegment;
using engine::TokenId;

// Label, passage 0, label, passage 1, earlier turns, question.
Prompt chat_prompt() {
  Prompt prompt;
  prompt.plan.segments = {{{1, 2}, -1, false},  {{10, 11, 12}, 0, false},  {{3}, -1, false},
                          {{20, 21}, 1, false}, {{30, 31, 32}, -1, false}, {{40, 41}, -1, true}};
  prompt.history_segment = 4;
  prompt.n_passages = 2;
  return prompt;
}

std::vector<TokenId> ids_of(const RemainingPrompt& remaining) {
  std::vector<TokenId> ids;
  for (const PromptSegment& segment : remaining.plan.segments) {
    ids.insert(ids.end(), segment.ids.begin(), segment.ids.end());
  }
  return ids;
}

TEST(RemainingPrompt, NothingInCommonTakesNothing) {
  RemainingPrompt remaining(chat_prompt());
  EXPECT_EQ(remaining.take_out(std::vector<TokenId>{9}), 0U);
  EXPECT_EQ(remaining.plan.segments.size(), 6U);
  EXPECT_EQ(remaining.history_segment, 4);
  EXPECT_TRUE(remaining.carried.empty());
  EXPECT_TRUE(remaining.has_passages());
}

TEST(RemainingPrompt, LabelsAreCutAnywherePassagesAreTakenWholeOrNotAtAll) {
  RemainingPrompt label(chat_prompt());
  EXPECT_EQ(label.take_out(std::vector<TokenId>{1, 9}), 1U);
  EXPECT_EQ(ids_of(label).front(), 2);
  EXPECT_EQ(label.history_segment, 4);

  RemainingPrompt passage(chat_prompt());
  EXPECT_EQ(passage.take_out(std::vector<TokenId>{1, 2, 10, 11}), 2U);
  EXPECT_EQ(passage.plan.segments.front().ids, (std::vector<TokenId>{10, 11, 12}));
  EXPECT_EQ(passage.history_segment, 3);
  EXPECT_TRUE(passage.carried.empty());
}

TEST(RemainingPrompt, TakenPassagesAreCarried) {
  RemainingPrompt remaining(chat_prompt());
  EXPECT_EQ(remaining.take_out(std::vector<TokenId>{1, 2, 10, 11, 12, 3, 20, 21}), 8U);
  EXPECT_EQ(remaining.carried, (std::vector<int>{0, 1}));
  EXPECT_EQ(remaining.history_segment, 0);
  EXPECT_FALSE(remaining.has_passages());
}

TEST(RemainingPrompt, OfAHistoryWhoseBeginningIsInPlaceOnlyTheEndIsLeft) {
  RemainingPrompt remaining(chat_prompt());
  EXPECT_EQ(remaining.take_out(std::vector<TokenId>{1, 2, 10, 11, 12, 3, 20, 21, 30}), 9U);
  EXPECT_EQ(remaining.history_segment, -1);
  EXPECT_EQ(ids_of(remaining), (std::vector<TokenId>{31, 32, 40, 41}));
}

TEST(RemainingPrompt, TheLastTokenStays) {
  const Prompt prompt = chat_prompt();
  RemainingPrompt remaining(prompt);
  const std::vector<TokenId> all = ids_of(remaining);
  EXPECT_EQ(remaining.take_out(all), all.size() - 1);
  EXPECT_EQ(ids_of(remaining), (std::vector<TokenId>{41}));
  EXPECT_LT(remaining.history_segment, 0);
}

TEST(RemainingPrompt, AStoredPieceStandsForAllBeforeTheHistory) {
  RemainingPrompt remaining(chat_prompt());
  size_t ends_at = 0;
  std::vector<TokenId> ids = remaining.joined(8, ends_at);
  EXPECT_EQ(ids, (std::vector<TokenId>{1, 2, 10, 11, 12, 3, 20, 21}));
  ASSERT_EQ(ends_at, 4U);
  const std::vector<TokenId> before = ids_of(remaining);
  remaining.replace_first(ends_at, PromptSegment{std::move(ids), 0, false});
  EXPECT_EQ(ids_of(remaining), before);
  EXPECT_EQ(remaining.plan.segments.size(), 3U);
  EXPECT_EQ(remaining.history_segment, 1);
  EXPECT_EQ(remaining.carried, (std::vector<int>{0, 1}));
}

TEST(RemainingPrompt, WithoutAHistoryThereIsNoneAfterwards) {
  Prompt prompt = chat_prompt();
  prompt.plan.segments.erase(prompt.plan.segments.begin() + 4);
  prompt.history_segment = -1;
  RemainingPrompt remaining(prompt);
  EXPECT_EQ(remaining.take_out(std::vector<TokenId>{1, 2}), 2U);
  EXPECT_LT(remaining.history_segment, 0);
  remaining.replace_first(1, PromptSegment{{10, 11, 12}, 0, false});
  EXPECT_LT(remaining.history_segment, 0);
}

}  // namespace
}  // namespace mneme::rag
