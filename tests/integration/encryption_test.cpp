// An encrypted home through the program: nothing readable on the disk, everything works with the passphrase, nothing
// without.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;

class EncryptionTest : public testing::Test {
 protected:
  void SetUp() override {
    program.write("docs/owls.md", "# Owls\n\nThe marsh owl lays seven eggs in April.\n");
    passphrase = program.write("passphrase", "correct horse\nand what stands behind it\n");
  }
  Outcome run(const std::vector<std::string>& arguments, const std::string& input = "") {
    std::vector<std::string> all = {"--passphrase-file", passphrase};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return program.run(all, input);
  }
  void expect_done(const std::vector<std::string>& arguments, const std::string& input = "") {
    const Outcome outcome = run(arguments, input);
    EXPECT_EQ(outcome.exit_status, 0) << arguments[0] << ": " << outcome.diagnostics;
  }

  Program program;
  std::string passphrase;
  const std::string model = checkout::test_data("tiny.gguf");
};

TEST_F(EncryptionTest, EverythingWorksAndNothingIsReadable) {
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"chat", "--model", "none"}, "How many eggs does the marsh owl lay?\n");
  ASSERT_FALSE(program.files_that_hold("marsh owl").empty());
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  EXPECT_EQ(program.files_that_hold("marsh owl"), std::vector<std::string>());

  program.write("docs/kites.md", "# Kites\n\nThe red kite builds its nest in tall beeches.\n");
  expect_done({"index", program.folder() + "/docs", "--kv", "now", "--model", model});
  expect_done({"ask", "Where does the red kite nest?", "--model", model, "--max-tokens", "4"});
  const Outcome answer = run({"ask", "How many eggs does the marsh owl lay?", "--model", "none"});
  EXPECT_NE(answer.output.find("seven eggs"), std::string::npos) << answer.output << answer.diagnostics;
  const Outcome chats = run({"chat", "list"});
  EXPECT_NE(chats.output.find("marsh owl"), std::string::npos) << chats.output << chats.diagnostics;
  const Outcome found = run({"search", "beeches", "--json"});
  EXPECT_EQ(found.last_json()["results"][0]["document"], program.folder() + "/docs/kites.md");
  EXPECT_TRUE(run({"status", "--json"}).last_json()["encrypted"]);
  EXPECT_TRUE(run({"verify", "--json"}).last_json()["ok"]);
  for (const char* word : {"marsh owl", "beeches", "SQLite format 3"}) {
    EXPECT_EQ(program.files_that_hold(word), std::vector<std::string>()) << word;
  }

  expect_done({"encryption", "off"});
  const Outcome again = program.run({"ask", "How many eggs does the marsh owl lay?", "--model", "none"});
  EXPECT_NE(again.output.find("seven eggs"), std::string::npos) << again.output << again.diagnostics;
}

TEST_F(EncryptionTest, WithoutItsPassphraseItStaysClosed) {
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  const std::string wrong = program.write("wrong", "correct horses\n");
  const std::string none = program.write("none", "\n");
  for (const std::string& file : {wrong, none, program.folder() + "/absent"}) {
    for (const char* command : {"status", "verify", "gc"}) {
      const Outcome outcome = program.run({"--passphrase-file", file, command});
      EXPECT_NE(outcome.exit_status, 0) << file << " " << command;
      EXPECT_FALSE(outcome.diagnostics.empty());
    }
  }
  const Outcome told = program.run({"--passphrase-file", wrong, "status"});
  EXPECT_EQ(told.exit_status, 2);
  EXPECT_NE(told.diagnostics.find("is not the passphrase"), std::string::npos) << told.diagnostics;
  // That it is encrypted may be asked without.
  EXPECT_TRUE(program.run({"encryption", "--json"}).last_json()["encrypted"]);
  expect_done({"status"});
}

TEST_F(EncryptionTest, ThePassphraseChanges) {
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  const std::string other = program.write("other", "battery staple");
  expect_done({"encryption", "passphrase", "--new-passphrase-file", other});
  EXPECT_EQ(run({"status"}).exit_status, 2);
  passphrase = other;
  const Outcome answer = run({"ask", "How many eggs does the marsh owl lay?", "--model", "none"});
  EXPECT_NE(answer.output.find("seven eggs"), std::string::npos) << answer.output << answer.diagnostics;
}

