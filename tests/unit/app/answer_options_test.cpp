// What `ask` and `chat` are told comes to what answers.
#include "app/commands/answer_options.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "app/cli/command_line.h"
#include "app/config/settings.h"
#include "app/context.h"

namespace mneme::app {
namespace {

Result<rag::AskOptions> options_of(std::vector<const char*> words) {
  CommandLine line("about", "mneme 1");
  AnswerArguments arguments;
  Command ask = line.root().subcommand("ask", "Ask");
  add_answer_options(ask, arguments);
  ask.action([](Context&) -> Result<ExitCode> { return ExitCode::kDone; });
  words.insert(words.begin(), {"mneme", "ask"});
  const Result<Settings> settings = Settings::parse("", "config.toml");
  const auto parsed = line.parse(static_cast<int>(words.size()), words.data(), *settings);
  if (!parsed.ok()) return parsed.status();
  return ask_options(arguments);
}

TEST(AnswerOptions, EachIsWhatItsOptionSays) {
  const auto options = options_of({"--collection",
                                   "letters",
                                   "--top-k",
                                   "9",
                                   "--neighbours",
                                   "2",
                                   "--diversity",
                                   "0.25",
                                   "--mode",
                                   "blend",
                                   "--recompute",
                                   "0.125",
                                   "--selector",
                                   "random",
                                   "--full-layers",
                                   "3",
                                   "--kv-level",
                                   "low",
                                   "--first-token-goal",
                                   "250",
                                   "--attention",
                                   "pq",
                                   "--pq-budget",
                                   "0.5",
                                   "--pq-m",
                                   "4",
                                   "--pq-b",
                                   "8",
                                   "--max-tokens",
                                   "77",
                                   "--temperature",
                                   "0.75",
                                   "--top-p",
                                   "0.5",
                                   "--seed",
                                   "11",
                                   "--draft",
                                   "2"});
  ASSERT_TRUE(options.ok()) << options.status().message();
  EXPECT_EQ(options->search.collection, "letters");
  EXPECT_EQ(options->search.top_k, 9);
  EXPECT_EQ(options->search.neighbours, 2);
  EXPECT_EQ(options->search.diversity, 0.25);
  EXPECT_EQ(options->mode, rag::AnswerMode::kBlend);
  EXPECT_EQ(options->recompute_ratio, 0.125);
  EXPECT_EQ(options->selector, "random");
  EXPECT_EQ(options->full_layers, 3);
  EXPECT_EQ(options->kv_level, "low");
  EXPECT_EQ(options->first_token_goal_ms, 250);
  EXPECT_EQ(options->retrieval.kind, engine::AttentionKind::kPq);
  EXPECT_EQ(options->retrieval.budget.share, 0.5);
  EXPECT_EQ(options->retrieval.n_parts, 4);
  EXPECT_EQ(options->retrieval.n_bits, 8);
  EXPECT_EQ(options->max_tokens, 77);
  EXPECT_EQ(options->temperature, 0.75f);
  EXPECT_EQ(options->top_p, 0.5f);
  EXPECT_EQ(options->seed, 11u);
  EXPECT_EQ(options->max_drafted, 2);
}

// What the model was measured to bear decides.
TEST(AnswerOptions, AutomaticIsNoModeOfItsOwn) {
  EXPECT_FALSE(options_of({})->mode.has_value());
  EXPECT_FALSE(options_of({"--mode", "auto"})->mode.has_value());
  EXPECT_EQ(options_of({"--mode", "full"})->mode, rag::AnswerMode::kFull);
  EXPECT_FALSE(options_of({})->recompute_ratio.has_value());
}

TEST(AnswerOptions, SenselessOnesAreRefused) {
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{{"--top-k", "0"},
                                                                                     {"--neighbours", "-1"},
                                                                                     {"--diversity", "1.5"},
                                                                                     {"--recompute", "1.01"},
                                                                                     {"--mode", "fast"},
                                                                                     {"--kv-level", "best"},
                                                                                     {"--pq-budget", "0"},
                                                                                     {"--pq-m", "9"},
                                                                                     {"--pq-b", "0"},
                                                                                     {"--max-tokens", "0"},
                                                                                     {"--temperature", "-1"},
                                                                                     {"--top-p", "2"},
                                                                                     {"--draft", "8"},
                                                                                     {"--first-token-goal", "0"}}) {
    EXPECT_EQ(options_of(words).status().code(), StatusCode::kUsage) << words[0];
  }
}

}  // namespace
}  // namespace mneme::app
