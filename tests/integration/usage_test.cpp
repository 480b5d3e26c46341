// The program's outer contract: exit statuses, one-sentence errors, settings, help.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

void expect_one_sentence(const Outcome& outcome) {
  EXPECT_EQ(std::count(outcome.diagnostics.begin(), outcome.diagnostics.end(), '\n'), 1) << outcome.diagnostics;
  EXPECT_EQ(outcome.diagnostics.rfind("mneme: ", 0), 0u) << outcome.diagnostics;
  EXPECT_TRUE(outcome.diagnostics.ends_with(".\n") || outcome.diagnostics.ends_with("?\n")) << outcome.diagnostics;
}

TEST(UsageTest, HelpAndVersion) {
  Program program;
  const Outcome help = program.run({"--help"});
  EXPECT_EQ(help.exit_status, 0);
  EXPECT_NE(help.output.find("ask"), std::string::npos);
  EXPECT_EQ(help.diagnostics, "");
  EXPECT_EQ(program.run({"ask", "--help"}).exit_status, 0);
  EXPECT_EQ(program.run({"--version"}).output.rfind("mneme ", 0), 0u);
  EXPECT_EQ(program.run({}).exit_status, 0);
}

TEST(UsageTest, WrongUsageIsTwo) {
  Program program;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"nonsense"},
           {"ask"},
           {"ask", ""},
           {"ask", "x", "--top-k", "none"},
           {"search", "x", "--method", "magic"},
           {"model"},
           {"generate", "--prompt", "a", "--prompt-file", "b"},
           {"generate", "--prompt", "x", "--model", "none"},
           {"chat", "show", "abc"},
           {"bench", "throughput-of-unicorns"},
           {"bench", "search", "--chunks", "0"},
           {"search", " "},
           {"status", "--device", "gpu"},
           {"status", "--gpu-layers", "all"},
           {"status", "--gpu-layers=-1"},
           {"status", "--gpu-layers", "3.5"},
           {"status", "--gpu-layers="},
           {"ask", "x", "--seed", "-1"},
           {"ask", "x", "--top-k", "3", "--top-k", "4"},
           {"ask", "x", "--trace", program.folder()},
           {"ask", "x", "--trace", program.folder() + "/no/such/folder/trace.json"},
           {"eval", "set.jsonl", "--retrieval", "--citations"},
           {"model", "add", checkout::test_data("tiny.gguf"), "--name", "none"},
           {"status", "--home="},
           {"index", program.folder(), "--retry"},
           {"index", ""},
           {"ask", "x", "--context", ""},
           {"status", "--kv-roots", ""},
           {"help", "nosuch"},
           {"index", program.folder(), "--pause"},
           {"index", "--pause", "--resume"},
           {"index", "--retry", "--watch"},
           {"bench", "codec", "--shape", "bench-tiny"},
       }) {
    const Outcome outcome = program.run(arguments);
    EXPECT_EQ(outcome.exit_status, 2) << arguments[0] << ": " << outcome.diagnostics;
    expect_one_sentence(outcome);
  }
}

// What somebody does who has read nothing: each answer says what to do next.
TEST(UsageTest, StrangersAreToldWhatToDo) {
  Program program;
  const auto said = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = program.run(arguments);
    return outcome.output + outcome.diagnostics;
  };
  EXPECT_NE(program.run({"help"}).output.find("mneme index ~/Documents"), std::string::npos);
  EXPECT_EQ(program.run({"help", "ask"}).output, program.run({"ask", "--help"}).output);
  EXPECT_NE(said({"indx", "."}).find("`mneme index`"), std::string::npos);
  EXPECT_NE(said({"ask", "why", "--model", "none"}).find("no document is indexed yet"), std::string::npos);
  EXPECT_NE(said({"search", "why"}).find("`mneme index FOLDER`"), std::string::npos);
  EXPECT_NE(said({"index", ""}).find("an empty name"), std::string::npos);
  EXPECT_NE(said({"index", "/no/such/folder"}).find("there is no file or folder /no/such/folder"), std::string::npos);
  EXPECT_NE(said({"generate", "x", "--model", "none"}).find("language model"), std::string::npos);
  const std::string kettle = program.write("documents/kettle.md", "# Kettle\n\nDescale it with vinegar every month.\n");
  ASSERT_EQ(program.run({"index", kettle}).exit_status, 0);
  EXPECT_NE(said({"search", "--method", "lexical", "zzyzx"}).find("try others"), std::string::npos);
}

