// The program with a language model: the tiny one of the unit tests, whose answers are poor but whose shape is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/bytes.h"
#include "tests/integration/documentation.h"
#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"
#include "tests/support/random_gguf.h"

namespace mneme::integration {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::string kTiny = checkout::test_data("tiny.gguf");

class ModelTest : public ::testing::Test {
 protected:
  json run_json(std::vector<std::string> arguments, int expected_status = 0, const std::string& input = "") {
    arguments.insert(arguments.begin(), "--json");
    const Outcome outcome = program.run(arguments, input);
    EXPECT_EQ(outcome.exit_status, expected_status) << outcome.diagnostics << outcome.output;
    return outcome.last_json();
  }
  Program program;
};

TEST_F(ModelTest, InfoAndRegistry) {
  const json info = run_json({"model", "info", kTiny});
  EXPECT_EQ(info["architecture"], "llama");
  EXPECT_GT(info["kv_bytes_per_token"], 0);
  EXPECT_GT(info["context_length"], 0);
  EXPECT_FALSE(info["tensor_types"].empty());
  EXPECT_EQ(run_json({"model", "add", kTiny, "--name", "small"})["default"], true);
  const json models = run_json({"model", "list"})["models"];
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0]["name"], "small");
  EXPECT_EQ(run_json({"model", "info", "small"})["path"], models[0]["path"]);
  // The registered default serves commands that name no model.
  EXPECT_TRUE(run_json({"tokenize", "hello world"}).is_array());
  run_json({"model", "remove", "small"});
  const json list = run_json({"model", "list"});
  EXPECT_TRUE(list["models"].empty());
  ASSERT_EQ(list["shipped"].size(), 3u);
  EXPECT_EQ(list["shipped"][0]["kind"], "language");
  EXPECT_EQ(run_json({"model", "info", list["shipped"][0]["name"]})["path"], list["shipped"][0]["path"]);
  EXPECT_EQ(run_json({"model", "add", list["shipped"][2]["name"]})["path"], list["shipped"][2]["path"]);
}

TEST_F(ModelTest, NamesMayHoldSlashes) {
  run_json({"model", "add", kTiny, "--name", "org/small:1b"});
  EXPECT_EQ(run_json({"model", "info", "org/small:1b"})["architecture"], "llama");
  EXPECT_TRUE(run_json({"tokenize", "hello", "--model", "org/small:1b"}).is_array());
  run_json({"tokenize", "hello", "--model", "org/other"}, 4);
  run_json({"tokenize", "hello", "--model", "./none.gguf"}, 4);
}

// What answers is chosen; to say where its file is now, or what it holds, changes nothing of that.
TEST_F(ModelTest, ADefaultThatIsAddedAgainStaysTheDefault) {
  const std::string file = program.write("m.gguf", read_file(kTiny));
  EXPECT_EQ(run_json({"model", "add", file, "--name", "small"})["default"], true);
  EXPECT_EQ(run_json({"model", "add", file, "--name", "other"})["default"], false);
  EXPECT_EQ(run_json({"model", "add", file, "--name", "small"})["default"], true);
  EXPECT_EQ(run_json({"model", "add", file, "--name", "other"})["default"], false);
  const Outcome removed = program.run({"model", "remove", "small"});
  EXPECT_NE(removed.diagnostics.find("answers are quotations"), std::string::npos) << removed.diagnostics;
  EXPECT_EQ(run_json({"model", "add", file, "--name", "other"})["default"], true) << "none was";
}

TEST_F(ModelTest, AModelWhoseFileIsGoneIsToldAndMended) {
  const std::string file = program.write("m.gguf", read_file(kTiny));
  run_json({"model", "add", file, "--name", "small"});
  EXPECT_EQ(run_json({"model", "list"})["models"][0]["found"], true);
  fs::rename(file, file + "2");
  EXPECT_EQ(run_json({"model", "list"})["models"][0]["found"], false);
  const std::string told = run_json({"generate", "hello"}, 4)["error"]["message"];
  EXPECT_NE(told.find("`mneme model add FILE --name small`"), std::string::npos) << told;
  run_json({"model", "add", file + "2", "--name", "small"});
  EXPECT_EQ(run_json({"generate", "hello", "--max-tokens", "1"})["tokens"].size(), 1u);
}

