// What tr() gives, in which language, and how numbers are written in it.
#include <atomic>
#include <cstring>
#include <map>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/human_text.h"
#include "ui/language/figures.h"
#include "ui/language/languages.h"
#include "ui/language/message_table.h"
#include "ui/language/tr.h"

namespace mneme::ui {
namespace {

class TrTest : public testing::Test {
 protected:
  ~TrTest() override { use_language(""); }
};

TEST_F(TrTest, WithoutALanguageEverythingIsEnglish) {
  EXPECT_EQ(used_language(), nullptr);
  const char* const text = "Settings";
  EXPECT_EQ(tr(text), text);
  EXPECT_STREQ(tr_n("{0} document", "{0} documents", 1), "{0} document");
  EXPECT_STREQ(tr_n("{0} document", "{0} documents", 0), "{0} documents");
  EXPECT_STREQ(tr_c("key", "Shift"), "Shift");
  EXPECT_EQ(english_of(text), text);
  use_language("tlh");
  EXPECT_EQ(used_language(), nullptr) << "none that is offered";
}

TEST_F(TrTest, ALanguageIsUsedFromTheNextTextOn) {
  use_language("de");
  ASSERT_NE(used_language(), nullptr);
  const char* const german = tr("Settings");
  EXPECT_STREQ(german, "Einstellungen");
  EXPECT_STREQ(tr_c("key", "Shift"), "Umschalt");
  EXPECT_STREQ(tr_n("{0} document", "{0} documents", 1), "{0} Dokument");
  EXPECT_STREQ(tr_n("{0} document", "{0} documents", 2), "{0} Dokumente");
  EXPECT_STREQ(tr("no message of the window"), "no message of the window");
  use_language("");
  EXPECT_STREQ(tr("Settings"), "Settings");
  EXPECT_STREQ(german, "Einstellungen") << "texts of the language before stay valid";
}

TEST_F(TrTest, WhatIsPressedIsCalledTheSameInEveryLanguage) {
  use_language("de");
  EXPECT_STREQ(english_of(tr("Settings")), "Settings");
  EXPECT_STREQ(english_of(tr_n("{0} document", "{0} documents", 5)), "{0} document");
  // Two that are called alike stay two.
  EXPECT_STREQ(tr("Try it again"), tr("Try them again"));
  EXPECT_STRNE(english_of(tr("Try it again")), english_of(tr("Try them again")));
  const std::string other = "a collection";
  EXPECT_EQ(english_of(other.c_str()), other.c_str());
}

TEST_F(TrTest, WhatIsFilledInIsNotLookedAtAgain) {
  EXPECT_EQ(filled("{1} of {0}", "{1}", "b"), "b of {1}");
  EXPECT_EQ(filled("{0} {0} {2} {x} {", "a"), "a a {2} {x} {");
  EXPECT_EQ(filled("{0}", std::string("a")), "a");
}

TEST_F(TrTest, ThreadsMayTranslateWhileTheLanguageChanges) {
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      const std::string text = tr("Settings");
      ASSERT_TRUE(text == "Settings" || text == "Einstellungen") << text;
    }
  });
  for (int i = 0; i < 2000; ++i) use_language(i % 2 == 0 ? "de" : "");
  done = true;
  reader.join();
}

TEST_F(TrTest, FuzzyAndUntranslatedMessagesStayEnglish) {
  const WindowLanguage& german = *find_language("de");
  const MessageTable table(german, {{"", "fuzzy", "", {"x"}, true},
                                    {"", "empty", "", {""}, false},
                                    {"", "one", "many", {"eins"}, false},
                                    {"", "said", "", {"gesagt"}, false}});
  EXPECT_EQ(table.size(), 1u);
  EXPECT_EQ(table.find("", "fuzzy"), nullptr);
  EXPECT_EQ(table.find("", "empty"), nullptr);
  EXPECT_EQ(table.find_plural("one", 1), nullptr);
  EXPECT_STREQ(table.find("", "said"), "gesagt");
  EXPECT_EQ(table.find_plural("said", 2), nullptr) << "it has one form";
  EXPECT_EQ(table.find("key", "said"), nullptr);
}