TEST(UsageTest, VerboseSaysMoreAndQuietLess) {
  Program program;
  const std::string file = program.write("docs/kettle.md", "# Kettle\n\nDescale it with vinegar every month.\n");
  program.write("docs/empty.txt", "");
  const auto said = [&](std::vector<std::string> words, const std::string& how) {
    if (!how.empty()) words.push_back(how);
    return program.run(words).diagnostics;
  };
  EXPECT_NE(said({"index", program.folder() + "/docs"}, "--verbose").find("looked into " + file), std::string::npos);
  const std::vector<std::string> ask = {"ask", "How is the kettle descaled?"};
  const std::string more = said(ask, "--verbose");
  EXPECT_NE(more.find("home " + program.home()), std::string::npos) << more;
  EXPECT_NE(more.find("times: search "), std::string::npos) << more;
  EXPECT_NE(more.find("passage 1: "), std::string::npos) << more;
  EXPECT_LT(said(ask, "").size(), more.size());
  EXPECT_EQ(said(ask, "--quiet"), "");
  EXPECT_NE(said({"search", "kettle"}, "--verbose").find("passage 1: "), std::string::npos);
}

TEST(UsageTest, AHomeThatIsAFileIsToldSo) {
  Program program;
  const std::string file = program.write("f", "x");
  for (const std::string& home : {file, file + "/below"}) {
    program.use_home(home);
    const Outcome outcome = program.run({"status"});
    EXPECT_EQ(outcome.exit_status, 2) << outcome.diagnostics;
    EXPECT_NE(outcome.diagnostics.find(file + " is a file"), std::string::npos) << outcome.diagnostics;
    expect_one_sentence(outcome);
  }
}

TEST(UsageTest, LaterVersionsSaySo) {
  Program program;
  EXPECT_EQ(program.run({"serve"}).exit_status, 2);
  const Outcome fetch = program.run({"model", "fetch", "llama"});
  EXPECT_EQ(fetch.exit_status, 2);
  EXPECT_NE(fetch.diagnostics.find("later version"), std::string::npos);
}

TEST(UsageTest, ErrorsAreJsonToo) {
  Program program;
  const Outcome outcome = program.run({"--json", "model", "info", "/nonexistent.gguf"});
  EXPECT_EQ(outcome.exit_status, 4);
  expect_one_sentence(outcome);
  const nlohmann::json error = outcome.last_json();
  ASSERT_TRUE(error.is_object()) << outcome.output;
  EXPECT_EQ(error["error"]["code"], "not_found");
  EXPECT_FALSE(error["error"]["message"].get<std::string>().empty());
  const nlohmann::json usage = program.run({"--json", "nonsense"}).last_json();
  EXPECT_EQ(usage["error"]["code"], "usage");
}

TEST(UsageTest, ErrorsAreJsonWhereverJsonIsAskedFor) {
  Program program;
  const auto code = [&](std::vector<std::string> arguments) {
    const Outcome outcome = program.run(arguments);
    EXPECT_EQ(outcome.exit_status, 2) << outcome.diagnostics;
    const nlohmann::json error = outcome.last_json();
    return error.is_object() ? error["error"]["code"].get<std::string>() : "none: " + outcome.output;
  };
  EXPECT_EQ(code({"--json=true", "search", "x", "--top-k", "none"}), "usage");
  program.write("home/config.toml", "[search]\njson = true\n");
  EXPECT_EQ(code({"search", "x", "--top-k", "none"}), "usage");
  EXPECT_EQ(program.run({"ask", "x", "--top-k", "none"}).output, "") << "of another command";
  program.environment = {"MNEME_JSON=1"};
  EXPECT_EQ(code({"ask", "x", "--top-k", "none"}), "usage");
  EXPECT_EQ(program.run({"--json=false", "ask", "x", "--top-k", "none"}).output, "");
}

TEST(UsageTest, ValuesForOtherCommandsStopNone) {
  Program program;
  program.environment = {"MNEME_KV=synthetic", "MNEME_RESUME=3", "MNEME_PAUSE=true", "MNEME_NO_RERANK=1"};
  const std::string kettle = program.write("documents/kettle.md", "# Kettle\n\nDescale it with vinegar every month.\n");
  const Outcome indexed = program.run({"--json", "index", kettle});
  EXPECT_EQ(indexed.exit_status, 0) << indexed.diagnostics;
  EXPECT_EQ(indexed.last_json()["documents"], 1) << indexed.output;
  EXPECT_EQ(program.run({"search", "vinegar", "--rerank"}).exit_status, 0);
}

