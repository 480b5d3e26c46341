#include "app/config/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mneme::app {
namespace {

Settings parsed(const char* toml) {
  Result<Settings> settings = Settings::parse(toml, "config.toml");
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  return settings.ok() ? *std::move(settings) : Settings();
}

TEST(SettingsTest, CommandTablesComeBeforeTheTop) {
  const Settings settings = parsed("top-k = 3\n[ask]\ntop_k = 9\n[model.list]\nname = 'x'\n");
  EXPECT_EQ(settings.find("ask", "top-k")->values, std::vector<std::string>{"9"});
  EXPECT_EQ(settings.find("search", "top-k")->values, std::vector<std::string>{"3"});
  EXPECT_EQ(settings.find("model list", "name")->values, std::vector<std::string>{"x"});
  EXPECT_FALSE(settings.find("model add", "name"));
}

TEST(SettingsTest, EnvironmentComesBeforeTheFile) {
  const Settings settings = parsed("kv-level = 'low'\n");
  ::setenv("MNEME_KV_LEVEL", "high", 1);
  const auto value = settings.find("ask", "kv-level");
  ::unsetenv("MNEME_KV_LEVEL");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->values, std::vector<std::string>{"high"});
  EXPECT_EQ(value->origin, "MNEME_KV_LEVEL");
  EXPECT_EQ(settings.find("ask", "kv-level")->origin, "kv-level in config.toml");
}

TEST(SettingsTest, AVariableOfACommandComesBeforeThatOfAll) {
  const Settings settings = parsed("[model]\nkv_level = 'low'\n");
  ::setenv("MNEME_KV_LEVEL", "high", 1);
  ::setenv("MNEME_MODEL_LIST_KV_LEVEL", "exact", 1);
  const auto own = settings.find("model list", "kv-level");
  const auto shared = settings.find("model", "kv-level");
  ::unsetenv("MNEME_MODEL_LIST_KV_LEVEL");
  ::unsetenv("MNEME_KV_LEVEL");
  ASSERT_TRUE(own && shared);
  EXPECT_EQ(own->origin, "MNEME_MODEL_LIST_KV_LEVEL");
  EXPECT_FALSE(own->is_shared);
  EXPECT_EQ(shared->values, std::vector<std::string>{"high"});
  EXPECT_TRUE(shared->is_shared);
  EXPECT_TRUE(shared->is_environment);
  EXPECT_FALSE(settings.find("model", "kv-level")->is_shared) << "a table of its own";
  EXPECT_TRUE(settings.find("model list", "kv-level")->is_shared) << "of the commands below it";
}

TEST(SettingsTest, EveryKindOfValue) {
  const Settings settings = parsed("a = true\nb = -7\nc = 0.25\nd = ['x', 'y']\n");
  EXPECT_EQ(settings.find("", "a")->values, std::vector<std::string>{"true"});
  EXPECT_EQ(settings.find("", "b")->values, std::vector<std::string>{"-7"});
  EXPECT_EQ(settings.find("", "c")->values, std::vector<std::string>{"0.25"});
  EXPECT_EQ(parsed("c = 0.123456789\n").find("", "c")->values, std::vector<std::string>{"0.123456789"});
  EXPECT_EQ(settings.find("", "d")->values, (std::vector<std::string>{"x", "y"}));
}

// Also one of a list, which would be passed over.
TEST(SettingsTest, OtherKindsOfValuesAreRefused) {
  for (const char* text : {"a = 2026-01-01\n", "a = []\n", "a = ['x', 2026-01-01]\n", "a = [['x'], 'y']\n",
                           "a = ['x', {b = 1}]\n", "[b.c]\nd.e.f = 1\n"}) {
    const Result<Settings> settings = Settings::parse(text, "config.toml");
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_EQ(settings.status().code(), StatusCode::kUsage) << text;
    EXPECT_NE(settings.status().message().find("config.toml"), std::string::npos) << settings.status().message();
  }
}

TEST(SettingsTest, DamageIsNamedWithItsLine) {
  const Result<Settings> settings = Settings::parse("a = 1\nb = = 2\n", "config.toml");
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.status().code(), StatusCode::kUsage);
  EXPECT_NE(settings.status().message().find("config.toml line 2"), std::string::npos) << settings.status().message();
}

// toml++ takes a digit before the end of a line behind a date for impossible (rag/toml.h).
TEST(SettingsTest, ADateAndADigitAreAnErrorAndNoAbort) {
  for (const char* text : {"x = 1979-05-27 1\n", "x = 1979-05-27 1\ny = 2\n", "x = [1979-05-27 1]\n"}) {
    const Result<Settings> settings = Settings::parse(text, "config.toml");
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_NE(settings.status().message().find("config.toml line 1"), std::string::npos) << settings.status().message();
  }
}

TEST(SettingsTest, LettersBeyondAsciiStandInQuotes) {
  const Settings settings = parsed(
      "\xef\xbb\xbf# größe\nname = 'grün' # blau, ö\n[ask]\n\"größe\" = \"a\\\"ä\"\nlong = "
      "\"\"\"ä\n\"ö\"\"\"\"\"\nlast = "
      "'''ü'''\n");
  EXPECT_EQ(settings.find("ask", "name")->values, std::vector<std::string>{"grün"});
  EXPECT_EQ(settings.find("ask", "long")->values, std::vector<std::string>{"ä\n\"ö\"\""});
  EXPECT_EQ(settings.find("ask", "last")->values, std::vector<std::string>{"ü"});
  for (const char* text : {"a = 1\ngröße = 1\n", "a = 'x'\nb = ö\n", "a = \"\\\"\nЛ = 1\n", "a = 1\nb = \"\\ö\"\n",
                           "a = 1\nb = \"\"\"\\\\\\ö\"\"\"\n"}) {
    const Result<Settings> refused = Settings::parse(text, "config.toml");
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_NE(refused.status().message().find("config.toml line"), std::string::npos) << refused.status().message();
  }
}

TEST(SettingsTest, MisspeltKeysAreFound) {
  const Settings settings = parsed("top-k = 1\ntopk = 2\n");
  EXPECT_EQ(settings.unknown_keys({"ask top-k"}), std::vector<std::string>{"topk"});
}

TEST(SettingsTest, KeysInTablesOfCommandsThatHaveNoneAreFound) {
  const Settings settings = parsed("[ask]\njson = true\ntop-k = 1\nbos = 1\n[aks]\ntop-k = 1\n[model]\nname = 'x'\n");
  EXPECT_EQ(settings.unknown_keys({"json", "ask top-k", "tokenize bos", "model add name"}),
            (std::vector<std::string>{"aks top-k", "ask bos"}));
}

TEST(SettingsTest, AFileThatCannotBeReadIsNoEmptyOne) {
  EXPECT_EQ(Settings::load(::testing::TempDir()).status().code(), StatusCode::kUsage);
}

TEST(SettingsTest, AbsentFileIsEmpty) {
  const Result<Settings> settings = Settings::load("/nonexistent/config.toml");
  ASSERT_TRUE(settings.ok());
  EXPECT_FALSE(settings->find("ask", "top-k"));
}

}  // namespace
}  // namespace mneme::app
