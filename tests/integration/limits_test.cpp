// What is too large is refused before it is loaded, with what would fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <filesystem>
#include <fstream>

#include "engine/language_model.h"
#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

TEST(LimitsTest, AContextThatDoesNotFitIsRefusedWithWhatWould) {
  engine::ModelOptions options{.device = {.device = "cpu", .n_threads = 1}};
  options.context_tokens = INT_MAX;  // a terabyte of KV even for the tiny model
  const auto refused = engine::LanguageModel::open(checkout::test_data("tiny.gguf"), options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kResource);
  EXPECT_THAT(refused.status().message(), ::testing::HasSubstr("at most "));
  options.context_tokens = 512;
  EXPECT_TRUE(engine::LanguageModel::open(checkout::test_data("tiny.gguf"), options).ok());
}

int64_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::strtoll(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

// A whole small model and behind it more than any machine has, as a sparse file.
TEST(LimitsTest, AModelThatDoesNotFitIsRefusedBeforeItIsLoaded) {
  Program program;
  const std::string path = program.folder() + "/huge.gguf";
  std::filesystem::copy_file(checkout::test_data("tiny.gguf"), path);
  std::error_code refused_by_disk;
  std::filesystem::resize_file(path, uint64_t{8} << 40, refused_by_disk);
  if (refused_by_disk) GTEST_SKIP() << "no file can be so large here: " << refused_by_disk.message();
  const int64_t before = resident_kib();
  const auto refused = engine::LanguageModel::open(path, {.device = {.device = "cpu", .n_threads = 1}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kResource) << refused.status().message();
  EXPECT_THAT(refused.status().message(), ::testing::HasSubstr("MiB are free; use a smaller model"));
  EXPECT_LT(resident_kib() - before, 100'000);
  const Outcome outcome = program.run({"generate", "--prompt", "x", "--model", path});
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_NE(outcome.exit_status, 0);
  EXPECT_NE(outcome.diagnostics.find("use a smaller model"), std::string::npos) << outcome.diagnostics;
}

// A sanitizer takes the whole address space when the program starts: no ceiling lies above that.
bool takes_all_memory_to_start(Program& program) {
  const Outcome outcome = program.run({"--memory", "64", "status"});
  return outcome.diagnostics.find("that the program takes to start") != std::string::npos;
}

// Whatever ceiling is set on the program's memory, it is kept, and what does not fit below it ends in a sentence.
// Without a language model: libsentencepiece does not survive want of memory (docs/reliability.md).
TEST(LimitsTest, ACeilingOnMemoryEndsInASentence) {
  Program program;
  if (takes_all_memory_to_start(program)) GTEST_SKIP() << "the program was built with a sanitizer";
  for (int i = 0; i < 40; ++i) {
    program.write("docs/" + std::to_string(i) + ".txt", "Page " + std::to_string(i) + " is about the harbour crane.\n");
  }
  const auto under = [&](const std::string& gigabytes, std::vector<std::string> command) {
    command.insert(command.begin(), {"--memory", gigabytes, "--threads", "1", "--embedder", "hashed"});
    return program.run(command);
  };
  int n_refused = 0;
  for (const char* gigabytes : {"0.001", "0.004", "0.01", "0.0105", "0.011", "0.0115", "0.012", "0.02", "0.04"}) {
    for (const auto& command : {std::vector<std::string>{"index", program.folder() + "/docs"},
                                std::vector<std::string>{"ask", "What is page 7 about?", "--model", "none"}}) {
      const Outcome outcome = under(gigabytes, command);
      EXPECT_EQ(outcome.signal, 0) << command[0] << " below " << gigabytes << " GB: " << outcome.diagnostics;
      if (outcome.exit_status == 0) continue;
      ++n_refused;
      EXPECT_NE(outcome.diagnostics.find(';'), std::string::npos) << "not what to do: " << outcome.diagnostics;
    }
  }
  EXPECT_GT(n_refused, 0);
  EXPECT_EQ(under("2", {"index", program.folder() + "/docs"}).exit_status, 0);
  const Outcome asked = under("2", {"ask", "What is page 7 about?", "--model", "none"});
  EXPECT_NE(asked.output.find("Page 7"), std::string::npos) << asked.diagnostics;
  EXPECT_EQ(under("2", {"verify"}).exit_status, 0);
}

TEST(LimitsTest, AModelBeyondTheCeilingIsRefusedBeforeItIsLoaded) {
  Program program;
  if (takes_all_memory_to_start(program)) GTEST_SKIP() << "the program was built with a sanitizer";
  const std::string path = program.folder() + "/large.gguf";
  std::filesystem::copy_file(checkout::test_data("tiny.gguf"), path);
  std::filesystem::resize_file(path, uint64_t{1} << 30);  // sparse
  const Outcome refused = program.run({"--memory", "0.7", "generate", "--prompt", "x", "--model", path});
  EXPECT_EQ(refused.signal, 0);
  EXPECT_NE(refused.exit_status, 0);
  EXPECT_NE(refused.diagnostics.find("needs about 1024 MiB"), std::string::npos) << refused.diagnostics;
  const std::vector<std::string> fits = {
      "--memory", "2", "generate", "--prompt", "x", "--max-tokens", "1", "--model", checkout::test_data("tiny.gguf")};
  const Outcome generated = program.run(fits);
  EXPECT_EQ(generated.exit_status, 0) << generated.diagnostics;
}

// The store never holds more than its quota, whatever is computed; what does not fit is computed when it is needed.
TEST(LimitsTest, TheQuotaOfTheStoreIsHonoured) {
  Program program;
  for (int i = 0; i < 12; ++i) {
    program.write("docs/" + std::to_string(i) + ".txt", "Page " + std::to_string(i) + " is about the harbour crane.\n");
  }
  const std::vector<std::string> index = {"--kv-quota",
                                          "0.00003",
                                          "--json",
                                          "index",
                                          program.folder() + "/docs",
                                          "--kv",
                                          "now",
                                          "--model",
                                          checkout::test_data("tiny.gguf")};
  EXPECT_EQ(program.run(index).exit_status, 0);
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(program.home() + "/kv")) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, 30'000u);
  const Outcome asked = program.run({"--kv-quota", "0.00003", "--json", "ask", "What is page 7 about?", "--mode",
                                     "reuse", "--max-tokens", "2", "--model", checkout::test_data("tiny.gguf")});
  EXPECT_EQ(asked.exit_status, 0) << asked.diagnostics;
}

}  // namespace
}  // namespace mneme::integration