TEST(UsageTest, OptionsOfACommandMayStandBeforeIt) {
  Program program;
  EXPECT_EQ(program.run({"--top-k", "3", "search", "x"}).exit_status, 0);
  EXPECT_EQ(
      program
          .run({"--passphrase-file", "none", "--new-passphrase-file", program.folder() + "/none", "encryption", "on"})
          .exit_status,
      4);
}

TEST(UsageTest, TextThatCannotBeWrittenIsAnErrorWithASentence) {
  Program program;
  program.limit_file_bytes = 200;
  ::signal(SIGXFSZ, SIG_IGN);  // as the program finds it: help is printed before it sees to its signals
  const Outcome outcome = program.run({"--help"});
  EXPECT_EQ(outcome.exit_status, 1);
  expect_one_sentence(outcome);
  EXPECT_NE(outcome.diagnostics.find("standard output"), std::string::npos) << outcome.diagnostics;
}

TEST(UsageTest, SettingsComeFromFileAndEnvironment) {
  Program program;
  program.write("home/config.toml", "[search]\nmethod = 'magic'\n");
  const Outcome from_file = program.run({"search", "x"});
  EXPECT_EQ(from_file.exit_status, 2);
  EXPECT_NE(from_file.diagnostics.find("config.toml"), std::string::npos) << from_file.diagnostics;
  program.environment = {"MNEME_METHOD=lexical", "MNEME_JSON=true"};
  const Outcome overridden = program.run({"search", "x"});
  EXPECT_EQ(overridden.exit_status, 0) << overridden.diagnostics;
  EXPECT_TRUE(overridden.last_json().is_object());
  const Outcome refused = program.run({"search", "x", "--top-k", "none"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_EQ(refused.last_json()["error"]["code"], "usage") << refused.output;
  program.write("home/config.toml", "this is not = = toml");
  EXPECT_EQ(program.run({"status"}).exit_status, 2);
}

TEST(UsageTest, VerifyTellsWhatConfigSaysOtherwiseThanTheLastTime) {
  Program program;
  const auto changed = [&] { return program.run({"verify", "--json"}).last_json()["settings_changed"]; };
  program.write("home/config.toml", "top-k = 8\n");
  EXPECT_TRUE(changed().empty());
  program.write("home/config.toml", "top-k = 9\n");
  const Outcome told = program.run({"verify"});
  EXPECT_EQ(told.exit_status, 0) << told.diagnostics;
  EXPECT_NE(told.output.find("top-k was 8 and is 9"), std::string::npos) << told.output;
  EXPECT_TRUE(changed().empty()) << "told once";
}

TEST(UsageTest, TheNextCommandTellsThatConfigHasChanged) {
  Program program;
  program.write("home/config.toml", "top-k = 8\n");
  EXPECT_EQ(program.run({"status"}).diagnostics.find("has changed"), std::string::npos) << "seen for the first time";
  program.write("home/config.toml", "top-k = 9\n");
  const Outcome told = program.run({"search", "x", "--json"});
  EXPECT_NE(told.diagnostics.find("config.toml has changed: top-k was 8 and is 9."), std::string::npos)
      << told.diagnostics;
  EXPECT_TRUE(told.last_json().is_object());
  EXPECT_EQ(program.run({"search", "x"}).diagnostics.find("has changed"), std::string::npos) << "told once";
}

TEST(UsageTest, DamagedModelFilesAreThree) {
  Program program;
  const std::string garbage = program.write("garbage.gguf", std::string(5000, 'x'));
  const std::string truncated = program.write("truncated.gguf", std::string("GGUF\x03\0\0\0\xff\xff\xff\xff", 12));
  const std::string empty = program.write("empty.gguf", "");
  for (const std::string& path : {garbage, truncated, empty}) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"model", "info", path},
             {"tokenize", "hello", "--model", path},
             {"generate", "--prompt", "hello", "--model", path},
             {"model", "add", path},
         }) {
      const Outcome outcome = program.run(arguments);
      EXPECT_EQ(outcome.exit_status, 3) << path << " " << arguments[0] << ": " << outcome.diagnostics;
      expect_one_sentence(outcome);
    }
  }
}