TEST_F(EncryptionTest, WhatIsSoAlreadyIsSaid) {
  expect_done({"index", program.folder() + "/docs"});
  EXPECT_FALSE(program.run({"encryption", "--json"}).last_json()["encrypted"]);
  EXPECT_EQ(run({"encryption", "off"}).exit_status, 2);
  EXPECT_EQ(run({"encryption", "passphrase", "--new-passphrase-file", passphrase}).exit_status, 2);
  const std::string none = program.write("none", "\n");
  EXPECT_EQ(run({"encryption", "on", "--new-passphrase-file", none}).exit_status, 2);
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  EXPECT_EQ(run({"encryption", "on", "--new-passphrase-file", passphrase}).exit_status, 2);
}

TEST_F(EncryptionTest, ADamagedKeyIsSaid) {
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  {
    std::fstream key(program.home() + "/home.key", std::ios::binary | std::ios::in | std::ios::out);
    key.seekg(70);
    const int byte = key.get();  // one of chance
    key.seekp(70);
    key.put(static_cast<char>(byte ^ 1));
  }
  const Outcome outcome = run({"status"});
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_NE(outcome.diagnostics.find("home.key"), std::string::npos) << outcome.diagnostics;
}

TEST_F(EncryptionTest, AHomeWithoutItsKeyFileIsNotTakenForANewOne) {
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  fs::rename(program.home() + "/home.key", program.folder() + "/kept.key");
  const Outcome lost = run({"status"});
  EXPECT_EQ(lost.exit_status, 3);
  EXPECT_NE(lost.diagnostics.find("home.key"), std::string::npos) << lost.diagnostics;
  EXPECT_EQ(run({"index", program.folder() + "/docs"}).exit_status, 3);
  fs::rename(program.folder() + "/kept.key", program.home() + "/home.key");
  EXPECT_TRUE(run({"verify", "--json"}).last_json()["ok"]);
}

TEST_F(EncryptionTest, AKeyMayBeKeptForAWhile) {
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  const Outcome unlocked = run({"encryption", "unlock", "--minutes", "2"});
  if (unlocked.exit_status == 3) GTEST_SKIP() << unlocked.diagnostics;
  ASSERT_EQ(unlocked.exit_status, 0) << unlocked.diagnostics;
  EXPECT_EQ(program.run({"status"}).exit_status, 0);
  // What changes the encryption asks all the same, and a passphrase that is given counts.
  EXPECT_EQ(program.run({"encryption", "off"}).exit_status, 2);
  const std::string wrong = program.write("wrong", "correct horses\n");
  EXPECT_EQ(program.run({"--passphrase-file", wrong, "status"}).exit_status, 2);
  EXPECT_EQ(program.run({"encryption", "lock"}).exit_status, 0);
  EXPECT_EQ(program.run({"status"}).exit_status, 2);
}

TEST_F(EncryptionTest, AKeptKeyOfAnotherHomeAtThisPlaceOpensNothing) {
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  const Outcome unlocked = run({"encryption", "unlock", "--minutes", "2"});
  if (unlocked.exit_status == 3) GTEST_SKIP() << unlocked.diagnostics;
  fs::remove_all(program.home());
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  EXPECT_EQ(program.run({"status"}).exit_status, 2);
  expect_done({"status"});
  EXPECT_EQ(program.run({"encryption", "lock"}).exit_status, 0);
}

TEST_F(EncryptionTest, StoredKvInOtherFoldersIsEncryptedToo) {
  const std::string other = program.folder() + "/fast-disk";
  expect_done({"index", program.folder() + "/docs"});
  expect_done({"encryption", "on", "--new-passphrase-file", passphrase});
  expect_done({"index", program.folder() + "/docs", "--kv", "now", "--model", model, "--kv-roots", other});
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(other)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".kv") continue;
    ++files;
    std::ifstream stream(entry.path(), std::ios::binary);
    std::string head(16, ' ');
    stream.read(head.data(), 16);
    EXPECT_EQ(head, "mneme encrypted\n") << entry.path();
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace mneme::integration
