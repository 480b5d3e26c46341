// What people do all day: chats kept in order by keys, folders added, letters made larger, windows made small; and that
// what is drawn in parts is the picture.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/window/window_fixture.h"

namespace mneme::window {
namespace {

using nlohmann::json;

class HabitsE2E : public WindowE2E {};

TEST_F(HabitsE2E, ChatsAreRenamedExportedFoundAndDeletedByKeys) {
  index_documents();
  start();
  int x = 0;
  int y = 0;
  ask("How long is the warranty of the kettle?", x, y);
  desktop_->key("F2");
  desktop_->type("Kettle");
  desktop_->key("Return");
  ASSERT_TRUE(wait_until([&] { return chats().size() == 1 && chats()[0]["title"] == "Kettle"; })) << chats();
  choose("export this chat as markdown");
  const std::string exported = program_.home() + "/mneme - Kettle.md";  // HOME of the program is its home here
  ASSERT_TRUE(wait_until([&] { return access(exported.c_str(), R_OK) == 0; }));
  std::ifstream file(exported);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("# Kettle"), std::string::npos) << text;
  EXPECT_NE(text.find("three years"), std::string::npos) << text;
  // Searched by what was said, not by its title.
  desktop_->key("ctrl+n");
  desktop_->key("ctrl+f");
  desktop_->type("purchase");
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share({40, 95, 120, 24}, kText, 40) > 0.01; }));
  desktop_->key("Return");
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share({270, 100, 610, 300}, kAccentSoft) > 0.0003; }));
  choose("delete this chat");
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share(kConversation, kSurface) < 0.01; }))
      << "gone from sight";
  EXPECT_EQ(desktop_->close(), 0);
  EXPECT_TRUE(chats().empty()) << "and from the disk";
}

TEST_F(HabitsE2E, AFolderIsAddedThroughTheBuiltInBrowserAndItsProgressIsSeen) {
  for (const char* dialog : {"/usr/bin/zenity", "/usr/bin/kdialog"}) {
    if (access(dialog, X_OK) == 0) GTEST_SKIP() << dialog << " takes the browser's place";
  }
  for (int i = 0; i < 300; ++i)
    program_.write("letters/" + std::to_string(i) + ".md", "# Letter " + std::to_string(i) + "\n\nSome words.\n");
  start();
  choose("add a folder");
  ASSERT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share(kSidebar, kSurface) < 0.1; })) << "dimmed";
  desktop_->key("ctrl+a");
  desktop_->type(program_.folder() + "/letters");
  desktop_->key("Return");
  EXPECT_TRUE(wait_until([&] {
    const json status = program_.run({"status", "--json"}).last_json();
    return status.is_object() && !status["collections"].empty() && status["collections"][0]["documents"] == 300;
  }));
  desktop_->key("ctrl+2");
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share({290, 150, 900, 60}, kAccentSoft) > 0.3; }))
      << "the collection stands in the library";
}

TEST_F(HabitsE2E, AFolderIsAddedThroughTheDesktopsDialog) {
  program_.write("letters/one.md", "# One\n\nSome words.\n");
  const std::string dialog = program_.write("bin/zenity", "#!/bin/sh\necho " + program_.folder() + "/letters\n");
  ASSERT_EQ(chmod(dialog.c_str(), 0700), 0);
  start({"PATH=" + program_.folder() + "/bin:/usr/bin:/bin"});
  int x = 0;
  int y = 0;
  ASSERT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.find(kPage, kAccent, 500, x, y); }));
  desktop_->click(x, y);  // “Add a folder…”
  EXPECT_TRUE(wait_until([&] {
    const json status = program_.run({"status", "--json"}).last_json();
    return status.is_object() && !status["collections"].empty() && status["collections"][0]["documents"] == 1;
  }));
}

TEST_F(HabitsE2E, PanelsAreResizedByTheirBordersAndStayThatWide) {
  index_documents();
  start();
  const auto ground_at = [](const Picture& p, int x) { return p.share({x, 300, 20, 60}, kSurface) > 0.9; };
  ASSERT_TRUE(desktop_->wait_for([&](const Picture& p) { return ground_at(p, 230) && !ground_at(p, 300); }));
  desktop_->drag(267, 330, 367, 330);
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return ground_at(p, 330) && !ground_at(p, 390); }));
  EXPECT_EQ(desktop_->close(), 0);
  start();
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return ground_at(p, 330) && !ground_at(p, 390); }));
}