TEST_F(TrTest, InEnglishFiguresAreThoseOfTheCommandLine) {
  for (const double bytes : {0.0, 999.0, 999.6, 1000.0, 3.4e6, 99.94e6, 99.96e6, 999.6e9, 5e15})
    EXPECT_EQ(bytes_text(bytes), human_bytes(bytes));
  for (const int64_t n : {0LL, 7LL, 999LL, 1000LL, 12'345LL, -1234LL, 1'234'567LL})
    EXPECT_EQ(number_text(n), human_count(n));
  EXPECT_EQ(seconds_text(45.2), "45 s");
  EXPECT_EQ(seconds_text(200.0), "3 min 20 s");
  EXPECT_EQ(seconds_text(7260.0), "2 h 1 min");
  EXPECT_EQ(milliseconds_text(0.01), "< 0.1 ms");
  EXPECT_EQ(milliseconds_text(4.25), "4.2 ms");
  EXPECT_EQ(milliseconds_text(231.0), "231 ms");
  EXPECT_EQ(milliseconds_text(1400.0), "1.4 s");
  EXPECT_EQ(percent_text(15.0), "15 %");
  EXPECT_EQ(lines_text(0, 4, 6), "lines 4–6");
  EXPECT_EQ(listed(listed("", "a"), "b"), "a, b");
  EXPECT_EQ(month_text(9, 2026), "October 2026");
  EXPECT_EQ(day_text(0), "");
}

TEST_F(TrTest, FiguresAreWrittenAsTheLanguageDoes) {
  use_language("de");
  EXPECT_EQ(number_text(12'345), "12.345");
  EXPECT_EQ(bytes_text(3.4e6), "3,4 MB");
  EXPECT_EQ(milliseconds_text(1400.0), "1,4 s");
  EXPECT_EQ(month_text(9, 2026), "Oktober 2026");
  constexpr int64_t kNoon_ms = 1793361600000;  // 30 October 2026, noon in Greenwich: that day in all but the last zones
  EXPECT_EQ(day_text(kNoon_ms).substr(2), ".10.2026");
  EXPECT_EQ(day_and_time_text(kNoon_ms).size(), std::string("30.10.2026 12:00").size());
}

TEST_F(TrTest, KeysAreCalledAsTheKeyboardHasThem) {
  EXPECT_EQ(keys_text("Ctrl+Shift+C"), "Ctrl+Shift+C");
  EXPECT_EQ(keys_text("Ctrl++, Ctrl+-, Ctrl+0"), "Ctrl++, Ctrl+-, Ctrl+0");
  use_language("de");
  EXPECT_EQ(keys_text("Ctrl+Shift+C"), "Strg+Umschalt+C");
  EXPECT_EQ(keys_text("Ctrl++, Ctrl+-, Ctrl+0"), "Strg++, Strg+-, Strg+0");
  EXPECT_EQ(keys_text("Page Up, Page Down"), "Bild auf, Bild ab");
  EXPECT_EQ(keys_text("Alt+1 … Alt+9"), "Alt+1 … Alt+9");
  EXPECT_EQ(keys_text("F2"), "F2");
  EXPECT_EQ(keys_text(""), "");
}

std::string asked(std::map<std::string, std::string> variables) {
  return language_of_environment([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(LanguagesTest, TheEnvironmentAsksAsGettextReadsIt) {
  EXPECT_EQ(asked({}), "");
  EXPECT_EQ(asked({{"LANG", "de_AT.UTF-8"}}), "de");
  EXPECT_EQ(asked({{"LANG", "de_DE@euro"}}), "de");
  EXPECT_EQ(asked({{"LANG", "de_DE.UTF-8"}, {"LC_ALL", "C"}}), "");
  EXPECT_EQ(asked({{"LANG", "de_DE.UTF-8"}, {"LC_ALL", "C.UTF-8"}}), "");
  EXPECT_EQ(asked({{"LANG", "en_GB.UTF-8"}, {"LC_MESSAGES", "de_DE.UTF-8"}}), "de");
  EXPECT_EQ(asked({{"LANG", "de_DE.UTF-8"}, {"LC_MESSAGES", ""}}), "de") << "an empty one is none";
  EXPECT_EQ(asked({{"LANG", "tlh_AQ.UTF-8"}}), "");
  EXPECT_EQ(asked({{"LANG", "en_US.UTF-8"}, {"LANGUAGE", "tlh:de:en"}}), "de");
  EXPECT_EQ(asked({{"LANG", "de_DE.UTF-8"}, {"LANGUAGE", "en_GB:en"}}), "") << "English is asked for";
  EXPECT_EQ(asked({{"LANG", "C"}, {"LANGUAGE", "de"}}), "");
  EXPECT_EQ(asked({{"LANGUAGE", "de"}}), "") << "without a locale, LANGUAGE says nothing";
  EXPECT_EQ(asked({{"LANG", "de_DE.UTF-8"}, {"LANGUAGE", "::tlh"}}), "de");
}

}  // namespace
}  // namespace mneme::ui