// Every command opens the embedder, and only the registry can give up one that is damaged or gone.
TEST_F(ModelTest, TheRegistryOpensWithoutTheEmbedderThatItNames) {
  const std::string file = program.write(
      "e.gguf", std::string(as_text(
                    mneme::testing::random_gguf({.architecture = "bert", .vocab_size = 320, .vocabulary = true}))));
  run_json({"model", "add", file, "--name", "e", "--default"});
  fs::resize_file(file, 100);
  std::string told = run_json({"status"}, 3)["error"]["message"];
  EXPECT_NE(told.find("`mneme model remove e`"), std::string::npos) << told;
  fs::remove(file);
  told = run_json({"status"}, 4)["error"]["message"];
  EXPECT_NE(told.find("`mneme model remove` drops it"), std::string::npos) << told;
  EXPECT_EQ(run_json({"model", "list"})["models"].size(), 1u);
  run_json({"model", "remove", "e"});
  run_json({"status"});
}

TEST_F(ModelTest, AnEmbedderThatIsToAnswerIsTold) {
  const std::string told = run_json({"generate", "hello", "--model", "mneme-embed"}, 3)["error"]["message"];
  EXPECT_NE(told.find("--embedder"), std::string::npos) << told;
}

TEST_F(ModelTest, OtherProgramsModelsAreFoundAndAddedByName) {
  const std::string digest(64, 'a');
  const std::string ollama = ".ollama/models/manifests/registry.ollama.ai/library/";
  program.write(".ollama/models/blobs/sha256-" + digest, read_file(kTiny));
  program.write(
      ollama + "llama3.2/1b",
      R"({"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:)" + digest + "\"}]}");
  program.write("Downloads/broken.gguf", "GGUF");
  program.environment = {"HOME=" + program.folder()};
  json found = run_json({"model", "find"})["found"];
  // A machine with Ollama as a service has others besides.
  const auto named = [&](const std::string& name) {
    const auto it = std::find_if(found.begin(), found.end(), [&](const json& model) { return model["name"] == name; });
    return it == found.end() ? json() : *it;
  };
  EXPECT_EQ(named("llama3.2:1b")["program"], "Ollama");
  EXPECT_EQ(named("llama3.2:1b")["kind"], "language");
  EXPECT_EQ(named("llama3.2:1b")["registered"], false);
  EXPECT_TRUE(named("llama3.2:1b")["error"].is_null());
  EXPECT_TRUE(named("broken")["kind"].is_null());
  EXPECT_TRUE(named("broken")["error"].is_string());
  const json added = run_json({"model", "add", "llama3.2:1b"});
  EXPECT_EQ(added["name"], "llama3.2:1b");
  EXPECT_EQ(added["path"], named("llama3.2:1b")["path"]);
  found = run_json({"model", "find"})["found"];
  EXPECT_EQ(named("llama3.2:1b")["registered"], true);
  EXPECT_TRUE(run_json({"tokenize", "hello"}).is_array()) << "it answers now";
  run_json({"model", "add", "llama3.2:7b"}, 4);
}

