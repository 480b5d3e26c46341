#include "engine/pq/retrieval_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mneme::engine {
namespace {

using ::testing::HasSubstr;

TEST(RetrievalOptions, BudgetsAreSharesCountsAndMasses) {
  EXPECT_DOUBLE_EQ(parse_retrieval_budget("")->share, 0.2);
  EXPECT_DOUBLE_EQ(parse_retrieval_budget("0.2")->share, 0.2);
  EXPECT_DOUBLE_EQ(parse_retrieval_budget("1/5")->share, 0.2);
  EXPECT_DOUBLE_EQ(parse_retrieval_budget("1")->share, 1.0);
  EXPECT_EQ(parse_retrieval_budget("4096")->tokens, 4096);
  EXPECT_EQ(parse_retrieval_budget("64")->tokens, 64) << "the fewest";
  EXPECT_DOUBLE_EQ(parse_retrieval_budget("mass:0.95")->mass, 0.95);
  EXPECT_DOUBLE_EQ(parse_retrieval_budget("mass:0.95")->share, 1) << "and as many as that takes";
}

TEST(RetrievalOptions, SenselessBudgetsAreRefusedWithWords) {
  for (const char* text : {"0", "-1", "1.5", "63", "0.0", "mass:1", "mass:0", "mass:", "x", "1/0", "3/2", "nan", "inf",
                           "1e99", "99999999", "64.5"}) {
    const auto budget = parse_retrieval_budget(text);
    ASSERT_FALSE(budget.ok()) << text;
    EXPECT_EQ(budget.status().code(), StatusCode::kUsage);
    EXPECT_THAT(budget.status().message(), HasSubstr("share above 0 and up to 1")) << text;
  }
}

TEST(RetrievalOptions, NamesRoundTrip) {
  for (const char* name : {"pq", "exact", "window", "h2o", "sparq", "quest", "infllm"})
    EXPECT_EQ(retrieval_method_name(*parse_retrieval_method(name)), name);
  for (const char* name : {"full", "pq", "auto"}) EXPECT_EQ(attention_kind_name(*parse_attention_kind(name)), name);
  EXPECT_THAT(parse_retrieval_method("best").status().message(), HasSubstr("infllm"));
}

TEST(RetrievalOptions, Variants) {
  RetrievalOptions options;
  EXPECT_TRUE(parse_retrieval_variant("pq:4x8+cut+share3", options).ok());
  EXPECT_EQ(options.method, RetrievalMethod::kPq);
  EXPECT_EQ(options.n_parts, 4);
  EXPECT_EQ(options.n_bits, 8);
  EXPECT_FALSE(options.tail);
  EXPECT_EQ(options.shared_layers, 3);
  EXPECT_TRUE(parse_retrieval_variant("exact", options).ok());
  EXPECT_EQ(options.method, RetrievalMethod::kExact);
  EXPECT_EQ(options.n_parts, 4);
  EXPECT_TRUE(parse_retrieval_variant("pq+max+window64+sinks4+iterations16", options).ok());
  EXPECT_TRUE(options.combine_max);
  EXPECT_EQ(options.window, 64);
  EXPECT_EQ(options.n_sinks, 4);
  EXPECT_EQ(options.iterations, 16);
  EXPECT_TRUE(options.split_heads && options.by_spread);
  EXPECT_TRUE(parse_retrieval_variant("pq+even+centre", options).ok());
  EXPECT_FALSE(options.split_heads || options.by_spread);
  EXPECT_TRUE(parse_retrieval_variant("pq+rerank1.5", options).ok());
  EXPECT_EQ(options.rerank, 1.5);
  for (const double times : {1.0, 16.0}) {
    EXPECT_TRUE(parse_retrieval_variant("pq+rerank" + std::to_string(times), options).ok());
    EXPECT_EQ(options.rerank, times);
    EXPECT_TRUE(check_retrieval_options(options, 64).ok()) << times;
  }
  EXPECT_TRUE(parse_retrieval_variant("pq+codes", options).ok());
  EXPECT_EQ(options.rerank, 0);
  EXPECT_TRUE(check_retrieval_options(options, 64).ok());
  for (const char* text : {"pq+rerank", "pq+rerank0.5", "pq+rerank17", "pq+window", "pq+window0",
                           "pq+sinksx", "pq:",          "pq:4",        "pq:4x",     "pq:x8",
                           "pq:9x6",    "pq:2x9",       "pq+",         "pq+cuts",   "pq+share",
                           "pq+share0", "pq+share1.5",  "pq:2x6:2x6",  "best",      ""}) {
    const Status status = parse_retrieval_variant(text, options);
    EXPECT_EQ(status.code(), StatusCode::kUsage) << text;
  }
}

TEST(RetrievalOptions, PartsMustDivideTheHead) {
  RetrievalOptions options;
  EXPECT_TRUE(check_retrieval_options(options, 64).ok());
  options.n_parts = 3;
  EXPECT_THAT(check_retrieval_options(options, 64).message(), HasSubstr("64 dimensions cannot be cut into 3"));
  EXPECT_TRUE(check_retrieval_options(options, 96).ok());
  options.n_parts = 16;
  EXPECT_FALSE(check_retrieval_options(options, 64).ok());
  options = {};
  for (const int bits : {0, 9, -1}) {
    options.n_bits = bits;
    EXPECT_FALSE(check_retrieval_options(options, 64).ok());
  }
  for (const int bits : {1, 8}) {
    options.n_bits = bits;
    EXPECT_TRUE(check_retrieval_options(options, 64).ok()) << bits;
  }
  options = {.n_parts = 8};
  EXPECT_TRUE(check_retrieval_options(options, 64).ok());
  options.n_parts = 1;
  EXPECT_TRUE(check_retrieval_options(options, 64).ok());
  options = {};
  for (const double share : {0.0, -0.5, 1.01}) {
    options.budget.share = share;
    EXPECT_EQ(check_retrieval_options(options, 64).code(), StatusCode::kUsage);
  }
}

// Each alone: what the commands refuse before, other callers may give.
TEST(RetrievalOptions, SenselessOptionsAreRefused) {
  using Change = void (*)(RetrievalOptions&);
  constexpr Change kSenseless[] = {
      [](RetrievalOptions& o) { o.budget.tokens = -1; }, [](RetrievalOptions& o) { o.budget.mass = 1; },
      [](RetrievalOptions& o) { o.budget.mass = -0.1; }, [](RetrievalOptions& o) { o.n_sinks = -1; },
      [](RetrievalOptions& o) { o.window = 15; },        [](RetrievalOptions& o) { o.n_parts = 0; },
      [](RetrievalOptions& o) { o.rerank = 0.5; },       [](RetrievalOptions& o) { o.rerank = 16.5; },
      [](RetrievalOptions& o) { o.rerank = -1; },        [](RetrievalOptions& o) { o.shared_layers = 0; },
  };
  for (size_t i = 0; i < std::size(kSenseless); ++i) {
    RetrievalOptions options;
    kSenseless[i](options);
    EXPECT_EQ(check_retrieval_options(options, 64).code(), StatusCode::kUsage) << i;
  }
  const RetrievalOptions least{.n_sinks = 0, .window = 16};
  EXPECT_TRUE(check_retrieval_options(least, 64).ok());
}

TEST(RetrievalOptions, AStepAttendsToItsBudget) {
  RetrievalOptions options;
  options.budget.share = 0.1;
  for (const int n : {2000, 8192, 131072}) {
    const StepBudget step = step_budget(options, n);
    EXPECT_FALSE(step.everything);
    EXPECT_EQ(step.sinks, std::min(32, n / 80));
    EXPECT_EQ(n - step.window_begin, std::clamp(n / 320, 16, 128));
    const int attended = step.sinks + step.retrieved + n - step.window_begin;
    EXPECT_NEAR(attended, 0.1 * n, 1.0) << n;
  }
  options.budget.tokens = 4096;
  EXPECT_TRUE(step_budget(options, 4096).everything);
  EXPECT_FALSE(step_budget(options, 5000).everything);
  options.budget = {.share = 1};
  EXPECT_TRUE(step_budget(options, 100000).everything);
}

TEST(RetrievalOptions, AutomaticReadsInFullWhereNothingIsWon) {
  RetrievalOptions options{.kind = AttentionKind::kAuto};
  for (const int n : {1, 8192, options.min_tokens}) EXPECT_TRUE(step_budget(options, n).everything) << n;
  EXPECT_FALSE(step_budget(options, options.min_tokens + 1).everything);
  options.budget = {.mass = 0.5};
  EXPECT_TRUE(step_budget(options, options.min_tokens).everything);
  // Whoever asks for retrieval has it at any length.
  options = {.kind = AttentionKind::kPq};
  EXPECT_FALSE(step_budget(options, 8192).everything);
}

TEST(RetrievalOptions, ContextsWithinTheWindowAreAttendedToInFull) {
  RetrievalOptions options;
  options.budget.share = 0.1;
  for (int n = 1; n < 40; ++n) EXPECT_TRUE(step_budget(options, n).everything || n > 16) << n;
  for (const int n : {1, 10, 16}) EXPECT_TRUE(step_budget(options, n).everything);
  // No budget is ever exceeded by more than the smallest window.
  for (int n = 20; n < 3000; n += 17) {
    const StepBudget step = step_budget(options, n);
    if (step.everything) continue;
    EXPECT_GE(step.window_begin, step.sinks);
    EXPECT_LE(step.sinks + step.retrieved + n - step.window_begin, static_cast<int>(0.1 * n) + 1 + 16 + step.sinks);
  }
}

TEST(RetrievalOptions, TheWindowPolicySpendsAllOnTheWindow) {
  RetrievalOptions options;
  options.budget.share = 0.1;
  options.method = RetrievalMethod::kSinkWindow;
  const StepBudget step = step_budget(options, 10000);
  EXPECT_EQ(step.retrieved, 0);
  EXPECT_EQ(step.sinks + 10000 - step.window_begin, 1000);
}

// What is known of the keys serves whoever would have learnt the same of them.
TEST(RetrievalOptions, AnIndexServesOptionsThatWouldMakeTheSame) {
  using Change = void (*)(RetrievalOptions&);
  constexpr Change kMakesAnother[] = {
      [](RetrievalOptions& o) { o.method = RetrievalMethod::kExact; },
      [](RetrievalOptions& o) { o.n_parts = 4; },
      [](RetrievalOptions& o) { o.n_bits = 5; },
      [](RetrievalOptions& o) { o.iterations += 3; },
      [](RetrievalOptions& o) { o.training_keys += 1000; },
      [](RetrievalOptions& o) { ++o.seed; },
      [](RetrievalOptions& o) { ++o.n_sinks; },
      [](RetrievalOptions& o) { o.combine_max = !o.combine_max; },
      [](RetrievalOptions& o) { ++o.sparq_dims; },
      [](RetrievalOptions& o) { o.tail = !o.tail; },
      [](RetrievalOptions& o) { o.by_spread = !o.by_spread; },
  };
  constexpr Change kMakesTheSame[] = {
      [](RetrievalOptions& o) { o.budget = {.tokens = 999}; },    [](RetrievalOptions& o) { ++o.window; },
      [](RetrievalOptions& o) { o.kind = AttentionKind::kAuto; }, [](RetrievalOptions& o) { o.rerank = 3; },
      [](RetrievalOptions& o) { o.shared_layers = 2; },
  };
  const RetrievalOptions options;
  EXPECT_TRUE(same_index(options, options));
  for (size_t i = 0; i < std::size(kMakesAnother); ++i) {
    RetrievalOptions other;
    kMakesAnother[i](other);
    EXPECT_FALSE(same_index(options, other)) << i;
    EXPECT_FALSE(same_index(other, options)) << i;
    EXPECT_TRUE(same_index(other, other)) << i;
  }
  for (const Change change : kMakesTheSame) {
    RetrievalOptions other;
    change(other);
    EXPECT_TRUE(same_index(options, other));
  }
  const RetrievalOptions drops{.method = RetrievalMethod::kH2o};
  EXPECT_FALSE(same_index(drops, drops)) << "what it dropped is gone";
}

TEST(RetrievalOptions, WhatThePolicyDoesNotKnowStaysInTheWindow) {
  RetrievalOptions options;
  options.budget.share = 0.1;
  constexpr int kTokens = 8192;
  const StepBudget all = step_budget(options, kTokens);
  for (const int n_known : {kTokens, kTokens - 1, all.window_begin}) {
    const StepBudget step = step_budget(options, kTokens, n_known);
    EXPECT_FALSE(step.everything) << n_known;
    EXPECT_EQ(step.sinks, all.sinks);
    EXPECT_EQ(step.window_begin, all.window_begin);
    EXPECT_EQ(step.retrieved, all.retrieved);
  }
  for (const int less : {1, 7, all.retrieved - 1, all.retrieved, all.retrieved + 1, 3000}) {
    const StepBudget step = step_budget(options, kTokens, all.window_begin - less);
    EXPECT_FALSE(step.everything) << less;
    EXPECT_EQ(step.window_begin, all.window_begin - less);
    EXPECT_EQ(step.retrieved, std::max(0, all.retrieved - less)) << "the same number of tokens, while that goes";
  }
  EXPECT_EQ(step_budget(options, kTokens, all.sinks + 1).retrieved, 0);
  for (const int n_known : {0, 1, all.sinks}) EXPECT_TRUE(step_budget(options, kTokens, n_known).everything) << n_known;
  EXPECT_TRUE(step_budget(options, 10, 10).everything);
}

}  // namespace
}  // namespace mneme::engine