// From the question back, the first thing is the sidebar's border where nothing was asked yet.
TEST_F(HabitsE2E, ABorderIsMovedByTabAndArrows) {
  index_documents();
  start();
  const auto ground_at = [](const Picture& p, int x) { return p.share({x, 300, 20, 60}, kSurface) > 0.9; };
  ASSERT_TRUE(desktop_->wait_for([&](const Picture& p) { return ground_at(p, 230) && !ground_at(p, 300); }));
  desktop_->key("shift+Tab");
  for (int i = 0; i < 6; ++i) desktop_->key("Right");
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return ground_at(p, 335) && !ground_at(p, 390); }));
  desktop_->key("Return");
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return ground_at(p, 230) && !ground_at(p, 300); }))
      << "as wide as at first";
}

// From the question back, the first thing is the last of those that an empty library offers.
TEST_F(HabitsE2E, TheSamplesAreTriedByTabAndEnterAlone) {
  start();
  desktop_->key("shift+Tab");
  desktop_->key("Return");
  EXPECT_TRUE(wait_until([&] { return documents() >= 9; }));
}

// As after a large display was taken away.
TEST_F(HabitsE2E, AWindowThatWasLargerThanTheScreenOpensWithinIt) {
  index_documents();
  start();
  desktop_->resize(2000, 1400);
  EXPECT_EQ(desktop_->close(), 0);
  start();
  desktop_->type("Where?");
  constexpr Rect kAsk{1110, 710, 60, 60};  // its button, in a window of the screen's size
  int x = 0;
  int y = 0;
  EXPECT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.find(kAsk, kAccent, 200, x, y); }));
}

TEST_F(HabitsE2E, SmallAndLargeLettersAnswerAlike) {
  index_documents();
  for (const double scale : {0.75, 2.5}) {
    set_settings({{"scale", scale}});
    start();
    desktop_->key("ctrl+n");
    desktop_->type("How long is the warranty of the kettle?");
    desktop_->key("Return");
    int x = 0;
    int y = 0;
    constexpr Rect kMiddle{20, 60, 1240, 600};
    const int least = scale < 1.0 ? 40 : 400;
    // Chips are the only things of their colour between the sidebar and the borders of the sources.
    const Rect where = scale < 1.0 ? Rect{260, 60, 720, 560} : kMiddle;
    ASSERT_TRUE(desktop_->wait_for([&](const Picture& p) { return p.find(where, kAccentSoft, least, x, y); })) << scale;
    desktop_->settled();
    desktop_->look().find(where, kAccentSoft, least, x, y);
    desktop_->click(x, y);
    EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share(kAll, kPassage) > 0.005; })) << scale;
    EXPECT_EQ(desktop_->close(), 0);
  }
}

TEST_F(HabitsE2E, AWindowOf320x200AnswersByKeys) {
  index_documents();
  start();
  desktop_->resize(320, 200);
  desktop_->settled(3.0);
  desktop_->type("How long is the warranty of the kettle?");
  desktop_->key("Return");
  ASSERT_TRUE(wait_until([&] { return !chats().empty() && messages(1).size() == 2; }));
  desktop_->key("alt+1");
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share({0, 0, 320, 200}, kPassage) > 0.01; }));
  desktop_->key("Escape");
  EXPECT_TRUE(desktop_->wait_for([](const Picture& p) { return p.share({0, 0, 320, 200}, kPassage) < 0.01; }));
  EXPECT_TRUE(desktop_->running());
}

// A renderer without a GPU draws only what has changed: after clicks, keys, an answer and turned pages nothing may be
// left that drawing the whole window would not show.
TEST_F(HabitsE2E, WhatIsDrawnInPartsIsThePictureDrawnWhole) {
  index_documents();
  start();
  int x = 0;
  int y = 0;
  const auto same_as_whole = [&](const std::string& when) {
    desktop_->move(700, 690);  // over nothing
    const Picture parts = desktop_->settled();
    desktop_->expose();
    const Picture whole = desktop_->settled();
    EXPECT_LT(parts.difference(whole, kAll), 0.0001) << when;  // a caret may blink
  };
  same_as_whole("at the start");
  ask("How long is the warranty of the kettle?", x, y);
  same_as_whole("with an answer");
  desktop_->click(x, y);
  desktop_->wait_for([](const Picture& p) { return p.share(kSources, kPassage) > 0.01; });
  desktop_->wheel_down(1080, 400, 3);
  same_as_whole("with a document");
  desktop_->key("Escape");
  desktop_->type("half a question");
  desktop_->key("BackSpace");
  for (const char* page : {"ctrl+2", "ctrl+5", "ctrl+1"}) desktop_->key(page);
  same_as_whole("after pages and typing");
  desktop_->key("ctrl+k");
  desktop_->type("theme");
  desktop_->key("Escape");
  desktop_->move(120, 107);
  desktop_->move(236, 28);
  same_as_whole("after the palette and what the mouse went over");
}

}  // namespace
}  // namespace mneme::window
