// What computes everything, or everything behind what is there already: the same answer, and what it cost is told.
#include <gtest/gtest.h>

#include "rag/kv_reuse/prefiller.h"
#include "tests/unit/rag_kv_reuse/kv_bed.h"

namespace mneme::rag {
namespace {

class AppendPrefillerTest : public ::testing::Test {
 protected:
  PrefillReport prefill(bool keeps_prefix, engine::Sequence& sequence, const Prompt& prompt) {
    const auto report =
        make_append_prefiller(keeps_prefix)->prefill(*bed_.model, sequence, prompt, {}, never_cancelled());
    EXPECT_TRUE(report.ok()) << report.status().message();
    EXPECT_EQ(sequence.n_tokens(), prompt.n_tokens());
    EXPECT_LT(relative_difference(sequence.logits(), bed_.full_logits(prompt)), 1e-4);
    return report.ok() ? *report : PrefillReport{};
  }

  KvBed bed_;
};

TEST_F(AppendPrefillerTest, WhatTheSequenceHeldBeforeMakesNoDifference) {
  const Prompt earlier = bed_.prompt({0, 1, 2});
  const Prompt prompt = bed_.prompt({0, 1, 3});
  for (const bool keeps_prefix : {false, true}) {
    const auto sequence = bed_.sequence();
    prefill(keeps_prefix, *sequence, earlier);
    prefill(keeps_prefix, *sequence, prompt);
    prefill(keeps_prefix, *sequence, prompt);  // all of it is there
    prefill(keeps_prefix, *sequence, bed_.prompt({}));
    prefill(keeps_prefix, *sequence, earlier);
  }
}

TEST_F(AppendPrefillerTest, AllIsComputedAnew) {
  const auto sequence = bed_.sequence();
  const Prompt prompt = bed_.prompt({0, 1});
  for (int i = 0; i < 2; ++i) {
    const PrefillReport report = prefill(false, *sequence, prompt);
    EXPECT_EQ(report.cache.mode, AnswerMode::kFull);
    EXPECT_EQ(report.cache.chunks, 2);
    EXPECT_EQ(report.cache.hits, 0);
    EXPECT_EQ(report.cache.recomputed_tokens, prompt.chunk_tokens);
    EXPECT_EQ(report.cache.recompute_ratio, 1.0);
    EXPECT_EQ(report.cache.bytes_fp16, int64_t{prompt.chunk_tokens} * bed_.model->config().kv_bytes_per_token());
  }
}

TEST_F(AppendPrefillerTest, WhatIsTheSameFromTheBeginningIsKept) {
  const auto sequence = bed_.sequence();
  const Prompt first = bed_.prompt({0, 1, 2});
  EXPECT_EQ(prefill(true, *sequence, first).cache.recomputed_tokens, first.chunk_tokens);
  const Prompt other = bed_.prompt({0, 1, 3});
  PrefillReport report = prefill(true, *sequence, other);
  EXPECT_EQ(report.cache.mode, AnswerMode::kPrefix);
  EXPECT_EQ(report.cache.chunks, 3);
  EXPECT_EQ(report.cache.hits, 2);
  const auto computed = static_cast<int64_t>(KvBed::passage_ids(3).size());
  EXPECT_EQ(report.cache.recomputed_tokens, computed);
  EXPECT_DOUBLE_EQ(report.cache.recompute_ratio, static_cast<double>(computed) / other.chunk_tokens);
  report = prefill(true, *sequence, other);
  EXPECT_EQ(report.cache.hits, 3);
  EXPECT_EQ(report.cache.recomputed_tokens, 0);
  EXPECT_EQ(report.cache.recompute_ratio, 0.0);
  report = prefill(true, *sequence, bed_.prompt({}));
  EXPECT_EQ(report.cache.chunks, 0);
  EXPECT_EQ(report.cache.recompute_ratio, 1.0) << "as where nothing is kept";
}

// A passage that is the same only up to a place is no hit, but what is the same of it is not computed.
TEST_F(AppendPrefillerTest, APassageMayBeKeptInPart) {
  const auto sequence = bed_.sequence();
  const Prompt first = bed_.prompt({0, 1});
  prefill(true, *sequence, first);
  Prompt changed = first;
  engine::PromptSegment& passage = changed.plan.segments[3];
  ASSERT_EQ(passage.chunk, 1);
  passage.ids[10] = passage.ids[10] == 5 ? 6 : 5;
  const PrefillReport report = prefill(true, *sequence, changed);
  EXPECT_EQ(report.cache.hits, 1);
  EXPECT_EQ(report.cache.recomputed_tokens, static_cast<int64_t>(passage.ids.size()) - 10);
}

// A state cannot be cut back to wherever prompts part, only to places where one was kept: behind the prefix, the
// passages, the earlier turns.
TEST(AppendPrefillerWithStates, GoesOnFromTheLastPlaceThatIsTheSame) {
  KvBed bed(3, storage::FileEnv::posix(), "qwen35");
  ASSERT_TRUE(bed.model->config().has_state());
  const auto sequence = bed.sequence();
  const auto read = [&](const Prompt& prompt, bool keeps_prefix = true) {
    const auto report =
        make_append_prefiller(keeps_prefix)->prefill(*bed.model, *sequence, prompt, {}, never_cancelled());
    EXPECT_TRUE(report.ok()) << report.status().message();
    EXPECT_EQ(sequence->n_tokens(), prompt.n_tokens());
    EXPECT_LT(relative_difference(sequence->logits(), bed.full_logits(prompt)), 1e-3);
    return report.ok() ? report->cache : CacheReport{};
  };
  const std::vector<engine::TokenId> turn = KvBed::ids(15, 70);
  std::vector<engine::TokenId> turns = turn;
  for (const engine::TokenId id : KvBed::ids(11, 71)) turns.push_back(id);
  const Prompt first = bed.prompt({0, 1});
  EXPECT_EQ(read(first).recomputed_tokens, first.chunk_tokens);
  const CacheReport followed = read(bed.prompt({0, 1}, turn));
  EXPECT_EQ(followed.hits, 2) << "the same passages stand before an earlier turn";
  EXPECT_EQ(followed.recomputed_tokens, 0);
  EXPECT_EQ(sequence->kept_place(first.n_before_history() + 15), first.n_before_history() + 15) << "and that is kept";
  EXPECT_EQ(read(bed.prompt({0, 1}, turns)).recomputed_tokens, 0);
  const Prompt other = bed.prompt({0, 2}, turns);
  const CacheReport changed = read(other);
  EXPECT_EQ(changed.hits, 0) << "the first passage is the same, but no place behind it was kept";
  EXPECT_EQ(changed.recomputed_tokens, other.chunk_tokens);
  EXPECT_EQ(sequence->kept_place(static_cast<int>(other.prefix.size())), static_cast<int>(other.prefix.size()));
  EXPECT_EQ(read(other).recomputed_tokens, 0);
  EXPECT_EQ(read(other, false).recomputed_tokens, other.chunk_tokens) << "where everything is to be read anew";
}

}  // namespace
}  // namespace mneme::rag
