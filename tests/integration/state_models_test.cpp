// Models whose layers keep a state instead of keys and values, of every kind, end to end: they answer and chat, their
// KV of passages is refused in a sentence wherever it is asked for.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/integration/program.h"
#include "tests/support/random_gguf.h"

namespace mneme::integration {
namespace {

using nlohmann::json;

constexpr const char* kWhy = "KV of passages cannot be reused with this model";

class StateModelsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::vector<std::byte> bytes = mneme::testing::random_gguf({.architecture = GetParam(),
                                                                      .n_layers = 4,
                                                                      .vocab_size = 320,
                                                                      .context = 4096,
                                                                      .attention_interval = 4,
                                                                      .vocabulary = true});
    model = program.write("state.gguf", std::string(as_text(bytes)));
    box = program.write("docs/box.txt", "The code of box Brail is 44. The code of box Orven is 17.\n");
  }

  Outcome run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), "--json");
    return program.run(arguments, input);
  }
  Outcome ask(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        "ask", "What is the code of box Brail?", "--context", box, "--model", model, "--max-tokens", "6"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  Program program;
  std::string model, box;
};

INSTANTIATE_TEST_SUITE_P(Kinds, StateModelsTest, ::testing::Values("qwen35", "lfm2", "granitehybrid"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(StateModelsTest, AnswersAreOfPromptsThatAreReadInFull) {
  const Outcome outcome = ask({});
  ASSERT_EQ(outcome.exit_status, 0) << outcome.diagnostics;
  const json answer = outcome.last_json();
  EXPECT_EQ(answer["cache"]["mode"], "full");
  EXPECT_NE(answer["notes"].dump().find(kWhy), std::string::npos) << answer["notes"];
  const Outcome full = ask({"--mode", "full"});
  EXPECT_EQ(full.last_json()["answer"], answer["answer"]);
  EXPECT_EQ(full.last_json()["notes"].dump().find(kWhy), std::string::npos) << "nobody wanted it otherwise";
}

TEST_P(StateModelsTest, CachesThatAreAskedForAreRefused) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--mode", "blend"}, {"--mode", "reuse"}, {"--recompute", "0.2"}}) {
    const Outcome outcome = ask(options);
    EXPECT_EQ(outcome.exit_status, 3) << options[1];
    EXPECT_NE(outcome.diagnostics.find(kWhy), std::string::npos) << outcome.diagnostics;
    EXPECT_EQ(outcome.output.find("\"answer\""), std::string::npos);
  }
  const Outcome retrieved = ask({"--attention", "pq"});
  EXPECT_EQ(retrieved.exit_status, 3);
  EXPECT_NE(retrieved.diagnostics.find("--attention full"), std::string::npos) << retrieved.diagnostics;
}

TEST_P(StateModelsTest, IndexingStoresNoneAndSaysSo) {
  const Outcome outcome = run({"index", program.folder() + "/docs", "--kv", "now", "--model", model});
  EXPECT_EQ(outcome.exit_status, 0) << outcome.diagnostics;
  EXPECT_NE(outcome.diagnostics.find(kWhy), std::string::npos) << outcome.diagnostics;
  const Outcome added = run({"model", "add", model});
  EXPECT_EQ(added.exit_status, 0);
  EXPECT_NE(added.diagnostics.find(kWhy), std::string::npos) << added.diagnostics;
  EXPECT_EQ(added.diagnostics.find("Measuring"), std::string::npos) << "there is nothing to measure";
  const Outcome info = program.run({"model", "info", model});
  EXPECT_NE(info.output.find("in 3 of the layers"), std::string::npos) << info.output;
}

// Several turns in one process: each goes on behind what the sequence holds already.
TEST_P(StateModelsTest, ChatsGoOn) {
  ASSERT_EQ(run({"index", program.folder() + "/docs"}).exit_status, 0);
  const Outcome chat =
      program.run({"chat", "--model", model, "--max-tokens", "6"},
                  "What is the code of box Brail?\nAnd of box Orven?\nWhat is the code of box Brail?\n");
  EXPECT_EQ(chat.exit_status, 0) << chat.diagnostics;
  const json list = run({"chat", "list"}).last_json();
  ASSERT_EQ(list["chats"].size(), 1u) << list;
  const json shown = run({"chat", "show", list["chats"][0]["id"].dump()}).last_json();
  ASSERT_EQ(shown["messages"].size(), 6u) << shown;
  EXPECT_EQ(shown["messages"][1]["details"]["cache"]["hits"], 0);
  for (const int answer : {3, 5}) {
    const json& cache = shown["messages"][answer]["details"]["cache"];
    EXPECT_EQ(cache["mode"], "prefix");
    EXPECT_EQ(cache["hits"], 1) << "the passage stands where it stood";
    EXPECT_EQ(cache["recomputed_tokens"], 0);
  }
}

}  // namespace
}  // namespace mneme::integration
