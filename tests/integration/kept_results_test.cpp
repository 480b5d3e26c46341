// Measurements that are kept with --results: what is finished is not measured again, what was stopped goes on.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

using nlohmann::json;

const std::string kTiny = checkout::test_data("tiny.gguf");
const std::string kText = checkout::test_data("reference.txt");

std::vector<std::string> insight_command(const std::string& insight, const std::string& kept) {
  return {"bench",          "insight", "--model",   kTiny,   "--path",    kText, "--chunks", "2",
          "--chunk-tokens", "48",      "--insight", insight, "--results", kept,  "--json"};
}

TEST(KeptMeasurements, AreNotRepeated) {
  Program program;
  const std::string kept = program.folder() + "/kept.jsonl";
  const std::vector<std::string> command = insight_command("entropy", kept);
  const Outcome first = program.run(command);
  ASSERT_EQ(first.exit_status, 0) << first.diagnostics;
  ASSERT_TRUE(std::filesystem::exists(kept));
  const Outcome again = program.run(command);
  EXPECT_EQ(again.last_json(), first.last_json());  // the load average of then included
  // Another measurement must not be mixed with it.
  EXPECT_EQ(program.run(insight_command("delta", kept)).exit_status, 2);
}

TEST(KeptMeasurements, RetrievalGoesOnWithTheContextsThatAreLeft) {
  Program program;
  const std::string kept = program.folder() + "/kept.jsonl";
  const auto measured = [&](const std::string& contexts, const std::string& budget) {
    return program.run({"bench", "pq", "--model", kTiny, "--context", contexts, "--kv", "synthetic", "--budget", budget,
                        "--reps", "1", "--tokens", "1", "--results", kept, "--json"});
  };
  const Outcome first = measured("640", "0.5");
  ASSERT_EQ(first.exit_status, 0) << first.diagnostics;
  const Outcome both = measured("640,768", "0.5");
  ASSERT_EQ(both.exit_status, 0) << both.diagnostics;
  const json results = both.last_json()["results"];
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0], first.last_json()["results"][0]);  // its times included
  EXPECT_EQ(results[1]["context"], 768);
  EXPECT_EQ(measured("640", "0.25").exit_status, 2);  // another measurement
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Cut off after its first window, as a stop leaves it, a measurement goes on with the second, and gives in the end what
// one in a piece gives (but for retrieval, whose codebooks depend on what the machine has time for).
TEST(KeptMeasurements, PerplexityGoesOnWithTheWindowsThatAreLeft) {
  Program program;
  const std::vector<std::vector<std::string>> kinds{
      {}, {"--kv-codecs", "uniform8"}, {"--attention", "pq", "--pq-budget", "0.5"}};
  for (size_t i = 0; i < kinds.size(); ++i) {
    const std::string kept = program.folder() + "/windows" + std::to_string(i);
    std::vector<std::string> command{"perplexity", "--model", kTiny,       "--file", kText,
                                     "--window",   "256",     "--results", kept,     "--json"};
    command.insert(command.end(), kinds[i].begin(), kinds[i].end());
    const Outcome whole = program.run(command);
    ASSERT_EQ(whole.exit_status, 0) << whole.diagnostics;
    const std::vector<std::string> lines = lines_of(kept);
    ASSERT_GT(lines.size(), 3u) << i;  // what is measured, and several windows
    std::ofstream(kept) << lines[0] << "\n" << lines[1] << "\n";
    const Outcome resumed = program.run(command);
    ASSERT_EQ(resumed.exit_status, 0) << resumed.diagnostics;
    const std::vector<std::string> again = lines_of(kept);
    EXPECT_EQ(again.size(), lines.size()) << i;
    EXPECT_EQ(again[1], lines[1]) << i;
    EXPECT_EQ(resumed.last_json()["tokens"], whole.last_json()["tokens"]) << i;
    if (i + 1 < kinds.size()) {
      EXPECT_EQ(resumed.last_json()["perplexity"], whole.last_json()["perplexity"]) << i;
      EXPECT_EQ(resumed.last_json().value("kv", json()), whole.last_json().value("kv", json())) << i;
    }
    command[6] = "128";
    EXPECT_EQ(program.run(command).exit_status, 2) << i;  // other windows
  }
}

constexpr const char* kQuestions = R"({"data":[{"title":"a","paragraphs":[
  {"context":"The marsh owl lays seven eggs in April.","qas":[
    {"id":"1","question":"How many eggs does the marsh owl lay?","answers":[{"text":"seven"}]}]},
  {"context":"The ferry leaves at a quarter past six in winter.","qas":[
    {"id":"2","question":"When does the ferry leave in winter?","answers":[{"text":"a quarter past six"}]}]}]}]})";

// Cut off after its first result, a search goes on with the methods that are left and a count of refusals with the
// questions that are.
TEST(KeptMeasurements, SearchesAndRefusalsGoOnWithWhatIsLeft) {
  Program program;
  const std::string set = program.write("set.json", kQuestions);
  const std::vector<std::pair<std::string, size_t>> kinds{{"--retrieval", 4}, {"--refusing", 2}};
  for (const auto& [kind, n_parts] : kinds) {
    const std::string kept = program.folder() + "/kept" + kind;
    const std::vector<std::string> command{"eval", set, kind, "--results", kept, "--json"};
    const Outcome whole = program.run(command);
    ASSERT_EQ(whole.exit_status, 0) << whole.diagnostics;
    const std::vector<std::string> lines = lines_of(kept);
    ASSERT_EQ(lines.size(), 1 + n_parts) << kind;
    std::ofstream(kept) << lines[0] << "\n" << lines[1] << "\n";
    const Outcome resumed = program.run(command);
    ASSERT_EQ(resumed.exit_status, 0) << resumed.diagnostics;
    EXPECT_EQ(lines_of(kept).size(), lines.size()) << kind;
    EXPECT_EQ(lines_of(kept)[1], lines[1]) << kind;
    json now = resumed.last_json();
    json then = whole.last_json();
    for (json* report : {&now, &then}) {  // of the methods that were asked again times differ
      report->erase("machine");
      if (!report->contains("methods")) continue;
      for (auto& [name, scores] : (*report)["methods"].items()) {
        scores.erase("p50_ms");
        scores.erase("p95_ms");
      }
    }
    EXPECT_EQ(now, then) << kind;
    EXPECT_NE(resumed.diagnostics.find("1 finished result taken from " + kept), std::string::npos)
        << resumed.diagnostics;
    EXPECT_EQ(program.run({"eval", set, kind, "--split", "test", "--results", kept}).exit_status, 2) << kind;
    std::string edited = kQuestions;
    edited.replace(edited.find("seven"), 5, "eight");
    program.write("set.json", edited);
    EXPECT_EQ(program.run(command).exit_status, 2) << kind << ": a set of other questions";
    program.write("set.json", kQuestions);
    EXPECT_EQ(program.run({"eval", set, kind, "--results", kept, "--evidence", kept + ".evidence"}).exit_status, 2);
  }
  EXPECT_EQ(program.run({"eval", set, "--citations", "--results", program.folder() + "/none"}).exit_status, 2);
}

}  // namespace
}  // namespace mneme::integration
