// A home whose catalogue is damaged, as its user meets it: told, repaired, and in use again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/integration/program.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RecoveryTest : public testing::Test {
 protected:
  void SetUp() override {
    program.write("docs/owls.md", "# Owls\n\nThe marsh owl lays seven eggs in April.\n");
    program.write("docs/ferry.txt", "The last ferry to Tarnholm leaves at 18:15 in winter.\n");
    docs = program.folder() + "/docs";
    passphrase = program.write("passphrase", "correct horse\n");
  }
  Outcome run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {"--passphrase-file", passphrase});
    return program.run(arguments, input);
  }
  json run_json(std::vector<std::string> arguments, int expected_status = 0) {
    arguments.insert(arguments.begin(), "--json");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_status, expected_status) << outcome.diagnostics << outcome.output;
    return outcome.last_json();
  }
  void fill_home() {
    run_json({"index", docs});
    EXPECT_EQ(run({"chat", "--model", "none"}, "How many eggs does the owl lay?\n").exit_status, 0);
    run_json({"gc"});
  }
  std::string catalogue() const { return program.home() + "/catalog.db"; }
  void flip(size_t at) {
    std::fstream file(catalogue(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(at));
    const auto byte = static_cast<char>(file.get() ^ 4);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }
  // Where the text of the passage lies.
  size_t place_of_text() {
    std::ifstream file(catalogue(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return bytes.find("The marsh owl lays");
  }

  Program program;
  std::string docs;
  std::string passphrase;
};

TEST_F(RecoveryTest, ADamagedCatalogueIsToldRepairedAndInUseAgain) {
  fill_home();
  const size_t text = place_of_text();
  ASSERT_NE(text, std::string::npos);
  flip(text);
  const Outcome search = run({"search", "owl"});
  EXPECT_EQ(search.exit_status, 3);
  EXPECT_NE(search.diagnostics.find("`mneme verify --repair`"), std::string::npos) << search.diagnostics;

  const json told = run_json({"verify"}, 3);
  EXPECT_EQ(told["ok"], false);
  ASSERT_EQ(told["problems"].size(), 1u) << told.dump();
  EXPECT_EQ(told["problems"][0]["kind"], "database");
  const std::string detail = told["problems"][0]["detail"];
  EXPECT_NE(detail.find("1 of "), std::string::npos) << detail;
  EXPECT_NE(detail.find("documents"), std::string::npos) << detail;
  EXPECT_TRUE(told["checked"]["documents"].is_null());
  EXPECT_FALSE(fs::exists(catalogue() + ".damaged")) << "only told";

  const Outcome repaired = run({"verify", "--repair"});
  EXPECT_EQ(repaired.exit_status, 0) << repaired.diagnostics << repaired.output;
  for (const char* part : {"1 collection, 1 folder, ", "1 chat with 2 messages were kept", "will be read again",
                           "kept as ", "catalog.db.damaged", "Repaired."})
    EXPECT_NE(repaired.output.find(part), std::string::npos) << repaired.output;
  EXPECT_TRUE(fs::exists(catalogue() + ".damaged"));
  EXPECT_EQ(run_json({"verify"})["problems"], json::array());

  EXPECT_GE(run_json({"index"})["documents"], 1);
  EXPECT_FALSE(run_json({"search", "owl eggs"})["results"].empty());
  EXPECT_EQ(run_json({"chat", "list"})["chats"].size(), 1u);
  EXPECT_NE(run({"gc"}).output.find("catalog.db.damaged"), std::string::npos) << "told as long as it is there";
}

TEST_F(RecoveryTest, ForgettingTakesTheDamagedCatalogueToo) {
  fill_home();
  flip(place_of_text());
  EXPECT_EQ(run({"verify", "--repair"}).exit_status, 0);
  run_json({"index"});
  ASSERT_FALSE(program.files_that_hold("ferry to Tarnholm").empty());
  run_json({"forget", docs + "/ferry.txt"});
  EXPECT_EQ(program.files_that_hold("ferry to Tarnholm"), std::vector<std::string>());
  EXPECT_FALSE(fs::exists(catalogue() + ".damaged"));
}

TEST_F(RecoveryTest, AnEncryptedHomeIsRepairedAndStaysEncrypted) {
  fill_home();
  EXPECT_EQ(run({"encryption", "on", "--new-passphrase-file", passphrase}).exit_status, 0);
  const size_t n_pages = (fs::file_size(catalogue()) - 4096) / 8192;
  for (size_t page = 2; page < n_pages; page += 3) flip(4096 + page * 8192 + 8000);
  EXPECT_EQ(run({"verify"}).exit_status, 3);
  EXPECT_EQ(run({"verify", "--repair"}).exit_status, 0);
  run_json({"index", docs});
  EXPECT_FALSE(run_json({"search", "owl eggs"})["results"].empty());
  EXPECT_EQ(program.files_that_hold("marsh owl"), std::vector<std::string>());
}

// Also what is encrypted later holds nothing readable from before.
TEST_F(RecoveryTest, EncryptingTakesTheDamagedCatalogueWithIt) {
  fill_home();
  flip(place_of_text());
  EXPECT_EQ(run({"verify", "--repair"}).exit_status, 0);
  ASSERT_FALSE(program.files_that_hold("marsh owl").empty());
  EXPECT_EQ(run({"encryption", "on", "--new-passphrase-file", passphrase}).exit_status, 0);
  EXPECT_EQ(program.files_that_hold("marsh owl"), std::vector<std::string>());
}

TEST_F(RecoveryTest, ACatalogueThatIsNoneAtAllIsPutAside) {
  fill_home();
  fs::resize_file(catalogue(), 1);
  EXPECT_EQ(run({"status"}).exit_status, 3);
  EXPECT_EQ(run({"verify", "--repair"}).exit_status, 0);
  EXPECT_EQ(fs::file_size(catalogue() + ".damaged"), 1u);
  EXPECT_EQ(run_json({"index", docs})["documents"], 2);
}

}  // namespace
}  // namespace mneme::integration