// One program for machines with and without a GPU: it starts anywhere, and says what keeps it from using one.
TEST(UsageTest, WithoutAGpuTheProgramRunsAndSaysWhy) {
  Program program;
  program.environment = {"CUDA_VISIBLE_DEVICES="};  // also where there is one
  const std::vector<std::string> generate = {
      "generate", "--prompt", "x", "--max-tokens", "1", "--model", checkout::test_data("tiny.gguf")};
  const auto on = [&](const std::string& device) {
    std::vector<std::string> arguments = generate;
    arguments.insert(arguments.end(), {"--device", device});
    return program.run(arguments);
  };
  EXPECT_EQ(on("auto").exit_status, 0);
  const Outcome refused = on("cuda");
  EXPECT_NE(refused.exit_status, 0);
  expect_one_sentence(refused);
  EXPECT_NE(refused.diagnostics.find("--device cpu"), std::string::npos) << refused.diagnostics;
  EXPECT_EQ(on("cuda:x").exit_status, 2);
  const auto with_layers = [&](const std::string& layers) {
    std::vector<std::string> arguments = generate;
    arguments.insert(arguments.end(), {"--gpu-layers", layers});
    return program.run(arguments);
  };
  EXPECT_EQ(with_layers("auto").exit_status, 0);
  EXPECT_EQ(with_layers("0").exit_status, 0);
  const Outcome no_layers = with_layers("4");
  EXPECT_NE(no_layers.exit_status, 0);
  expect_one_sentence(no_layers);
  EXPECT_NE(no_layers.diagnostics.find("--device cpu"), std::string::npos) << no_layers.diagnostics;
}

// Named instead of a file: a folder is a slip, a pipe is nothing to read and is not waited for.
TEST(UsageTest, FoldersAndPipesAreNoFiles) {
  Program program;
  const std::string pipe = program.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string tiny = checkout::test_data("tiny.gguf");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"model", "info"},
                                             {"tokenize", "--model", tiny, "--file"},
                                             {"perplexity", "--model", tiny, "--file"},
                                             {"generate", "--model", tiny, "--prompt-file"},
                                             {"eval"},
                                             {"ask", "x", "--context"}}) {
    for (const auto& [path, status] : {std::pair(program.folder(), 2), std::pair(pipe, 3)}) {
      std::vector<std::string> words = arguments;
      words.push_back(path);
      const Outcome outcome = program.run(words);
      EXPECT_EQ(outcome.exit_status, status) << words[0] << " " << path << ": " << outcome.diagnostics;
      expect_one_sentence(outcome);
    }
  }
}

TEST(UsageTest, SettingsThatNothingTakesAreTold) {
  Program program;
  program.write("home/config.toml", "home = '/x'\n[serach]\ntop-k = 1\n[search]\ntop-k = 2\nquiet = false\n");
  const Outcome told = program.run({"status"});
  EXPECT_EQ(told.exit_status, 0);
  EXPECT_NE(told.diagnostics.find("config.toml sets home,"), std::string::npos) << told.diagnostics;
  EXPECT_NE(told.diagnostics.find("config.toml sets serach top-k,"), std::string::npos) << told.diagnostics;
  EXPECT_EQ(std::count(told.diagnostics.begin(), told.diagnostics.end(), '\n'), 2) << told.diagnostics;
}

TEST(UsageTest, CollectionsThatAreNotThereAreFour) {
  Program program;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"search", "x", "--collection", "none"},
                                             {"ask", "x", "--collection", "none"},
                                             {"chat", "--collection", "none"},
                                             {"document", "list", "--collection", "none"}}) {
    const Outcome outcome = program.run(arguments);
    EXPECT_EQ(outcome.exit_status, 4) << arguments[0] << ": " << outcome.diagnostics;
    expect_one_sentence(outcome);
  }
}

TEST(UsageTest, AnEmptyCollectionIsNotSpokenOf) {
  Program program;
  ASSERT_EQ(program.run({"collection", "create", "empty"}).exit_status, 0);
  const std::string kettle = program.write("documents/kettle.md", "# Kettle\n\nDescale it with vinegar every month.\n");
  ASSERT_EQ(program.run({"index", kettle}).exit_status, 0);
  EXPECT_EQ(program.run({"search", "vinegar"}).diagnostics, "");
}

TEST(UsageTest, MissingModelsAreFour) {
  Program program;
  EXPECT_EQ(program.run({"generate", "--prompt", "x", "--model", "/no/such.gguf"}).exit_status, 4);
  EXPECT_EQ(program.run({"ask", "x", "--model", "unregistered"}).exit_status, 4);
  EXPECT_EQ(program.run({"model", "remove", "unregistered"}).exit_status, 4);
}

}  // namespace
}  // namespace mneme::integration
