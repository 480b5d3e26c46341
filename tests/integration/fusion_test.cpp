// Caches end to end: modes, the quality gate, chats that go on, and the measurements of fusion. The model is the tiny
// one of the unit tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::string kTiny = checkout::test_data("tiny.gguf");

class FusionTest : public testing::Test {
 protected:
  void SetUp() override {
    box = program.write("box.txt", "The code of box Brail is 44. The code of box Orven is 17.\n");
    bell =
        program.write("bell.txt", "The bell of the tower rings at noon. It was cast in 1731 by a smith from Lund.\n");
  }

  json run_json(std::vector<std::string> arguments, int expected_status = 0, const std::string& input = "") {
    arguments.insert(arguments.begin(), "--json");
    const Outcome outcome = program.run(arguments, input);
    EXPECT_EQ(outcome.exit_status, expected_status) << outcome.diagnostics << outcome.output;
    return outcome.last_json();
  }
  json ask(std::vector<std::string> more) {
    std::vector<std::string> arguments{
        "ask", "What is the code of box Brail?", "--context", box, "--context", bell, "--model", kTiny, "--max-tokens",
        "8"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_json(arguments);
  }

  Program program;
  std::string box, bell;
};

TEST_F(FusionTest, TheSecondQuestionComesFromTheCache) {
  const std::vector<std::string> blend{"--mode", "blend", "--recompute", "0.2", "--kv-level", "exact"};
  EXPECT_EQ(ask(blend)["cache"]["hits"], 0);
  for (const char* selector : {"focus", "boundary", "hkvd", "query", "random"}) {
    std::vector<std::string> options = blend;
    options.insert(options.end(), {"--selector", selector});
    const json cache = ask(options)["cache"];
    EXPECT_EQ(cache["hits"], 2) << selector;
    EXPECT_LT(cache["recompute_ratio"], 1.0) << selector;
    EXPECT_TRUE(cache["controller"].is_null()) << "the share was given";
  }
}

TEST_F(FusionTest, ExactCachesRecomputedInFullAnswerAsFullDoes) {
  const json full = ask({"--mode", "full"});
  const std::vector<std::string> all{"--mode", "blend", "--recompute", "1", "--kv-level", "exact"};
  ask(all);
  const json blend = ask(all);
  EXPECT_EQ(blend["cache"]["hits"], 2);
  EXPECT_EQ(blend["answer"], full["answer"]);
}

TEST_F(FusionTest, AModelSwitchedBetweenIndexingAndAskingFindsNothingOfTheOther) {
  program.write("docs/box.txt", "The code of box Brail is 44. The code of box Orven is 17.\n");
  run_json({"index", program.folder() + "/docs", "--kv", "now", "--model", kTiny});
  const std::string mini = checkout::path("assets/models/mneme-mini.gguf");
  const auto ask_with = [&](const std::string& model, const std::string& mode) {
    return run_json({"ask", "What is the code of box Brail?", "--model", model, "--mode", mode, "--recompute", "1",
                     "--kv-level", "medium", "--max-tokens", "8"});
  };
  EXPECT_EQ(ask_with(kTiny, "blend")["cache"]["hits"], 1) << "what indexing stored";
  const json switched = ask_with(mini, "blend");
  EXPECT_EQ(switched["cache"]["hits"], 0);
  EXPECT_EQ(switched["answer"], ask_with(mini, "full")["answer"]);
  EXPECT_EQ(ask_with(kTiny, "blend")["cache"]["hits"], 1) << "still there for its own model";
  const std::string told = program.run({"model", "add", kTiny}).diagnostics;
  EXPECT_NE(told.find("note: 1 KV cache ("), std::string::npos) << "of the other model: " << told;
  EXPECT_NE(told.find(" of other models and of no use to this one"), std::string::npos) << told;
}

TEST_F(FusionTest, ACollectionIndexedWithoutKvStoresNone) {
  const auto hits = [&] {
    return run_json({"ask", "What is the code of box Brail?", "--model", kTiny, "--max-tokens", "4", "--mode", "blend",
                     "--recompute", "0.2", "--kv-level", "exact"})["cache"]["hits"];
  };
  const std::vector<std::string> index{"index", box, bell, "--model", kTiny};
  std::vector<std::string> off = index;
  off.insert(off.end(), {"--kv", "off"});
  run_json(off);
  EXPECT_EQ(hits(), 0);
  EXPECT_EQ(hits(), 0);
  run_json(index);
  EXPECT_EQ(hits(), 0) << "as before";
  std::vector<std::string> lazy = index;
  lazy.insert(lazy.end(), {"--kv", "lazy"});
  run_json(lazy);
  EXPECT_EQ(hits(), 0);
  EXPECT_GT(hits(), 0);
}

TEST_F(FusionTest, PassagesBeyondTheContextAreLeftOutAndSaid) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "The code of box " + std::to_string(i) + " is " + std::to_string(i * 7) + ". ";
  const std::string large = program.write("large.txt", text);
  const json answer =
      run_json({"ask", "What is the code of box Brail?", "--context", box, "--context", large, "--model", kTiny,
                "--max-tokens", "4", "--mode", "blend", "--recompute", "0.2", "--kv-level", "exact"});
  ASSERT_FALSE(answer["notes"].empty()) << answer.dump();
  EXPECT_EQ(answer["cache"]["chunks"], 1) << "what fits is answered from";
}

