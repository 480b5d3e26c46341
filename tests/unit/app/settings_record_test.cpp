#include "app/config/settings_record.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/config/config_changes.h"
#include "storage/catalogue/catalogue.h"
#include "tests/support/process_folder.h"

namespace mneme::app {
namespace {

Settings parsed(std::string_view toml) {
  Result<Settings> settings = Settings::parse(toml, "config.toml");
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  return settings.ok() ? *std::move(settings) : Settings();
}

TEST(SettingsRecordTest, WhatTheFileSaysOtherwiseIsNamed) {
  const std::string record = settings_record(parsed("top-k = 8\nocr = true\n[ask]\nmode = 'full'\n"));
  const std::vector<SettingChange> changes =
      changes_since(record, parsed("top_k = 9\nlanguages = ['de', 'en']\n[ask]\nmode = 'full'\n"));
  const std::vector<SettingChange> expected = {{"languages", "", "de, en"}, {"ocr", "true", ""}, {"top-k", "8", "9"}};
  EXPECT_EQ(changes, expected);
  EXPECT_EQ(to_sentence(changes[0]), "languages was not set and is de, en");
  EXPECT_EQ(to_sentence(changes[1]), "ocr was true and is not set");
  EXPECT_EQ(to_sentence(changes[2]), "top-k was 8 and is 9");
}

// Of the values, not of the text: comments, blanks and the order of lines are the user's.
TEST(SettingsRecordTest, WhatSaysTheSameIsNoChange) {
  const std::string record = settings_record(parsed("top-k = 8\nmodel = 'm\xc3\xb6'\n"));
  EXPECT_TRUE(changes_since(record, parsed("# mine\nmodel = \"m\xc3\xb6\"\ntop_k =   8\n")).empty());
  EXPECT_EQ(settings_record(parsed("")), "{}");
}

TEST(SettingsRecordTest, ARecordThatIsNoneTellsOfNoChange) {
  for (const char* record : {"", "[", "7", "{\"top-k\": 8}", "{\"top-k\": [8]}"}) {
    EXPECT_TRUE(changes_since(record, parsed("top-k = 8")).empty()) << record;
  }
}

TEST(ConfigChangesTest, AreToldOnceToEachWhoLooks) {
  const std::string home = mneme::test::process_folder() + "/config_changes";
  std::filesystem::create_directories(home);
  const Directories directories{.data = home, .config = home};
  const auto write = [&](const char* toml) { std::ofstream(directories.config_file()) << toml; };
  {
    auto catalogue = storage::Catalogue::open({.path = home + "/catalog.db"});
    ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
    const auto look = [&](std::string_view seen_by) { return look_at_config(directories, **catalogue, seen_by); };
    EXPECT_TRUE(look(kSeenByCommands).empty()) << "there is no file";
    write("top-k = 8\n");
    EXPECT_TRUE(look(kSeenByCommands).empty()) << "the first look tells of nothing";
    write("top-k = 9\n");
    const std::vector<SettingChange> expected = {{"top-k", "8", "9"}};
    EXPECT_EQ(look(kSeenByCommands), expected);
    EXPECT_TRUE(look(kSeenByCommands).empty()) << "it was told";
    EXPECT_TRUE(look(kSeenByVerify).empty()) << "its first look";
    write("top-k = ");
    EXPECT_TRUE(look(kSeenByVerify).empty()) << "no TOML, which commands say themselves";
    write("");
    EXPECT_EQ(look(kSeenByVerify), (std::vector<SettingChange>{{"top-k", "9", ""}}));
  }
  std::filesystem::remove_all(home);
}

}  // namespace
}  // namespace mneme::app
