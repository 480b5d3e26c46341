// Which language the controller has the window speak, and in which it tells of what has happened.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/ui/controller_fixture.h"
#include "ui/language/languages.h"
#include "ui/language/tr.h"

namespace mneme::ui {
namespace {

class ControllerLanguageTest : public ControllerTest {
 protected:
  ~ControllerLanguageTest() override {
    controller_.reset();
    use_language("");
  }

  static std::string spoken() { return used_language() == nullptr ? "" : std::string(used_language()->code); }

  void choose(const std::string& language) {
    SettingsView settings = controller().snapshot()->settings;
    settings.language = language;
    controller().post(ChangeSettings{settings});
    wait([&](const Snapshot& s) { return s.settings.language == language; });
  }
  void start_again() {
    controller_.reset();
    use_language("");
    controller();
  }
};

TEST_F(ControllerLanguageTest, TheSystemsIsSpokenUntilAnotherIsChosenWhichIsKept) {
  system_language_ = "fr";
  controller();
  EXPECT_EQ(spoken(), "fr");
  choose("de");
  EXPECT_EQ(spoken(), "de") << "at once";
  start_again();
  EXPECT_EQ(spoken(), "de");
  choose(kEnglishCode);
  EXPECT_EQ(spoken(), "");
  choose("");
  EXPECT_EQ(spoken(), "fr");
}

TEST_F(ControllerLanguageTest, WhatIsNamedAtTheStartGoesBeforeWhatWasChosen) {
  controller();
  choose("de");
  language_ = kEnglishCode;
  start_again();
  EXPECT_EQ(spoken(), "");
  EXPECT_EQ(controller().snapshot()->settings.language, kEnglishCode);
}

TEST_F(ControllerLanguageTest, NoticesAreToldInIt) {
  system_language_ = "de";
  index();
  const auto told = [](const Snapshot& s) {
    return std::any_of(s.notices.begin(), s.notices.end(), [](const Notice& notice) {
      return notice.text == "Einlesen beendet: 2 Dokumente neu oder geändert.";
    });
  };
  wait(told);
}

TEST_F(ControllerLanguageTest, ABranchOfABranchIsCountedInItsLanguage) {
  system_language_ = "hu";
  index();
  ask("How long is the warranty?");
  controller().post(RenameChat{controller().snapshot()->conversation.chat, "Kettle"});
  wait([](const Snapshot& s) { return s.conversation.title == "Kettle"; });
  for (const char* title : {"Kettle (elágazás)", "Kettle (2. elágazás)", "Kettle (3. elágazás)"}) {
    controller().post(BranchChat{1});
    wait([&](const Snapshot& s) { return s.conversation.title == title; });
  }
}

}  // namespace
}  // namespace mneme::ui