// Two programs on one store, whose quota holds less than either wants: each evicts what the other stored.
TEST_F(FusionTest, TwoProcessesOnOneStoreAnswerAsOneThatComputes) {
  const json full = ask({"--mode", "full"});
  const std::vector<std::string> arguments{"--json",       "ask",         "What is the code of box Brail?",
                                           "--context",    box,           "--context",
                                           bell,           "--model",     kTiny,
                                           "--max-tokens", "8",           "--mode",
                                           "blend",        "--recompute", "1",
                                           "--kv-level",   "exact",       "--kv-quota",
                                           "0.00002"};
  std::array<std::vector<std::string>, 2> answers;
  std::vector<std::thread> threads;
  for (std::vector<std::string>& own : answers) {
    threads.emplace_back([&] {
      Program process;
      process.use_home(program.home());
      for (int i = 0; i < 4; ++i) {
        const json answer = process.run(arguments).last_json();
        own.push_back(answer.is_object() && answer.contains("answer") ? answer["answer"].get<std::string>() : "none");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : answers) {
    for (const std::string& answer : own) EXPECT_EQ(answer, full["answer"].get<std::string>());
  }
  EXPECT_TRUE(run_json({"verify"})["ok"]);
}

TEST_F(FusionTest, ATimeGoalIsReportedAndChoosesFromWhatIsStored) {
  const std::vector<std::string> goal{"--mode",      "blend", "--recompute",        "0.2",
                                      "--kv-level",  "exact", "--first-token-goal", "60000",
                                      "--kv-levels", "exact"};
  ask(goal);
  const json answer = ask(goal);
  EXPECT_EQ(answer["first_token_goal"]["ms"], 60000.0);
  EXPECT_EQ(answer["first_token_goal"]["kept"], true);
  ASSERT_EQ(answer["cache"]["passages"].size(), 2u);
  for (const json& passage : answer["cache"]["passages"]) {
    EXPECT_EQ(passage["source"], "store");
    EXPECT_GT(passage["layers"]["exact"], 0);
  }
  EXPECT_EQ(answer["cache"]["hits"], 2);
  const json full = ask({"--mode", "full", "--first-token-goal", "60000"});
  EXPECT_FALSE(full["notes"].empty()) << "it had no say";
  EXPECT_TRUE(ask({"--mode", "full"})["first_token_goal"].is_null());
  const json refused = run_json({"ask", "What?", "--kv-levels", "perfect", "--model", kTiny}, 2);
  EXPECT_NE(refused["error"]["message"].get<std::string>().find("--kv-levels"), std::string::npos);
}

TEST_F(FusionTest, WithoutAModeTheGateDecidesAndSaysSo) {
  const json answer = ask({});
  const std::string mode = answer["cache"]["mode"];
  EXPECT_TRUE(mode == "blend" || (mode == "full" && !answer["notes"].empty())) << answer.dump();
  // It was kept: the same verdict, without measuring.
  EXPECT_EQ(ask({})["cache"]["mode"], mode);
  EXPECT_EQ(ask({"--mode", "auto"})["cache"]["mode"], mode);
  EXPECT_EQ(ask({"--recompute", "0.3"})["cache"]["mode"], "blend") << "the user's word overrides the gate";
}

TEST_F(FusionTest, RegisteringAModelMeasuresIt) {
  const Outcome added = program.run({"model", "add", kTiny, "--name", "small"});
  EXPECT_EQ(added.exit_status, 0) << added.diagnostics;
  const bool judged = added.diagnostics.find("quality gate") != std::string::npos ||
                      added.diagnostics.find("repaired caches") != std::string::npos;
  EXPECT_TRUE(judged) << added.diagnostics;
}

TEST_F(FusionTest, AChatGoesOnFromItsCache) {
  program.write("docs/box.txt", "The code of box Brail is 44. The code of box Orven is 17.\n");
  run_json({"index", program.folder() + "/docs"});
  const std::vector<std::string> options{"--model", kTiny,        "--mode", "blend",        "--recompute",
                                         "0.2",     "--kv-level", "exact",  "--max-tokens", "6"};
  std::vector<std::string> chat{"--json", "chat"};
  chat.insert(chat.end(), options.begin(), options.end());
  const Outcome first = program.run(chat, "What is the code of box Brail?\nAnd what is the code of box Brail?\n");
  ASSERT_EQ(first.exit_status, 0) << first.diagnostics;
  EXPECT_EQ(first.last_json()["cache"]["carried"], 1) << first.output;
  const std::string id = run_json({"chat", "list"})["chats"][0]["id"].dump();
  chat.insert(chat.end(), {"--resume", id});
  const Outcome resumed = program.run(chat, "What is the code of box Brail?\n");
  ASSERT_EQ(resumed.exit_status, 0) << resumed.diagnostics;
  const json cache = resumed.last_json()["cache"];
  EXPECT_EQ(cache["carried"], 1) << resumed.output;
  EXPECT_GT(cache["history_tokens"], 0);
  EXPECT_EQ(cache["recompute_ratio"], 0.0);
  // Collecting garbage leaves it; deleting the chat does not.
  const auto n_files = [&] {
    return std::count_if(fs::recursive_directory_iterator(program.home() + "/kv"), fs::recursive_directory_iterator(),
                         [](const fs::directory_entry& entry) { return entry.path().extension() == ".kv"; });
  };
  const auto before = n_files();
  run_json({"gc"});
  EXPECT_EQ(n_files(), before);
  run_json({"chat", "delete", id});
  EXPECT_LT(n_files(), before);
}

// Passages that come from the store and a chat that is taken up again are retrieved from like any others.
TEST_F(FusionTest, RetrievalAttendsToStoredPassagesAndResumedChats) {
  std::string text;
  for (int i = 0; i < 12; ++i) text += "The code of box " + std::to_string(i) + " is " + std::to_string(i * 7) + ". ";
  box = program.write("boxes.txt", text + "The code of box Brail is 44.\n");
  const std::vector<std::string> stored{"--mode", "blend", "--recompute", "0.2", "--kv-level", "exact"};
  const auto with = [&](std::vector<std::string> options) {
    options.insert(options.end(), stored.begin(), stored.end());
    return options;
  };
  const json full = ask(with({"--attention", "full"}));
  EXPECT_EQ(ask(with({"--attention", "full"}))["attention"]["kind"], "full");
  const json few = ask(with({"--attention", "pq", "--pq-budget", "0.5"}));
  EXPECT_EQ(few["cache"]["hits"], full["cache"]["chunks"]) << few.dump();
  EXPECT_EQ(few["attention"]["kind"], "pq");
  EXPECT_LT(few["attention"]["attended"], 0.7 * few["usage"]["prompt_tokens"].get<double>()) << few.dump();
  const json everything = ask(with({"--attention", "pq", "--pq-budget", "1"}));
  EXPECT_EQ(everything["answer"], ask(with({"--attention", "full"}))["answer"]);

  program.write("docs/boxes.txt", text + "The code of box Brail is 44.\n");
  run_json({"index", program.folder() + "/docs"});
  std::vector<std::string> chat =
      with({"--json", "chat", "--model", kTiny, "--max-tokens", "6", "--attention", "pq", "--pq-budget", "0.5"});
  ASSERT_EQ(program.run(chat, "What is the code of box Brail?\n").exit_status, 0);
  chat.insert(chat.end(), {"--resume", run_json({"chat", "list"})["chats"][0]["id"].dump()});
  const Outcome resumed = program.run(chat, "And what is the code of box 3?\n");
  ASSERT_EQ(resumed.exit_status, 0) << resumed.diagnostics;
  const json answer = resumed.last_json();
  EXPECT_EQ(answer["cache"]["carried"], 1) << resumed.output;
  EXPECT_EQ(answer["attention"]["kind"], "pq");
  EXPECT_LT(answer["attention"]["attended"], 0.7 * answer["usage"]["prompt_tokens"].get<double>()) << resumed.output;
}

TEST_F(FusionTest, EvaluatesEveryModeAndGoesOnWhereItStopped) {
  const std::string set = program.write(
      "set.jsonl",
      R"({"id":"a","question":"What is the code of box Brail?","contexts":[{"title":"t","text":"The code of box Brail is 44."},{"title":"u","text":"The bell rings at noon."}],"answers":["44"],"supporting":[0]})"
      "\n"
      R"({"id":"b","question":"When does the bell ring?","contexts":[{"title":"u","text":"The bell rings at noon."},{"title":"t","text":"The code of box Brail is 44."}],"answers":["at noon"],"supporting":[0]})"
      "\n");
  const std::string plot = program.folder() + "/curve.svg";
  const std::string kept = program.folder() + "/kept.jsonl";
  std::vector<std::string> arguments{
      "eval",         set,     "--modes",     "full,prefix,reuse,blend,map-rerank,map-reduce",
      "--model",      kTiny,   "--kv-level",  "exact",
      "--recompute",  "0.2,1", "--selectors", "boundary,hkvd",
      "--max-tokens", "4",     "--plot",      plot,
      "--results",    kept,    "--samples",   "1"};
  const json report = run_json(arguments);
  for (const char* mode :
       {"full", "prefix", "reuse", "boundary@0.2", "boundary@1", "hkvd@0.2", "hkvd@1", "map-rerank", "map-reduce"}) {
    ASSERT_TRUE(report["modes"].contains(mode)) << report.dump();
    EXPECT_EQ(report["modes"][mode]["n"], 2);
  }
  EXPECT_EQ(report["modes"]["full"]["kl_full"], 0.0);
  EXPECT_NEAR(report["modes"]["boundary@1"]["kl_full"].get<double>(), 0.0, 1e-4);
  EXPECT_NEAR(report["modes"]["prefix"]["kl_full"].get<double>(), 0.0, 1e-4) << "exact, where it was kept";
  EXPECT_TRUE(report["modes"]["reuse"]["nll"].is_number());
  EXPECT_LT(report["modes"]["reuse"]["recompute_ratio"], 0.01) << "the caches were there beforehand";
  EXPECT_TRUE(report["paired_loss"]["reuse"].contains("upper95"));
  EXPECT_EQ(report["samples"].size(), 1u);
  std::ifstream svg(plot);
  std::stringstream text;
  text << svg.rdbuf();
  EXPECT_NE(text.str().find("hkvd"), std::string::npos);
  json again = run_json(arguments);
  EXPECT_EQ(again["modes"]["reuse"]["ttft_ms"], report["modes"]["reuse"]["ttft_ms"]) << "not asked again";
  const std::string copy = program.folder() + "/copy.gguf";
  fs::copy_file(kTiny, copy);
  std::replace(arguments.begin(), arguments.end(), kTiny, copy);
  again = run_json(arguments);
  EXPECT_EQ(again["modes"]["reuse"]["ttft_ms"], report["modes"]["reuse"]["ttft_ms"]) << "the same model elsewhere";
  arguments.insert(arguments.end(), {"--seed", "9"});
  run_json(arguments, 2);
}

TEST_F(FusionTest, AnswersThroughEveryCodec) {
  const std::string set = program.write(
      "set.jsonl",
      R"({"id":"a","question":"What is the code of box Brail?","contexts":[{"title":"t","text":"The code of box Brail is 44."},{"title":"u","text":"The bell rings at noon."}],"answers":["44"],"supporting":[0]})"
      "\n");
  const json report = run_json({"eval", set, "--modes", "full,reuse", "--model", kTiny, "--kv-level", "exact",
                                "--kv-codecs", "all", "--max-tokens", "4"});
  const json& modes = report["modes"];
  for (const char* codec :
       {"exact", "uniform8", "uniform4", "transform:high", "transform:low", "cachegen:medium", "cachegen-one-table"}) {
    ASSERT_TRUE(modes.contains(codec)) << report.dump();
    EXPECT_TRUE(modes[codec]["nll"].is_number()) << codec;
    EXPECT_GT(modes[codec]["bits_per_element"], 0.5) << codec;
    EXPECT_TRUE(report["paired_loss"].contains(codec));
  }
  // What is stored losslessly and what only passed through the lossless codec is the same.
  EXPECT_NEAR(modes["exact"]["nll"].get<double>(), modes["reuse"]["nll"].get<double>(), 1e-3);
  EXPECT_NEAR(modes["exact"]["kl_full"].get<double>(), modes["reuse"]["kl_full"].get<double>(), 1e-3);
  EXPECT_LT(modes["uniform4"]["bits_per_element"], modes["uniform8"]["bits_per_element"]);
  EXPECT_TRUE(modes["full"]["bits_per_element"].is_null());
  run_json({"eval", set, "--kv-codecs", "zip", "--model", kTiny}, 2);
  run_json({"eval", set, "--kv-codecs", "all", "--model", "none"}, 2);
}

TEST_F(FusionTest, MeasuresFirstTokens) {
  const json bench = run_json({"bench", "ttft", "--shape", "bench-tiny", "--type", "F16", "--chunks", "2,3",
                               "--chunk-tokens", "64", "--reps", "1", "--modes", "full,prefix,reuse,blend,auto",
                               "--kv-level", "medium", "--storage-bandwidth", "5e8,2e7"});
  ASSERT_EQ(bench["results"].size(), 2u * 2u * 5u);
  for (const json& result : bench["results"]) {
    EXPECT_GT(result["ttft_ms"]["median"], 0.0);
    EXPECT_GT(result["ttft_to_full"], 0.0);
    if (result["mode"] == "auto") {
      EXPECT_GE(result["chosen_ratio"], 0.15);
    }
    if (result["mode"] == "reuse") {
      EXPECT_GT(result["bytes_read"], 0);
    }
  }
}

TEST_F(FusionTest, MeasuresChatsAndThroughput) {
  const std::vector<std::string> shape{"--shape",        "bench-tiny", "--type", "F16", "--chunks",   "2",
                                       "--chunk-tokens", "48",         "--reps", "1",   "--kv-level", "medium"};
  std::vector<std::string> chat{"bench", "chat"};
  chat.insert(chat.end(), shape.begin(), shape.end());
  const json turns = run_json(chat)["results"];
  ASSERT_EQ(turns.size(), 2u);
  EXPECT_EQ(turns[0]["mode"], "second-turn");
  EXPECT_GT(turns[0]["history_tokens"], 0);
  EXPECT_EQ(turns[1]["carried"], 2);
  std::vector<std::string> throughput{"bench", "throughput", "--tokens", "2"};
  throughput.insert(throughput.end(), shape.begin(), shape.end());
  const json lanes = run_json(throughput)["results"];
  ASSERT_EQ(lanes.size(), 3u);
  for (const json& lane : lanes) {
    EXPECT_GT(lane["capacity_qps"], 0.0);
    EXPECT_LE(lane["rate_qps"], lane["capacity_qps"]);
  }
}

TEST_F(FusionTest, AnInterruptedAnswerLeavesTheRestForLater) {
  program.interrupt_after_ms = 1;
  program.run({"--json", "ask", "What is the code?", "--context", box, "--model", kTiny, "--mode", "blend",
               "--recompute", "0.2", "--kv-level", "exact"});
  program.interrupt_after_ms = 0;
  const json after = ask({"--mode", "blend", "--recompute", "0.2", "--kv-level", "exact"});
  EXPECT_EQ(after["cache"]["chunks"], 2);
}

}  // namespace
}  // namespace mneme::integration