// Else a file that was only to be tried would have every passage embedded anew, or cross-encoders embed.
TEST_F(ModelTest, EmbeddersAndRerankersDoNotTakeOver) {
  const auto file = [&](const std::string& name, uint32_t pooling) {
    const std::vector<std::byte> bytes = mneme::testing::random_gguf(
        {.architecture = "bert", .vocab_size = 320, .pooling = pooling, .vocabulary = true});
    return program.write(name, std::string(as_text(bytes)));
  };
  const json embedder = run_json({"model", "add", file("e.gguf", 1)});
  EXPECT_EQ(embedder["kind"], "embedder");
  EXPECT_EQ(embedder["default"], false);
  const std::string ranker = file("r.gguf", 4);
  EXPECT_EQ(run_json({"model", "add", ranker})["kind"], "reranker");
  EXPECT_EQ(run_json({"model", "list"})["models"][1]["default"], false);
  EXPECT_EQ(run_json({"model", "add", file("e.gguf", 1), "--default"})["default"], true);
  const Outcome refused = program.run({"model", "add", ranker, "--default"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_NE(refused.diagnostics.find("--rerank-by"), std::string::npos) << refused.diagnostics;
}

TEST_F(ModelTest, TokenizeGivesOneArray) {
  const json ids = run_json({"tokenize", "hello world", "--model", kTiny});
  ASSERT_TRUE(ids.is_array());
  EXPECT_FALSE(ids.empty());
  const json with_bos = run_json({"tokenize", "--bos", "hello world", "--model", kTiny});
  EXPECT_EQ(with_bos.size(), ids.size() + 1);
  const std::string file = program.write("text.txt", "hello world");
  EXPECT_EQ(run_json({"tokenize", "--file", file, "--model", kTiny}), ids);
}

TEST_F(ModelTest, GenerateRepeatsWithEqualSeeds) {
  const std::vector<std::string> greedy{"generate", "--prompt", "The", "--raw",          "--max-tokens",
                                        "8",        "--model",  kTiny, "--top-logprobs", "3"};
  const json first = run_json(greedy);
  EXPECT_EQ(first["tokens"], run_json(greedy)["tokens"]);
  EXPECT_LE(first["tokens"].size(), 8u);
  ASSERT_FALSE(first["top_logprobs"].empty());
  ASSERT_EQ(first["top_logprobs"][0].size(), 3u);
  // Greedy takes the likeliest.
  if (!first["tokens"].empty()) {
    EXPECT_EQ(first["top_logprobs"][0][0]["id"], first["tokens"][0]);
  }
  EXPECT_LE(first["top_logprobs"][0][0]["logprob"], 0.0);
  std::vector<std::string> sampled{"generate", "--prompt", "The",           "--raw", "--max-tokens", "8",
                                   "--model",  kTiny,      "--temperature", "1.5",   "--seed",       "7"};
  const json once = run_json(sampled);
  EXPECT_EQ(once["tokens"], run_json(sampled)["tokens"]);
  EXPECT_EQ(run_json({"generate", "--raw", "--max-tokens", "2", "--model", kTiny}, 0, "From standard input")["finish"]
                .is_string(),
            true);
}

// What makes no sense ends with status 2 and one sentence, before anything is computed.
TEST_F(ModelTest, SenselessWaysToAttendAreRefused) {
  const auto refused = [&](std::vector<std::string> options, const std::string& word) {
    std::vector<std::string> arguments{"generate", "--prompt", "The", "--raw", "--model", kTiny, "--attention", "pq"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = program.run(arguments);
    EXPECT_EQ(outcome.exit_status, 2) << options[1];
    EXPECT_NE(outcome.diagnostics.find(word), std::string::npos) << options[1] << ": " << outcome.diagnostics;
    EXPECT_EQ(outcome.output, "") << options[1];
  };
  for (const char* budget : {"0", "1.5", "-0.1", "nan", "mass:1", "63"}) refused({"--pq-budget", budget}, "budget");
  for (const char* parts : {"0", "9"}) refused({"--pq-m", parts}, "--pq-m");
  refused({"--pq-m", "7"}, "equal parts");  // divides no head
  for (const char* bits : {"0", "9"}) refused({"--pq-b", bits}, "--pq-b");
}

// A file of random weights, as benchmarks use them, knows no words: that is said, and what it takes instead.
TEST_F(ModelTest, AModelWithoutVocabularyTakesNumbers) {
  const std::vector<std::byte> file = mneme::testing::random_gguf({});
  const std::string model = program.write("random.gguf", std::string(as_text(file)));
  const std::string text = program.write("words.txt", "These are words.");
  const std::vector<std::vector<std::string>> with_words{{"generate", "--prompt", "Some words", "--model", model},
                                                         {"perplexity", "--file", text, "--model", model}};
  for (const std::vector<std::string>& command : with_words) {
    const Outcome outcome = program.run(command);
    EXPECT_EQ(outcome.exit_status, 2) << command[0];
    EXPECT_NE(outcome.diagnostics.find(model + " has no vocabulary"), std::string::npos) << outcome.diagnostics;
    EXPECT_NE(outcome.diagnostics.find("give numbers below 97"), std::string::npos) << outcome.diagnostics;
  }
  const json generated = run_json({"generate", "--prompt", "1 15 27", "--max-tokens", "4", "--model", model});
  EXPECT_EQ(generated["prompt_tokens"], 3);
  EXPECT_EQ(generated["tokens"].size(), 4u);
}

TEST_F(ModelTest, PerplexityIsPositiveAndRepeats) {
  const std::string file = checkout::test_data("reference.txt");
  const json first = run_json({"perplexity", "--file", file, "--window", "128", "--model", kTiny});
  EXPECT_GT(first["perplexity"], 1.0);
  EXPECT_GT(first["tokens"], 100);
  // Beside these the report tells of the machine, whose load differs from run to run.
  const json second = run_json({"perplexity", "--file", file, "--window", "128", "--model", kTiny});
  EXPECT_EQ(first["perplexity"], second["perplexity"]);
  EXPECT_EQ(first["tokens"], second["tokens"]);
}

TEST_F(ModelTest, AskReportsWhatItRead) {
  program.write("docs/box.txt", "The code of box Brail is 44. The code of box Orven is 17.\n");
  run_json({"index", program.folder() + "/docs"});
  const json answer =
      run_json({"ask", "What is the code of box Brail?", "--mode", "full", "--max-tokens", "16", "--model", kTiny});
  EXPECT_GT(answer["usage"]["prompt_tokens"], 10);
  EXPECT_GT(answer["usage"]["chunk_tokens"], 5);
  EXPECT_LE(answer["usage"]["answer_tokens"], 16);
  EXPECT_EQ(answer["cache"]["mode"], "full");
  EXPECT_EQ(answer["cache"]["recompute_ratio"], 1.0);
  EXPECT_GT(answer["timing_ms"]["ttft"], 0.0);
  EXPECT_EQ(answer["device"], "cpu");
  EXPECT_EQ(answer["gpu_layers"], 0);
}

TEST_F(ModelTest, EvaluatesAnswers) {
  const std::string set = program.write(
      "set.jsonl",
      R"({"id":"a","question":"What is the code of box Brail?","contexts":[{"title":"t","text":"The code of box Brail is 44."}],"answers":["44"],"supporting":[0],"answerable":true})"
      "\n"
      R"({"id":"b","question":"What is the code of box Mirn?","contexts":[{"title":"t","text":"The code of box Orven is 17."}],"answers":[],"supporting":[],"answerable":false})"
      "\n");
  const json report = run_json({"eval", set, "--modes", "full", "--model", kTiny, "--chunks", "2"});
  EXPECT_EQ(report["questions"], 2);
  EXPECT_EQ(report["unanswerable"], 1);
  const json& full = report["modes"]["full"];
  EXPECT_EQ(full["n"], 2);
  EXPECT_EQ(full["f1_ci95"].size(), 2u);
  EXPECT_TRUE(full["ttft_ms"].contains("median"));
  EXPECT_EQ(full["recompute_ratio"], 1.0);
}

// Where stored KV comes from changes its time, not the answer.
// Times can be measured without answers; what counts as wrong for want of them is told.
TEST_F(ModelTest, QuestionsWithoutAnswersAreTold) {
  const std::string line = R"({"id":"q7","question":"Where?","contexts":[{"title":"t","text":"In Oslo."}])";
  const std::string set = program.write("set.jsonl", line + "}\n");
  const Outcome told = program.run({"--json", "eval", set, "--modes", "full", "--model", kTiny});
  EXPECT_EQ(told.exit_status, 0) << told.diagnostics;
  EXPECT_NE(told.diagnostics.find("1 question has no answers (q7)"), std::string::npos) << told.diagnostics;
  const Outcome bare =
      program.run({"eval", program.write("no.jsonl", line + R"(,"answerable":false})"), "--model", kTiny});
  EXPECT_EQ(bare.diagnostics.find("no answers"), std::string::npos) << bare.diagnostics;
}

// A quota that was lowered is kept, and what it took is counted.
TEST_F(ModelTest, GcCountsWhatALoweredQuotaTook) {
  program.write("docs/a.txt", "The last ferry to Tarnholm leaves at 18:15 in winter.");
  program.write("docs/b.txt", "The marsh owl lays seven eggs in spring.");
  run_json({"index", program.folder() + "/docs", "--kv", "now", "--model", kTiny});
  const json full = run_json({"status"})["kv"];
  ASSERT_EQ(full["chunks"], 2);
  const json freed = run_json({"gc", "--kv-quota", "0.000001"});
  const json left = run_json({"status"})["kv"];
  EXPECT_EQ(freed["kv_bytes_freed"].get<int64_t>(), full["bytes"].get<int64_t>() - left["bytes"].get<int64_t>());
  EXPECT_GT(freed["kv_bytes_freed"], 0);
  EXPECT_EQ(left["evictions"].get<int64_t>(), 2 - left["chunks"].get<int64_t>());
}

TEST_F(ModelTest, EvaluatesAnswersFromAColdCache) {
  const std::string set = program.write(
      "set.jsonl",
      R"({"id":"a","question":"What is the code of box Brail?","contexts":[{"title":"t","text":"The code of box Brail is 44."}],"answers":["44"],"supporting":[0],"answerable":true})"
      "\n");
  const auto reports = [&](const char* cache) {
    return run_json({"eval", set, "--modes", "full,reuse", "--model", kTiny, "--cache", cache});
  };
  const json cold = reports("cold");
  const json warm = reports("warm");
  EXPECT_EQ(cold["cache"], "cold");
  EXPECT_EQ(warm["cache"], "warm");
  for (const char* mode : {"full", "reuse"}) EXPECT_EQ(cold["modes"][mode]["nll"], warm["modes"][mode]["nll"]) << mode;
  EXPECT_GT(cold["modes"]["reuse"]["bytes_read"], 0);
}

// The passages are read in full, the question and the answer under retrieval.
TEST_F(ModelTest, EvaluatesAnswersUnderRetrieval) {
  std::string filler;
  for (int i = 0; i < 20; ++i)
    filler += "The road goes on and on, from the hill to the sea, " + std::to_string(i) + ". ";
  const json question = {{"id", "a"},
                         {"question", "What is the code of box Brail?"},
                         {"contexts", {{{"title", "t"}, {"text", filler + "The code of box Brail is 44."}}}},
                         {"answers", {"The code of box Brail is 44 and nothing else"}},
                         {"supporting", {0}},
                         {"answerable", true}};
  const std::string set = program.write("set.jsonl", question.dump() + "\n");
  const json modes = run_json({"eval", set, "--modes", "full", "--model", kTiny, "--attention", "pq", "--pq-budget",
                               "0.1,1", "--pq-method", "pq,window"})["modes"];
  for (const char* lane : {"pq@0.1", "window@0.1"}) {
    EXPECT_GT(modes[lane]["kl_full"], 1e-6) << lane;
    EXPECT_NE(modes[lane]["nll"], modes["full"]["nll"]) << lane;
  }
  // One row at a time is rounded otherwise than many.
  EXPECT_LT(modes["pq@1"]["kl_full"], 1e-3);
  EXPECT_NEAR(modes["pq@1"]["nll"].get<double>(), modes["full"]["nll"].get<double>(), 0.05);
}

TEST_F(ModelTest, BenchHasItsEnvelope) {
  const json bench = run_json({"bench", "prefill", "--tokens", "32", "--reps", "2", "--model", kTiny});
  for (const char* key : {"bench", "params", "reps", "machine", "build", "results"}) EXPECT_TRUE(bench.contains(key));
  ASSERT_EQ(bench["results"].size(), 1u);
  EXPECT_EQ(bench["results"][0]["tokens"], 32);
  EXPECT_GT(bench["results"][0]["tokens_per_s"], 0.0);
  EXPECT_GT(bench["results"][0]["share_of_ceiling"], 0.0);
  const json decode = run_json(
      {"bench", "decode", "--tokens", "4", "--context", "16,64", "--kv", "synthetic", "--reps", "1", "--model", kTiny});
  ASSERT_EQ(decode["results"].size(), 2u);
  EXPECT_EQ(decode["results"][1]["context"], 64);
  const json index = run_json({"bench", "index", "--chunks", "20", "--reps", "1"});
  EXPECT_GT(index["results"][0]["mb_per_s"], 0.0);
}

TEST_F(ModelTest, BenchMeasuresWithinTheRoomItIsGiven) {
  const auto decode = [&](const char* room, int exit_code) {
    return run_json(
        {"bench", "decode", "--tokens", "4", "--context", "16", "--ctx", room, "--reps", "1", "--model", kTiny},
        exit_code);
  };
  EXPECT_EQ(decode("21", 0)["params"]["ctx"], 21);
  EXPECT_NE(decode("20", 2)["error"]["message"].get<std::string>().find("give at least 21"), std::string::npos);
}

TEST_F(ModelTest, BenchAgainstAPlainPipeline) {
  const json bench =
      run_json({"bench", "rag", "--chunks", "12", "--reps", "2", "--kv-level", "exact", "--model", kTiny})["results"];
  ASSERT_EQ(bench.size(), 3u);
  for (const json& row : bench) {
    EXPECT_GT(row["ttft_ms"]["median"], row["retrieve_ms"]["median"]) << row.dump();
    EXPECT_GT(row["prompt_tokens"], 0.0);
    EXPECT_GT(row["passages"], 5);
  }
  EXPECT_EQ(bench[0]["sooner"], 1.0);
}

}  // namespace
}  // namespace mneme::integration
